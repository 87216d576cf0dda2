import Foundation
import TestSupport
import Testing

@testable import Offshore

struct JSONCodecTests {
  private struct Item: Codable, Equatable, Sendable {
    var title: String
    var isDone = false
    var due: Date?
  }

  private struct Section: Codable, Equatable, Sendable {
    var name: String
    var items: [Item]
  }

  private func probe<Content>(_: Content.Type) throws -> CodecProbe<JSONCodec<Content>> {
    try CodecProbe<JSONCodec<Content>>()
  }

  @Test("A nested value loads as it was stored")
  func nested() throws {
    let value = [
      Section(
        name: "Engine", items: [Item(title: "Oil"), Item(title: "“Belt”\n\u{0}", isDone: true)]),
      Section(name: "", items: []),
    ]
    #expect(try probe([Section].self).loaded(JSON(value)).value == value)
  }

  @Test("Keys are sorted and slashes are not escaped, so equal values have equal texts")
  func sortedKeys() throws {
    let value = ["b": "/", "a": "é", "c": ""]
    #expect(
      try probe([String: String].self).stored(JSON(value)) == #"text '{"a":"é","b":"/","c":""}'"#)
  }

  @Test("A date is written in ISO 8601 with milliseconds")
  func writesDates() throws {
    let date = Date(timeIntervalSince1970: 1_709_210_096.789)
    #expect(try probe([Date].self).stored(JSON([date])) == #"text '["2024-02-29T12:34:56.789Z"]'"#)
  }

  @Test(
    "A date is read with a fraction, without one, and with an offset",
    arguments: [
      ("2024-02-29T12:34:56.789Z", 1_709_210_096.789), ("2024-02-29T12:34:56Z", 1_709_210_096),
      ("2024-02-29T13:34:56+01:00", 1_709_210_096), ("1969-12-31T23:59:59.500Z", -0.5),
    ])
  func readsDates(text: String, seconds: Double) throws {
    let date = try probe([Date].self).read("\("[\"\(text)\"]")").value[0]
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_5)
  }

  @Test("Ten thousand random dates of whole milliseconds load as the same millisecond")
  func dates() throws {
    var random = SeededRandom(seed: 7)
    let values = (0..<10_000).map { _ in
      Double(Int64.random(in: -2_208_988_800_000...4_102_444_800_000, using: &random))
    }
    let dates = values.map { Date(timeIntervalSince1970: $0 / 1000) }
    let loaded = try probe([Date].self).loaded(JSON(dates)).value
    #expect(loaded.map { ($0.timeIntervalSince1970 * 1000).rounded() } == values)
  }

  @Test("A date of a year that ISO 8601 has no four digits for is refused")
  func dateOutOfRange() throws {
    #expect(try probe([Date].self).refusal(JSON([Date(timeIntervalSince1970: 1e12)])) != nil)
  }

  @Test("Dates inside an optional property load too")
  func datesInside() throws {
    let value = Item(title: "Oil", due: Date(timeIntervalSince1970: 1000))
    #expect(try probe(Item.self).loaded(JSON(value)).value == value)
  }

  @Test("A scalar is JSON as well")
  func scalars() throws {
    #expect(try probe(Int.self).loaded(JSON(7)).value == 7)
    #expect(try probe(String?.self).loaded(JSON(nil)).value == nil)
  }

  @Test(
    "Text that is not JSON is an error",
    arguments: [
      "", "{", "[1,", "nope", "[1] x", "\u{0}", "{\"a\":1",
    ])
  func malformed(text: String) throws {
    let misfit = try #require(try probe([Int].self).misfit("\(text)"))
    #expect(misfit.expected == "JSON of Array<Int>: the text is not readable")
    #expect(misfit.found == "a text of \(text.utf8.count) bytes")
  }

  @Test(
    "JSON of another shape is an error that says what is wrong and not the value",
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
  func otherShape(text: String, problem: String) throws {
    let misfit = try #require(try probe([Section].self).misfit("\(text)"))
    #expect(misfit.expected.hasSuffix(problem), "\(misfit.expected)")
    #expect(!misfit.expected.contains("secret") && !misfit.expected.contains("soon"))
  }

  @Test("What is no text is an error", arguments: ["1", "NULL", "x'5b5d'"])
  func otherClasses(expression: String) throws {
    #expect(try probe([Int].self).misfit(SQL(raw: expression))?.expected == "JSON text")
  }

  @Test("A number that JSON cannot express is refused")
  func unstorable() throws {
    let refusal = try #require(try probe([String: Double].self).refusal(JSON(["a": .nan])))
    #expect(refusal == "a value that JSON can express: a part cannot be written")
  }

  @Test("Setting the value replaces it")
  func setter() {
    var json = JSON([1])
    json.value.append(2)
    #expect(json == JSON([1, 2]))
  }

  @Test("The samples differ, so that swapped columns are found")
  func samples() {
    #expect(JSONCodec<Int>.samples.0 != JSONCodec<Int>.samples.1)
  }
}
