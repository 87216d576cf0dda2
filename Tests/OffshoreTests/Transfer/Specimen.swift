import Foundation
import TestSupport

@testable import Offshore

/// A record with a column of every codec.
struct Specimen: Equatable, Sendable {
  enum Kind: String, CaseIterable, ColumnValue {
    case bird = "a \"bird\","
    case fish = ""
  }

  struct Note: Codable, Equatable, Sendable, JSONColumnValue {
    var text: String
    var number: Double?
    static let samples = (Note(text: "a"), Note(text: "b"))
  }

  var id: UUID
  var blobID: UUID
  var int: Int
  var int8: Int8
  var uint64: UInt64
  var double: Double
  var float: Float
  var flag: Bool
  var text: String
  var data: Data
  var date: Date
  var dateText: Date
  var dateUnix: Date
  var decimal: Decimal
  var url: URL
  var kind: Kind
  var note: Note
  var tags: [String]
  var maybeInt: Int?
  var maybeDouble: Double?
  var maybeText: String?
  var maybeData: Data?
  var maybeDate: Date?
  var maybeID: UUID?
  var maybeNote: Note?
}

extension Specimen: Record {
  static let table = Table(
    "specimens \"of all\"", Specimen.init,
    Column("id", \.id).primaryKey(), Column("blobID", \.blobID, as: .blob), Column("int", \.int),
    Column("int8", \.int8), Column("uint64", \.uint64), Column("double", \.double),
    Column("float", \.float), Column("flag", \.flag), Column("a \"text\", or so", \.text),
    Column("data", \.data), Column("date", \.date), Column("dateText", \.dateText, as: .text),
    Column("dateUnix", \.dateUnix, as: .unixSeconds), Column("decimal", \.decimal),
    Column("url", \.url), Column("kind", \.kind), Column("note", \.note, as: .json),
    Column("tags", \.tags, as: .json), Column("maybeInt", \.maybeInt),
    Column("maybeDouble", \.maybeDouble), Column("maybeText", \.maybeText),
    Column("maybeData", \.maybeData), Column("maybeDate", \.maybeDate),
    Column("maybeID", \.maybeID), Column("maybeNote", \.maybeNote, as: .json))
}

extension Specimen {
  static func random(using random: inout SeededRandom) -> Specimen {
    func maybe<Value>(_ value: Value) -> Value? { random.number(below: 3) == 0 ? nil : value }
    let texts = (0..<6).map { _ in text(&random) }
    return Specimen(
      id: uuid(&random), blobID: uuid(&random), int: random.pick([Int.min, Int.max, 0, -1]),
      int8: Int8(truncatingIfNeeded: random.number(below: 256)),
      uint64: random.next() >> 1, double: double(&random),
      float: random.pick([0, -0.1, .infinity, .leastNonzeroMagnitude, 1e30]),
      flag: random.number(below: 2) == 0, text: texts[0], data: data(&random),
      date: Date(timeIntervalSinceReferenceDate: double(&random)),
      dateText: Date(timeIntervalSince1970: Double(random.number(below: 4_000_000_000)) / 2),
      dateUnix: Date(timeIntervalSince1970: double(&random)), decimal: decimal(&random),
      url: URL(filePath: "/boats/\(random.number(below: 1000))"),
      kind: random.pick(Kind.allCases),
      note: Note(text: texts[1], number: maybe(Double(random.number(below: 100)) / 8)),
      tags: Array(texts[2..<(2 + random.number(below: 3))]),
      maybeInt: maybe(Int(truncatingIfNeeded: random.next())),
      maybeDouble: maybe(double(&random)), maybeText: maybe(texts[4]),
      maybeData: maybe(data(&random)),
      maybeDate: maybe(Date(timeIntervalSinceReferenceDate: double(&random))),
      maybeID: maybe(uuid(&random)), maybeNote: maybe(Note(text: texts[5])))
  }

  private static func uuid(_ random: inout SeededRandom) -> UUID {
    let (high, low) = (random.next(), random.next())
    let bytes = withUnsafeBytes(of: (high, low)) { Array($0) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
  }

  private static func text(_ random: inout SeededRandom) -> String {
    let parts = [
      "", "a", "\"", "\"\"", ",", "\n", "\r\n", "\r", " ", "\u{0}", "é", "🌊", "\\", "\u{FEFF}",
      "\t", "{\"base64\":\"\"}", "NULL", "12", "1e5", "\u{7}", "\u{2028}",
    ]
    return (0..<random.number(below: 5)).map { _ in random.pick(parts) }.joined()
  }

  private static func data(_ random: inout SeededRandom) -> Data {
    Data((0..<random.number(below: 7)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }

  /// Returns a double of any bits except NaN; sometimes one that looks like an integer.
  private static func double(_ random: inout SeededRandom) -> Double {
    let special: [Double] = [
      0, -0.0, 1, 1e15, 1e16, 9_007_199_254_740_992, .infinity, -.infinity,
      .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
    ]
    if random.number(below: 3) == 0 { return random.pick(special) }
    let value = Double(bitPattern: random.next())
    return value.isNaN ? 0.5 : value
  }

  private static func decimal(_ random: inout SeededRandom) -> Decimal {
    let digits = (0..<(1 + random.number(below: 20))).map { _ in "\(random.number(below: 10))" }
    let fraction = (0..<random.number(below: 12)).map { _ in "\(random.number(below: 10))" }
    let text = digits.joined() + (fraction.isEmpty ? "" : "." + fraction.joined())
    return Decimal(string: (random.number(below: 2) == 0 ? "-" : "") + text) ?? 0
  }

  /// Returns all stored values of a table in order, with every bit.
  static func stored(in database: Database) async throws -> [[String]] {
    try await database.read { reader in
      try reader.connection.fetch(Specimen.order { $0.id }.sql) { row in
        table.columns.indices.map { index in
          switch ExactValue(row, Int32(index)) {
          case .real(let value): "real \(value.bitPattern)"
          case let value: "\(value)"
          }
        }
      }
    }
  }
}
