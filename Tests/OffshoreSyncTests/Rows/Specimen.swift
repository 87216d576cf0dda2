import Foundation
import Offshore
import OffshoreWire

@testable import OffshoreSync

/// A row with a column for each kind of value.
struct Specimen: Record, Identifiable, Equatable {
  enum Stage: String, CaseIterable, ColumnValue { case new, done }

  /// A codec whose numbers SQLite converts to the type of the column.
  enum WholeMetres: ColumnCodec {
    static var sqlType: String { "REAL" }
    static var samples: (Int, Int) { (0, 1) }
    static func read(_ row: inout RowReader, _ index: Int32) -> Int {
      Int(Double.Codec.read(&row, index))
    }
    static func bind(_ value: Int, _ row: inout RowWriter, _ index: Int32) {
      row.bind(Int64(value), index)
    }
  }

  var id: UUID
  var charterID: String
  var whole: Int
  var small: UInt8
  var real: Double
  var single: Float
  var length: Int
  var flag: Bool
  var text: String
  var note: String?
  var bytes: Data
  var other: UUID
  var binary: UUID?
  var date: Date
  var day: Date
  var second: Date?
  var amount: Decimal
  var link: URL?
  var stage: Stage
  var crew: [String]
  var tags: String
  var marks: String?
  var votes: Int
  var content: StoredValue

  static let table = Table(
    "specimens", Specimen.init,
    Column("id", \.id).primaryKey(), Column("charterID", \.charterID), Column("whole", \.whole),
    Column("small", \.small), Column("real", \.real), Column("single", \.single),
    Column("length", \.length, as: CodecKind<WholeMetres>()), Column("flag", \.flag),
    Column("text", \.text), Column("note", \.note), Column("bytes", \.bytes),
    Column("other", \.other), Column("binary", \.binary, as: .blob), Column("date", \.date),
    Column("day", \.day, as: .text), Column("second", \.second, as: .unixSeconds),
    Column("amount", \.amount), Column("link", \.link), Column("stage", \.stage),
    Column("crew", \.crew, as: .json), Column("tags", \.tags), Column("marks", \.marks),
    Column("votes", \.votes), Column("content", \.content))

  static let creation: SQL = """
    CREATE TABLE specimens (
      id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, whole INTEGER NOT NULL,
      small INTEGER NOT NULL, real REAL NOT NULL, single REAL NOT NULL, length REAL NOT NULL,
      flag INTEGER NOT NULL, text TEXT NOT NULL, note TEXT, bytes BLOB NOT NULL,
      other TEXT NOT NULL, binary BLOB, date REAL NOT NULL, day TEXT NOT NULL, second REAL,
      amount TEXT NOT NULL, link TEXT, stage TEXT NOT NULL, crew TEXT NOT NULL,
      tags TEXT NOT NULL, marks TEXT, votes INTEGER NOT NULL, content)
    """

  static func schema() throws -> SyncSchema {
    try SyncSchema(
      version: 1,
      SyncTable(
        Specimen.self, scope: .kind("charter", \.charterID), .merged(\.tags, .set),
        .merged(\.marks, .keyed), .merged(\.votes, .counter)))
  }

  /// Rows with usual values, with none, and at the limits of their types.
  static func all() throws -> [Specimen] {
    [
      Specimen(
        id: UUID(), charterID: "c1", whole: 7, small: 8, real: 0.1 + 0.2, single: 1.5, length: 12,
        flag: true, text: "Öl \"⛵\"\n\u{1}", note: "null", bytes: Data([0, 255, 34]),
        other: UUID(), binary: UUID(),
        date: Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_7),
        day: Date(timeIntervalSince1970: 1_700_000_000.5),
        second: Date(timeIntervalSince1970: 1_700_000_000), amount: Decimal(string: "12.340") ?? 0,
        link: URL(string: "https://example.org/a?b=c"), stage: .done, crew: ["Ann", "{\"b\":1}"],
        tags: #"["a","b"]"#, marks: #"{"x":{"y":[1.50]}}"#, votes: 3,
        content: StoredValue(value: .real(1))),
      Specimen(
        id: UUID(), charterID: "c1", whole: .min, small: 0, real: -.infinity,
        single: .leastNonzeroMagnitude, length: 0, flag: false, text: "", note: nil, bytes: Data(),
        other: UUID(), binary: nil, date: .distantPast, day: .distantPast, second: nil, amount: 0,
        link: nil, stage: .new, crew: [], tags: "[]", marks: nil, votes: .min,
        content: StoredValue(value: .null)),
      Specimen(
        id: UUID(), charterID: "c1", whole: .max, small: .max, real: .greatestFiniteMagnitude,
        single: .infinity, length: 1 << 53, flag: true, text: "{\"base64\":\"AQ==\"}", note: "",
        bytes: Data(repeating: 7, count: 70_000), other: UUID(), binary: UUID(),
        date: .distantFuture, day: Date(timeIntervalSince1970: 0), second: .distantFuture,
        amount: Decimal(string: "-0.000000000000000001") ?? 0, link: URL(string: "mailto:a@b.c"),
        stage: .new, crew: ["é"], tags: #"["é",1,null,true]"#, marks: "{}", votes: .max,
        content: StoredValue(value: .text([0xFF, 0x41]))),
    ]
  }
}
