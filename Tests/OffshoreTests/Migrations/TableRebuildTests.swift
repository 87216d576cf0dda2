import Foundation
import OffshoreTesting
import TestSupport
import Testing

@testable import Offshore

struct TableRebuildTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("app.sqlite"))
  }

  private static let tables: SQL = """
    CREATE TABLE charters (
      id TEXT PRIMARY KEY, name TEXT, guests INTEGER, leader TEXT REFERENCES charters (id));
    CREATE INDEX idx_charters_name ON charters (name COLLATE NOCASE) WHERE guests > 0;
    CREATE TABLE crew (
      charter TEXT NOT NULL REFERENCES charters (id) ON DELETE CASCADE, person TEXT);
    CREATE TABLE log (line TEXT);
    CREATE VIEW names AS SELECT name FROM charters;
    CREATE TRIGGER log_new AFTER INSERT ON charters BEGIN
      INSERT INTO log VALUES ('new ' || new.id);
    END;
    CREATE TRIGGER crew_gone AFTER DELETE ON crew BEGIN
      UPDATE charters SET guests = guests - 1 WHERE id = old.charter;
    END;
    INSERT INTO charters (rowid, id, name, guests, leader) VALUES
      (10, 'a', 'Alma', 4, NULL), (20, 'b', 'Brise', NULL, 'a');
    INSERT INTO crew VALUES ('a', 'Ada'), ('b', 'Ben');
    """

  /// Creates the tables in a first migration and changes them in a second.
  private func migrate(
    from tables: SQL = Self.tables, _ change: @escaping @Sendable (Writer) throws -> Void
  ) throws {
    try connection.migrate([
      Migration("v1") { _ = try $0.connection.run(tables) }, Migration("v2", change),
    ])
  }

  private static let creation = """
    CREATE TABLE charters (
      id TEXT PRIMARY KEY NOT NULL,
      title TEXT NOT NULL,
      guests INTEGER NOT NULL DEFAULT 2,
      name TEXT,
      leader TEXT REFERENCES charters (id)
    )
    """

  private func rebuild() throws {
    try migrate { writer in
      try writer.rebuild(
        "charters", as: Self.creation,
        copying: ["title": "upper(name)", "guests": "coalesce(guests, 0)"])
    }
  }

  @Test func `Rows are copied by name or by expression`() throws {
    try rebuild()
    let rows = try connection.texts(
      "SELECT printf('%s|%s|%s|%s|%s', id, title, guests, name, leader) FROM charters"
    )
    #expect(rows == ["a|ALMA|4|Alma|", "b|BRISE|0|Brise|a"])
  }

  @Test func `Row ids are preserved`() throws {
    try rebuild()
    let ids = try connection.fetch("SELECT rowid FROM charters") { try $0.value(Int.self) }
    #expect(ids == [10, 20])
  }

  @Test func `Rows of other tables stay, and their references still work`() throws {
    try rebuild()
    #expect(try connection.texts("SELECT person FROM crew") == ["Ada", "Ben"])
    try connection.change("DELETE FROM charters WHERE id = 'b'")
    #expect(try connection.texts("SELECT person FROM crew") == ["Ada"])
  }

  @Test func `References of the table and to it keep their targets`() throws {
    try rebuild()
    let schema = try Schema(connection)
    #expect(schema.table("charters")?.foreignKeys.first?.table == "charters")
    #expect(schema.table("crew")?.foreignKeys.first?.table == "charters")
    let error = databaseError {
      try connection.change(
        "INSERT INTO charters (id, title, leader) VALUES ('c', 'x', 'nobody')")
    }
    #expect(error != nil)
  }

  @Test func `Indexes, triggers and views are preserved`() throws {
    try connection.migrate([Migration("v1") { _ = try $0.connection.run(Self.tables) }])
    let before = try Schema(connection)
    try rebuild()
    let after = try Schema(connection)
    #expect(after.objects == before.objects)
    #expect(after.table("charters")?.indexes == before.table("charters")?.indexes)
    #expect(after.table("crew") == before.table("crew"))
  }

  @Test func `Copying fires no trigger, and later inserts do`() throws {
    try rebuild()
    #expect(try connection.texts("SELECT line FROM log") == ["new a", "new b"])
    try connection.change("INSERT INTO charters (id, title) VALUES ('c', 'Cap')")
    #expect(try connection.texts("SELECT line FROM log") == ["new a", "new b", "new c"])
  }

  @Test func `The new schema is the requested one`() throws {
    try rebuild()
    let sql = try connection.texts("SELECT sql FROM sqlite_schema WHERE name = 'charters'")
    #expect(SQLTokens(sql[0]) == SQLTokens(Self.creation))
    #expect(
      try connection.number("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%rebuilt%'") == 0)
    #expect(try connection.number("PRAGMA legacy_alter_table") == 0)
  }

  @Test func `Further statements run afterwards, and their index replaces one of its name`() throws
  {
    try migrate { writer in
      try writer.rebuild(
        "charters",
        as: """
          CREATE TABLE "charters" (id TEXT PRIMARY KEY NOT NULL, name TEXT, guests INTEGER);
          CREATE UNIQUE INDEX idx_charters_name ON charters (name); -- one a name
          """)
    }
    let table = try #require(try Schema(connection).table("charters"))
    #expect(table.indexes.map(\.name) == ["idx_charters_name"])
    #expect(table.indexes.allSatisfy { $0.isUnique && $0.columns == ["name"] })
  }

  @Test func `Rows that were inserted without a key keep their row ids`() throws {
    try migrate(from: "CREATE TABLE log (line TEXT, rowid TEXT)") { writer in
      try writer.connection.run("INSERT INTO log (oid, line, rowid) VALUES (5, 'x', 'taken')")
      try writer.rebuild("log", as: "CREATE TABLE log (line TEXT NOT NULL, rowid TEXT)")
    }
    #expect(try connection.number("SELECT oid FROM log") == 5)
    #expect(try connection.texts("SELECT rowid FROM log") == ["taken"])
  }

  @Test func `A table can lose its row ids and gain them`() throws {
    try migrate { writer in
      try writer.rebuild(
        "charters",
        as: "CREATE TABLE charters (id TEXT PRIMARY KEY, name TEXT, guests INTEGER) WITHOUT ROWID")
      try writer.rebuild(
        "charters", as: "CREATE TABLE charters (id TEXT PRIMARY KEY, name TEXT, guests INTEGER)")
    }
    #expect(try connection.texts("SELECT id FROM charters") == ["a", "b"])
  }

  @Test func `A number that was used once is not used again`() throws {
    let tables: SQL = """
      CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT);
      INSERT INTO jobs VALUES (1, 'x'), (40, 'y');
      DELETE FROM jobs WHERE id = 40;
      """
    try migrate(from: tables) { writer in
      try writer.rebuild(
        "jobs", as: "CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL)")
      try writer.connection.run("INSERT INTO jobs (what) VALUES ('z')")
    }
    let ids = try connection.fetch("SELECT id FROM jobs") { try $0.value(Int.self) }
    #expect(ids == [1, 41])
  }

  @Test func `Generated columns are computed again`() throws {
    try migrate(from: "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (3)") { writer in
      try writer.rebuild("a", as: "CREATE TABLE a (x INTEGER, y AS (x * 2), z AS (x * 3) STORED)")
      try writer.rebuild("a", as: "CREATE TABLE a (x INTEGER NOT NULL, z AS (x * 3) STORED)")
    }
    #expect(try connection.number("SELECT z FROM a") == 9)
  }

  @Test func `Names that need quotes are allowed`() throws {
    try migrate(from: #"CREATE TABLE "a ""b"" c" ("it's" TEXT)"#) { writer in
      try writer.connection.run(#"INSERT INTO "a ""b"" c" VALUES ('x')"#)
      try writer.rebuild(
        #"a "b" c"#, as: #"CREATE TABLE "a ""b"" c" ("it's" TEXT NOT NULL, "new" INTEGER)"#,
        copying: ["new": "1"])
    }
    #expect(try connection.texts(#"SELECT "it's" FROM "a ""b"" c""#) == ["x"])
  }

  // MARK: - Refused rebuilds

  /// Returns the error of a second migration.
  private func failure(_ change: @escaping @Sendable (Writer) throws -> Void) throws
    -> DatabaseError
  {
    let error = databaseError { try migrate(change) }
    return try #require(error?.cause as? DatabaseError)
  }

  @Test func `A row that the new schema refuses fails the migration with the column`() throws {
    let error = try failure { writer in
      try writer.rebuild(
        "charters",
        as: "CREATE TABLE charters (id TEXT PRIMARY KEY, name TEXT, guests INTEGER NOT NULL)")
    }
    #expect(error.code == .constraint)
    #expect(error.column == "guests")
    #expect(try connection.number("SELECT count(*) FROM charters WHERE guests IS NULL") == 1)
  }

  @Test func `An index over a removed column is named`() throws {
    let error = try failure { writer in
      try writer.rebuild("charters", as: "CREATE TABLE charters (id TEXT PRIMARY KEY, name TEXT)")
    }
    #expect(error.message.hasPrefix("“idx_charters_name” does not fit") == true)
    #expect(error.message.contains("guests"))
  }

  @Test func `A view of a removed column fails the migration`() throws {
    let error = try failure { writer in
      try writer.connection.run("DROP INDEX idx_charters_name")
      try writer.rebuild(
        "charters", as: "CREATE TABLE charters (id TEXT PRIMARY KEY, guests INTEGER)")
    }
    #expect(error.message.contains("view names"))
  }

  @Test func `A trigger on another table that sets a removed column fails the migration`() throws {
    let error = try failure { writer in
      try writer.connection.run("DROP INDEX idx_charters_name")
      try writer.rebuild("charters", as: "CREATE TABLE charters (id TEXT PRIMARY KEY, name TEXT)")
    }
    #expect(error.message.contains("trigger crew_gone: no such column: guests"))
  }

  @Test
  func `Outside a migration a rebuild is refused, because dropping would delete referring rows`()
    throws
  {
    try migrate { _ in }
    let error = databaseError {
      try connection.write { try $0.rebuild("charters", as: Self.creation) }
    }
    #expect(error?.code == .transaction)
    #expect(try connection.number("SELECT count(*) FROM crew") == 2)
  }

  @Test(arguments: [
    "CREATE TABLE other (id TEXT)", "CREATE TABLE charters AS SELECT 1", "DROP TABLE charters", "",
    "CREATE TEMP TABLE charters (id TEXT)", "CREATE VIEW charters AS SELECT 1",
  ])
  func `A script that does not begin by creating the table is refused`(_ script: String) throws {
    let error = try failure { try $0.rebuild("charters", as: script) }
    #expect(error.code == .declaration)
    #expect(try connection.number("SELECT count(*) FROM charters") == 2)
  }

  @Test func `An expression for a missing column is refused`() throws {
    let error = try failure { writer in
      try writer.rebuild(
        "charters", as: "CREATE TABLE charters (id TEXT PRIMARY KEY)", copying: ["titel": "name"])
    }
    #expect(error.code == .declaration)
    #expect(error.message.contains("“titel”"))
  }

  @Test func `A missing table cannot be rebuilt`() throws {
    let error = try failure { try $0.rebuild("boats", as: "CREATE TABLE boats (id TEXT)") }
    #expect(error.code == .notFound)
  }
}
