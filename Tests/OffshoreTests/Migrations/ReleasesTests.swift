import OffshoreTesting
import TestSupport
import Testing

@testable import Offshore

// Four releases of one app: the declaration changes, and the steps stay as they were written.

private protocol Release: Record {
  static var number: Int { get }
  static var text: TextIndex<Self> { get }
  static func row(_ id: Int) -> Self
}

private struct FirstVoyage: Release {
  var id: Int
  var name: String
  var guests: String

  static let number = 1
  static func row(_ id: Int) -> Self { Self(id: id, name: "Voyage \(id)", guests: "\(id)") }
  static let table = Table(
    "voyages", FirstVoyage.init, Column("id", \.id).primaryKey(),
    Column("name", \.name).indexed(), Column("guests", \.guests))
  static let text = TextIndex(of: table, \.name)
}

private struct SecondVoyage: Release {
  var id: Int
  var name: String
  var guests: String
  var note: String?

  static let number = 2
  static func row(_ id: Int) -> Self {
    Self(id: id, name: "Voyage \(id)", guests: "\(id)", note: "Note \(id)")
  }
  static let table = Table(
    "voyages", SecondVoyage.init, Column("id", \.id).primaryKey(),
    Column("name", \.name).indexed(), Column("guests", \.guests), Column("note", \.note))
  static let text = TextIndex(of: table, \.name)
}

private struct ThirdVoyage: Release {
  var id: Int
  var title: String
  var guests: String
  var note: String?

  static let number = 3
  static func row(_ id: Int) -> Self {
    Self(id: id, title: "Voyage \(id)", guests: "\(id)", note: "Note \(id)")
  }
  static let table = Table(
    "voyages", ThirdVoyage.init, Column("id", \.id).primaryKey(),
    Column("title", \.title).indexed(), Column("guests", \.guests), Column("note", \.note))
  static let text = TextIndex(of: table, \.title)
}

private struct FourthVoyage: Release, Equatable {
  var id: Int
  var title: String
  var guests: Int
  var note: String

  static let number = 4
  static func row(_ id: Int) -> Self {
    Self(id: id, title: "Voyage \(id)", guests: id, note: "Note \(id)")
  }
  static let table = Table(
    "voyages", FourthVoyage.init, Column("id", \.id).primaryKey(),
    Column("title", \.title).indexed(), Column("guests", \.guests).check("guests >= 0"),
    Column("note", \.note))
  static let text = TextIndex(of: table, \.title, \.note)
}

struct ReleasesTests {
  private static let releases: [any Release.Type] = [
    FirstVoyage.self, SecondVoyage.self, ThirdVoyage.self, FourthVoyage.self,
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the migrations of a release, which differ from those of the next only in the
  /// declaration.
  private static func migrations<Row: Release>(_ release: Row.Type) -> Migrations {
    let all = [
      Migration(
        "v1_create", .create(Row.table),
        .sql("INSERT INTO voyages (id, name, guests) VALUES (1, 'Seed', '2')")),
      Migration(
        "v2_addNote", .addColumn("note", to: Row.table),
        .sql("UPDATE voyages SET note = name || '!' WHERE id = 1"), .create(Row.text)),
      Migration(
        "v3_renameName", .drop(Row.text), .renameColumn("name", to: "title", in: Row.table),
        .create(Row.text)),
      Migration(
        "v4_countGuests",
        .rebuild(
          Row.table, formerDefinitions: ["guests": "TEXT NOT NULL", "note": "TEXT"],
          copying: ["guests": "CAST(guests AS INTEGER)", "note": "ifnull(note, 'Note ' || id)"]),
        .drop(Row.text), .create(Row.text)),
    ]
    return Migrations(Array(all.prefix(Row.number)))
  }

  private func schema(_ connection: Connection) throws -> Schema {
    try connection.read { try Schema($0) }
  }

  private func newFile() throws -> Schema {
    let connection = try Connection(folder.file("new.sqlite"))
    try connection.migrate(Self.migrations(FourthVoyage.self))
    return try schema(connection)
  }

  private func fill<Row: Release>(_ release: Row.Type, _ connection: Connection) throws {
    try connection.migrate(Self.migrations(release))
    try connection.write { writer in for id in 2...9 { try Row.row(id).insert(writer) } }
  }

  @Test(arguments: 0..<4) func `A file of each release becomes equal to a new one`(_ start: Int)
    throws
  {
    let connection = try Connection(folder.file("app.sqlite"))
    try fill(Self.releases[start], connection)
    for release in Self.releases[start...] { try connection.migrate(Self.migrations(release)) }
    #expect(try schema(connection) == newFile())
    #expect(try schema(connection).differences(from: [FourthVoyage.self]) == [])
    let rows = try connection.read { try FourthVoyage.order { $0.id }.all($0) }
    let seed = FourthVoyage(id: 1, title: "Seed", guests: 2, note: "Seed!")
    #expect(rows == [seed] + (2...9).map(FourthVoyage.row))
    try expectTextIndex(connection)
  }

  @Test(arguments: 0..<4) func `Releases may be skipped`(_ start: Int) throws {
    let connection = try Connection(folder.file("app.sqlite"))
    try fill(Self.releases[start], connection)
    try connection.migrate(Self.migrations(FourthVoyage.self))
    #expect(try schema(connection) == newFile())
    #expect(try connection.read { try FourthVoyage.all.count($0) } == 9)
    try expectTextIndex(connection)
  }

  /// Expects that the words of all rows are found, in both columns.
  private func expectTextIndex(_ connection: Connection) throws {
    func count(_ text: String) throws -> Int {
      try connection.read { try FourthVoyage.matching(text, in: FourthVoyage.text).count($0) }
    }
    #expect(try count("voyage") == 8 && count("note") == 8)
    #expect(try count("seed") == 1)
    try connection.write { try $0.verify(FourthVoyage.text) }
  }

  @Test func `Closures create tables in the form of their release, too`() throws {
    let connection = try Connection(folder.file("app.sqlite"))
    let steps = Self.migrations(SecondVoyage.self).all
    try connection.migrate([
      Migration(steps[0].name) { writer in
        try writer.create(SecondVoyage.table)
        let columns = try writer.connection.texts("SELECT name FROM pragma_table_info('voyages')")
        #expect(columns == ["id", "name", "guests"])
      }, steps[1],
    ])
    #expect(
      try connection.texts("SELECT name FROM pragma_table_info('voyages')")
        == ["id", "name", "guests", "note"])
  }

  @Test func `Every release verifies all earlier ones`() throws {
    var snapshots: [String: SchemaSnapshot] = [:]
    for release in Self.releases {
      let connection = try Connection(folder.file("\(release.number).sqlite"))
      try connection.migrate(Self.migrations(release))
      snapshots["\(release.number).0"] = try connection.read { try SchemaSnapshot($0) }
    }
    let problems = try MigrationProof(
      Self.migrations(FourthVoyage.self), records: [FourthVoyage.self]
    ).problems(startingFrom: snapshots, in: folder.path) { version, writer in
      let name = version < "3.0" ? "name" : "title"
      let note = version < "2.0" ? "" : ", note"
      try writer.connection.run(
        SQL(
          raw: "INSERT INTO voyages (id, \(name), guests\(note)) VALUES (7, 'x', 3"
            + (note.isEmpty ? ")" : ", 'y')")))
    }
    #expect(problems == [])
  }
}
