import Foundation
import TestSupport
import Testing

@testable import Offshore

@Suite(.timeLimit(.minutes(5)))
struct TransferTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func database<Row: Record>(_ type: Row.Type) async throws -> Database {
    let database = try Database.temporary()
    try await database.write { try $0.create(type.table) }
    return database
  }

  private func charters(_ charters: [Charter]) async throws -> Database {
    let database = try await database(Charter.self)
    try await database.write { try Charter.insert(contentsOf: charters, $0) }
    return database
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: folder.file(name))), as: UTF8.self)
  }

  private static let alma = Charter(
    id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10)), name: "Alma, the \"old\"",
    location: nil, startDate: Date(timeIntervalSinceReferenceDate: 0.1), guests: 6)
  private static let bura = Charter(
    id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11)), name: "",
    location: "Biograd\nna Moru", startDate: Date(timeIntervalSinceReferenceDate: 86_400),
    guests: -1)

  // MARK: - Round trips

  @Test(arguments: [TableFormat.csv, .jsonLines], [1, 2] as [UInt64])
  func `Rows of every codec survive export and import bit for bit`(
    format: TableFormat, seed: UInt64
  ) async throws {
    var random = SeededRandom(seed: seed)
    // More than one slice of the import.
    let rows = (0..<520).map { _ in Specimen.random(using: &random) }
    let (source, target) = (try await database(Specimen.self), try await database(Specimen.self))
    try await source.write { try Specimen.insert(contentsOf: rows, $0) }
    let path = folder.file("rows")
    #expect(try await source.exportRows(of: Specimen.all, to: path, as: format) == 520)
    #expect(try await target.importRows(of: Specimen.self, from: path, as: format) == 520)
    let (before, after) = (
      try await Specimen.stored(in: source), try await Specimen.stored(in: target)
    )
    #expect(before == after)
    #expect(before.count == 520)
    // A second import, over the existing rows.
    try await target.importRows(of: Specimen.self, from: path, as: format, existing: .replace)
    #expect(try await Specimen.stored(in: target) == before)
    try await target.exportRows(
      of: Specimen.all, to: folder.file("again"), as: format)
    #expect(try text("again") == (try text("rows")))
  }

  @Test func `A CSV file has a header, quotes if needed, and nothing for NULL`() async throws {
    let database = try await charters([Self.alma, Self.bura])
    let path = folder.file("charters.csv")
    try await database.exportRows(of: Charter.order { $0.id }, to: path, as: .csv)
    #expect(
      try text("charters.csv")
        == "id,name,location,startDate,guests\r\n"
        + "00000000-0000-0000-0000-00000000000A,\"Alma, the \"\"old\"\"\",,0.1,6\r\n"
        + "00000000-0000-0000-0000-00000000000B,\"\",\"Biograd\nna Moru\",86400.0,-1\r\n")
  }

  @Test func `A file of JSON Lines has an object for each row`() async throws {
    let database = try await charters([Self.alma, Self.bura])
    let path = folder.file("charters.jsonl")
    try await database.exportRows(of: Charter.order { $0.id }, to: path, as: .jsonLines)
    #expect(
      try text("charters.jsonl")
        == #"{"id":"00000000-0000-0000-0000-00000000000A","name":"Alma, the \"old\"","#
        + #""location":null,"startDate":0.1,"guests":6}"# + "\n"
        + #"{"id":"00000000-0000-0000-0000-00000000000B","name":"","location":"Biograd\nna Moru","#
        + #""startDate":86400.0,"guests":-1}"# + "\n")
  }

  @Test func `A query selects the rows that are exported`() async throws {
    let database = try await charters([Self.alma, Self.bura])
    let query = Charter.where { $0.guests > 0 }
    let path = folder.file("some.csv")
    #expect(try await database.exportRows(of: query, to: path, as: .csv) == 1)
    #expect(try text("some.csv").contains("Alma"))
    #expect(try !text("some.csv").contains("Biograd"))
  }

  @Test(arguments: [TableFormat.csv, .jsonLines])
  func `An empty table is exported and imported`(format: TableFormat) async throws {
    let database = try await charters([])
    let path = folder.file("none")
    #expect(try await database.exportRows(of: Charter.all, to: path, as: format) == 0)
    #expect(try await database.importRows(of: Charter.self, from: path, as: format) == 0)
  }

  @Test(arguments: [TableFormat.csv, .jsonLines])
  func `A column of one text distinguishes NULL and empty texts`(format: TableFormat) async throws {
    let (source, target) = (try await database(Single.self), try await database(Single.self))
    let rows = [nil, "", "a", "\n", nil].map(Single.init)
    try await source.write { try Single.insert(contentsOf: rows, $0) }
    try await source.exportRows(of: Single.all, to: folder.file("rows"), as: format)
    try await target.importRows(of: Single.self, from: folder.file("rows"), as: format)
    #expect(try await target.read { try Single.all.all($0) } == rows)
  }

  @Test func `Values of a codec with several types survive in JSON Lines, and are refused in CSV`()
    async throws
  {
    let (source, target) = (try await database(Mixed.self), try await database(Mixed.self))
    let values: [SQLValue] = [
      .null, .integer(5), .real(5), .real(.infinity), .text("Infinity"), .blob([1, 2]),
      .text("AQI="),
    ]
    for value in values {
      try await source.write { try Mixed(value: value, blob: value).insert($0) }
    }
    let path = folder.file("rows")
    try await source.exportRows(of: Mixed.all, to: path, as: .jsonLines)
    try await target.importRows(of: Mixed.self, from: path, as: .jsonLines)
    #expect(try await target.read { try Mixed.all.all($0) }.map(\.value) == values)
    #expect(try await target.read { try Mixed.all.all($0) }.map(\.blob) == values)
    await #expect(throws: DatabaseError.self) {
      try await source.exportRows(of: Mixed.all, to: folder.file("rows.csv"), as: .csv)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("rows.csv")))
  }

  // MARK: - Exporting

  @Test func `An unreadable row ends an export, and leaves no file`() async throws {
    let database = try await charters([Self.alma])
    try await database.write { try $0.run("UPDATE charters SET guests = 'many'") }
    let path = folder.file("charters.csv")
    do {
      try await database.exportRows(of: Charter.all, to: path, as: .csv)
      Issue.record("It was exported.")
    } catch let error as DatabaseError {
      #expect(error.code == .invalidValue && error.column == "guests")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `An existing file at the path of an export stays unless it is to be replaced`()
    async throws
  {
    let database = try await charters([Self.alma])
    let path = folder.file("charters.csv")
    try await database.exportRows(of: Charter.all, to: path, as: .csv)
    let before = try text("charters.csv")
    try await database.write { try Self.bura.insert($0) }
    do {
      try await database.exportRows(of: Charter.all, to: path, as: .csv)
      Issue.record("It was replaced.")
    } catch let error as DatabaseError {
      #expect(error.code == .fileExists)
    }
    #expect(try text("charters.csv") == before)
    try await database.exportRows(of: Charter.all, to: path, as: .csv, replacesExisting: true)
    #expect(try text("charters.csv").contains("Biograd"))
  }

  @Test(arguments: [TableFormat.csv, .jsonLines])
  func `The files of an open database can be neither the target nor the source`(format: TableFormat)
    async throws
  {
    let path = folder.file("charters.sqlite")
    let database = try Database(path)
    try await database.write { writer in
      try writer.create(Charter.table)
      try Self.alma.insert(writer)
    }
    let exported = await #expect(throws: DatabaseError.self) {
      try await database.exportRows(of: Charter.all, to: path, as: format, replacesExisting: true)
    }
    let imported = await #expect(throws: DatabaseError.self) {
      try await database.importRows(of: Charter.self, from: path, as: format)
    }
    #expect(exported?.code == .fileExists && imported?.code == .fileExists)
    #expect(imported?.message.contains("Choose another path.") == true)
    #expect(try await database.read { try Charter.all.all($0) } == [Self.alma])
    await database.close()
  }

  @Test func `A row beyond the limit is an error with its key`() async throws {
    let database = try await charters([])
    let long = Charter("long", location: String(repeating: "x", count: 65 << 20))
    try await database.write { try long.insert($0) }
    do {
      try await database.exportRows(of: Charter.all, to: folder.file("rows"), as: .jsonLines)
      Issue.record("It was exported.")
    } catch let error as DatabaseError {
      #expect(
        error.message == "A row of “charters” is longer than 64 MiB. Copy the file by a backup "
          + "instead.")
      #expect(error.rowKey == [.text(long.id.uuidString)])
    }
  }
}

/// A record of one column without a key.
private struct Single: Equatable, Record {
  var text: String?

  static let table = Table("singles", Single.init(text:), Column("text", \.text))
}

/// A record of columns that store any type, among texts and among BLOBs.
private struct Mixed: Equatable, Record {
  var value: SQLValue
  var blob: SQLValue

  static let table = Table(
    "mixed", Mixed.init(value:blob:),
    Column("value", \.value, as: CodecKind<AnyText>()).type("ANY"),
    Column("blob", \.blob, as: CodecKind<AnyBlob>()).type("ANY")
  ).strict()
}

private enum AnyText: AnyCodec {
  static let samples: (SQLValue, SQLValue) = (.text("a"), .text("b"))
}

private enum AnyBlob: AnyCodec {
  static let samples: (SQLValue, SQLValue) = (.blob([0]), .blob([1]))
}

private protocol AnyCodec: ColumnCodec where Value == SQLValue {}

extension AnyCodec {
  static var sqlType: String { "ANY" }
  static var isNullable: Bool { true }

  static func read(_ row: inout RowReader, _ index: Int32) -> SQLValue {
    switch ExactValue(row, index) {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): .blob(bytes)
    }
  }

  static func bind(_ value: SQLValue, _ row: inout RowWriter, _ index: Int32) {
    value.bind(&row, index)
  }
}
