import OffshoreTesting
import TestSupport
import Testing

@testable import Offshore

private struct Item: Record, Identifiable, Equatable {
  var id: Int
  var name: String
  var note: String?
  var boat: Int
  var code: String

  static let table = Table(
    "items", Item.init, Column("id", \.id).primaryKey(), Column("name", \.name).indexed(),
    Column("note", \.note), Column("boat", \.boat).references("boats", onDelete: .cascade),
    Column("code", \.code).unique())
}

private struct Mooring: Record {
  var id: String
  var name: String

  static let table = Table(
    "berths", Mooring.init, Column("id", \.id).primaryKey(), Column("name", \.name).indexed())
}

private struct Own: Record {
  var id: Int
  static let table = Table("_own", Own.init, Column("id", \.id).primaryKey())
}

struct TableComparisonTests {
  private static let right: SQL = """
    CREATE TABLE items (
      code TEXT NOT NULL, id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '', note TEXT,
      boat INTEGER NOT NULL REFERENCES boats (id), both TEXT AS (name || note));
    CREATE INDEX own ON items (name);
    CREATE UNIQUE INDEX codes ON items (code)
    """

  private func sentences(_ creation: SQL) throws -> [String] {
    let test = try TestConnection(creation)
    return try TableComparison(TableDeclaration(Item.table), test.connection).sentences()
  }

  @Test func `A matching table has no differences`() throws {
    #expect(try sentences(Self.right) == [])
  }

  @Test func `A missing table`() throws {
    #expect(
      try sentences("CREATE TABLE other (x)")
        == ["The file has no table “items”. Add a migration that creates it."])
  }

  @Test func `All differences are reported at once`() throws {
    #expect(
      try sentences(
        """
        CREATE TABLE items (
          id INTEGER PRIMARY KEY, name TEXT, note REAL NOT NULL, legacy, code TEXT NOT NULL)
        """) == [
          "“items” has no column “boat”. Add a migration: .addColumn(\"boat\", to: …).",
          "“items.name” may not be NULL by declaration, and may be NULL in the file. "
            + "Add a migration: .rebuild(…).",
          "“items.note” is TEXT by declaration, and is REAL in the file. "
            + "Add a migration: .rebuild(…).",
          "“items.note” may be NULL by declaration, and may not be NULL in the file. "
            + "Add a migration: .rebuild(…).",
          "“items” has no unique index over code. Add a migration: .rebuild(…).",
          "“items” has no index over name. "
            + "Add a migration: .createIndex(\"idx_items_name\", on: …).",
          "“items.boat” refers to “boats” by declaration, and does not in the file. "
            + "Add a migration: .rebuild(…).",
          "“items” has a column “legacy” that is not declared. Declare it, or add a migration: "
            + ".dropColumn(\"legacy\", from: …, formerDefinition: …).",
        ])
  }

  @Test func `An index that has the name of a declared one is dropped before that is created`()
    throws
  {
    let name = "idx_berths_name"
    let cases: [(index: SQL, content: String, remedy: String, step: MigrationStep)] = [
      (
        "CREATE INDEX idx_berths_name ON berths (name)", "name",
        ".dropIndex(\"idx_berths_name\", on: …, columns: [\"name\"])",
        .dropIndex(name, on: Mooring.table, columns: ["name"])
      ),
      (
        "CREATE UNIQUE INDEX idx_berths_name ON berths (name, id)", "name, id",
        ".dropIndex(\"idx_berths_name\", on: …, columns: [\"name\", \"id\"], isUnique: true)",
        .dropIndex(name, on: Mooring.table, columns: ["name", "id"], isUnique: true)
      ),
      (
        "CREATE INDEX idx_berths_name ON berths (name, id) WHERE id > ''", "other rows or values",
        ".sql(\"DROP INDEX IF EXISTS idx_berths_name\")",
        .sql("DROP INDEX IF EXISTS idx_berths_name")
      ),
    ]
    for (index, content, remedy, step) in cases {
      let test = try TestConnection(
        "CREATE TABLE berths (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL)", index)
      func sentences() throws -> [String] {
        try TableComparison(TableDeclaration(Mooring.table), test.connection).sentences()
      }
      #expect(
        try sentences() == [
          "“berths” has no index over name, id, but “idx_berths_name” over \(content). "
            + "Add a migration: \(remedy), .createIndex(\"idx_berths_name\", on: …)."
        ])
      let create = Migration("v1", .create(Mooring.table))
      let remove = Migration("v2", step, .createIndex(name, on: Mooring.table))
      // The file of a release that had the other index.
      try test.connection.migrate([Migration("v1") { _ in }])
      try test.connection.migrate([create, remove])
      #expect(try sentences() == [])
      let new = try TestConnection()
      try new.connection.migrate([create, remove])
      #expect(
        try new.connection.read { try Schema($0) } == test.connection.read { try Schema($0) })
    }
  }

  @Test func `Tables of the library's own are not compared`() throws {
    let test = try TestConnection("CREATE TABLE _own (x)")
    #expect(try TableComparison(TableDeclaration(Own.table), test.connection).sentences() == [])
  }

  // MARK: - After migrating

  @Test func `A debug build compares the tables of steps after migrating`() throws {
    let folder = try TemporaryFolder()
    let problems = Problems()
    var configuration = DatabaseConfiguration()
    configuration.reportProblem = { problems.add($0) }
    let connection = try Connection(folder.file("a.sqlite"), configuration: configuration)
    try connection.migrate([
      Migration("v1", .sql("CREATE TABLE boats (id INTEGER PRIMARY KEY)"), .sql(Self.right)),
      Migration(
        "v2", .sql("ALTER TABLE items DROP COLUMN both; DROP INDEX own"),
        .sql("ALTER TABLE items DROP COLUMN note")),
    ])
    #expect(problems.all == [])
    let before: Migrations = [Migration("v1") { _ in }, Migration("v2") { _ in }]
    try connection.migrate(Migrations(before.all + [Migration("v3") { _ in }]))
    // The file's migration declares the table, but did something else.
    try connection.migrate(Migrations(before.all + [Migration("v3", .rebuild(Item.table))]))
    #if DEBUG
      #expect(problems.all.count == 2)
      #expect(problems.all.first?.contains("“items” has no column “note”") == true)
    #else
      #expect(problems.all == [])
    #endif
  }

  // MARK: - When a table is used

  @Test func `A column without a migration is named in place of SQLite's message`() throws {
    let test = try TestConnection("CREATE TABLE items (id INTEGER PRIMARY KEY, name, code)")
    let message =
      "“items” has no column “note”. Add a migration: .addColumn(\"note\", to: …). "
      + "“items” has no column “boat”. Add a migration: .addColumn(\"boat\", to: …)."
    let item = Item(id: 1, name: "", note: nil, boat: 1, code: "")
    let errors = [
      databaseError { _ = try test.connection.read { try Item.all.all($0) } },
      databaseError { _ = try test.connection.read { try Item.find(1).first($0) } },
      databaseError { _ = try test.connection.read { try Item.order { $0.id }.first($0) } },
      databaseError { try test.connection.write { try item.insert($0) } },
      databaseError { try test.connection.write { try item.update($0) } },
    ]
    for error in errors {
      #expect(error?.code == .invalidSQL)
      #expect(error?.table == "items")
      #expect(error?.message == message)
      #expect((error?.cause as? DatabaseError)?.message.hasPrefix("SQLite refused") == true)
    }
  }

  @Test func `A table without a migration is named, and other errors are SQLite's`() throws {
    let test = try TestConnection("CREATE TABLE other (x)")
    let missing = databaseError { _ = try test.connection.read { try Item.all.all($0) } }
    #expect(missing?.message == "The file has no table “items”. Add a migration that creates it.")
    try test.connection.execute(Self.right)
    let wrong = databaseError {
      _ = try test.connection.read { try SQL("SELECT zzz FROM items").all($0, as: Item.self) }
    }
    #expect(wrong?.code == .invalidSQL)
    #expect(wrong?.message.contains("no such column: zzz") == true)
  }
}
