import Foundation
import OffshoreJSON
import TestSupport
import Testing

@testable import Offshore

struct JSONCodecTests {
  private struct Item: Codable, Equatable, Sendable {
    var title: String
    var isDone = false
    var due: Date?
  }

  private struct Section: JSONColumnValue, Sendable {
    var name: String
    var items: [Item]
    static let samples = (Section(name: "", items: []), Section(name: "a", items: []))
  }

  private func probe<Content>(_: Content.Type) throws -> CodecProbe<JSONCodec<Content>> {
    try CodecProbe<JSONCodec<Content>>()
  }

  private func optional<Content>(_: Content.Type) throws -> CodecProbe<OptionalJSONCodec<Content>> {
    try CodecProbe<OptionalJSONCodec<Content>>()
  }

  // MARK: - Values

  @Test func `A nested value loads as it was stored`() throws {
    let value = [
      Section(
        name: "Engine", items: [Item(title: "Oil"), Item(title: "“Belt”\n\u{0}", isDone: true)]),
      Section(name: "", items: []),
    ]
    #expect(try probe([Section].self).loaded(value) == value)
    #expect(try probe(Section.self).loaded(value[0]) == value[0])
  }

  @Test func `Keys are sorted and slashes are not escaped, so equal values have equal texts`()
    throws
  {
    let value = ["b": "/", "a": "é", "c": ""]
    #expect(try probe([String: String].self).stored(value) == #"text '{"a":"é","b":"/","c":""}'"#)
  }

  @Test func `nil is NULL, and any other optional is its text`() throws {
    #expect(try optional(Item.self).stored(nil) == "null NULL")
    #expect(try optional(Int.self).stored(7) == "text '7'")
    let value = Item(title: "Oil", due: Date(timeIntervalSince1970: 1000))
    #expect(try optional(Item.self).loaded([nil, value, nil]) == [nil, value, nil])
    #expect(try optional(String.self).loaded("") == "")
  }

  @Test func `A text that is not JSON is an error, also in an optional column`() throws {
    #expect(try optional(Item.self).misfit("'['") != nil)
    #expect(try optional(Item.self).misfit("'null'") != nil)
    #expect(try optional(Item.self).read("NULL") == nil)
  }

  // MARK: - Dates

  @Test func `A date is written in ISO 8601 with milliseconds`() throws {
    let date = Date(timeIntervalSince1970: 1_709_210_096.789)
    #expect(try probe([Date].self).stored([date]) == #"text '["2024-02-29T12:34:56.789Z"]'"#)
  }

  @Test(
    arguments: [
      ("2024-02-29T12:34:56.789Z", 1_709_210_096.789), ("2024-02-29T12:34:56Z", 1_709_210_096),
      ("2024-02-29T13:34:56+01:00", 1_709_210_096), ("1969-12-31T23:59:59.500Z", -0.5),
    ])
  func `A date is read with a fraction, without one, and with an offset`(
    text: String, seconds: Double
  ) throws {
    let date = try probe([Date].self).read("\("[\"\(text)\"]")")[0]
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_5)
  }

  @Test func `Ten thousand random dates of whole milliseconds load as the same millisecond`() throws
  {
    var random = SeededRandom(seed: 7)
    let values = (0..<10_000).map { _ in
      Double(Int64.random(in: -2_208_988_800_000...4_102_444_800_000, using: &random))
    }
    let dates = values.map { Date(timeIntervalSince1970: $0 / 1000) }
    let loaded = try probe([Date].self).loaded(dates)
    #expect(loaded.map { ($0.timeIntervalSince1970 * 1000).rounded() } == values)
  }

  @Test func `A date outside the four-digit years of ISO 8601 is refused`() throws {
    #expect(try probe([Date].self).refusal([Date(timeIntervalSince1970: 1e12)]) != nil)
  }

  // MARK: - Misfits

  @Test(arguments: ["", "{", "[1,", "nope", "[1] x", "\u{0}", "{\"a\":1"])
  func `Text that is not JSON is an error`(text: String) throws {
    let misfit = try #require(try probe([Int].self).misfit("\(text)"))
    #expect(misfit.expected == "JSON of Array<Int>: the text is not readable")
    #expect(misfit.found == "a text of \(text.utf8.count) bytes")
  }

  @Test(
    arguments: [
      (#"[{"name":"Engine"}]"#, "a part is missing"),
      (#"[{"name":7,"items":[]}]"#, "a part is no String"),
      (#"[{"name":null,"items":[]}]"#, "a part is no String"),
      (
        #"[{"name":"","items":[{"title":"x","isDone":false,"due":"soon"}]}]"#,
        "a part is not readable"
      ),
      (#"{"name":"secret"}"#, "the text is no Array<Any>"),
    ])
  func `JSON of another shape is an error that names the problem and not the value`(
    text: String, problem: String
  ) throws {
    let misfit = try #require(try probe([Section].self).misfit("\(text)"))
    #expect(misfit.expected.hasSuffix(problem), "\(misfit.expected)")
    #expect(!misfit.expected.contains("secret") && !misfit.expected.contains("soon"))
  }

  @Test(arguments: ["1", "NULL", "x'5b5d'"])
  func `A value that is not a text is an error`(expression: String) throws {
    #expect(try probe([Int].self).misfit(SQL(raw: expression))?.expected == "JSON text")
  }

  @Test func `A number that JSON cannot express is refused`() throws {
    let refusal = try #require(try probe([String: Double].self).refusal(["a": .nan]))
    #expect(refusal == "a value that JSON can express: a part cannot be written")
  }

  @Test func `An unreadable text is an error that names table, row and column`() throws {
    struct Boat: Record {
      let id: Int
      var crew: [Item]
      static let table = Table(
        "boats", Boat.init, Column("id", \.id).primaryKey(), Column("crew", \.crew, as: .json))
    }
    let test = try TestConnection(
      "CREATE TABLE boats (id INTEGER PRIMARY KEY NOT NULL, crew TEXT NOT NULL)",
      "INSERT INTO boats VALUES (1, '[]'), (2, '[{}]')")
    let list = try test.connection.read { try Boat.order { $0.id }.readable($0) }
    #expect(list.rows.map(\.id) == [1])
    let error = try #require(list.unreadable.first)
    #expect(error.table == "boats")
    #expect(error.column == "crew")
    #expect(error.rowKey == [.integer(2)])
  }

  // MARK: - Without a decoder

  /// A value whose contents show whether it was scanned or decoded.
  private struct Knot: ScannedJSON {
    var name: String

    init(name: String) { self.name = name }

    init(_ scanner: inout JSONScanner) throws {
      var name: String?
      try scanner.scanObject { scanner, key in
        guard key == "name", name == nil else { throw JSONScanner.Fault.unusualMembers }
        name = try scanner.scanString()
      }
      guard let name else { throw JSONScanner.Fault.unusualMembers }
      self.name = "scanned \(name)"
    }
  }

  @Test func `A value of the usual form is scanned, and any other is decoded`() throws {
    let probe = try probe([Knot].self)
    #expect(try probe.read(#"'[{"name":"bowline"}]'"#) == [Knot(name: "scanned bowline")])
    #expect(try probe.read(#"'[{"name":"bowline","rope":2}]'"#) == [Knot(name: "bowline")])
    #expect(try probe.misfit(#"'[{"name":"bowline"}'"#) != nil)
    let optional = try optional(Knot.self)
    #expect(try optional.read(#"'{"name":"bowline"}'"#) == Knot(name: "scanned bowline"))
  }

  @Test(
    arguments: [
      "\"2026-03-01T08:30:00Z\"", "\"2026-03-01T08:30:00.250Z\"", "\"2026-03-01T10:30:00+02:00\"",
      "\"2026-03-01T08\\u003a30:00Z\"",
    ])
  func `Scanning a date gives the same result as decoding it`(text: String) throws {
    var json = text
    let date = try json.withUTF8 { bytes in
      var scanner = JSONScanner(bytes)
      return try scanner.date()
    }
    #expect(try probe([Date].self).read("\("[\(text)]")") == [date])
  }

  @Test func `An id is scanned in either case, and other texts are not`() throws {
    let id = UUID()
    for (text, expected) in [
      (id.uuidString, id), (id.uuidString.lowercased(), id), ("no id", nil),
    ] as [(String, UUID?)] {
      var json = "\"\(text)\""
      let found = try json.withUTF8 { bytes in
        var scanner = JSONScanner(bytes)
        return try scanner.uuid()
      }
      #expect(found == expected)
    }
  }
}
