import Testing

@testable import Offshore

struct AuthorizerTests {
  private let test: TestConnection
  private var connection: Connection { test.connection }

  init() throws {
    test = try TestConnection(
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)",
      "CREATE VIEW shouts AS SELECT id, upper(text) AS shout FROM notes")
  }

  @Test(arguments: [
    "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "END", "ROLLBACK", "SAVEPOINT mine", "RELEASE offshore",
    "ROLLBACK TO offshore", "ATTACH ':memory:' AS other", "DETACH main", "  commit  ;",
    "/* */ COMMIT",
  ]) func `Transaction control is refused inside a write`(sql: String) throws {
    let error = databaseError {
      try connection.write { writer in
        try writer.run("INSERT INTO notes (text) VALUES ('lost')")
        try writer.run(SQL(raw: sql))
      }
    }
    #expect(error?.code == .transaction)
    #expect(try connection.number("SELECT count(*) FROM notes") == 0)
  }

  @Test(arguments: [
    "COMMIT", "ROLLBACK", "SAVEPOINT a",
  ]) func `Transaction control is refused inside a read`(sql: String) throws {
    let error = databaseError {
      try connection.read { reader in _ = try reader.connection.run(SQL(raw: sql)) }
    }
    #expect(error?.code == .transaction)
  }

  @Test(arguments: [
    ("BEGIN", "in a savepoint"), ("RELEASE x", "in a savepoint"),
    ("ATTACH ':memory:' AS x", "as a Database of its own"),
    ("PRAGMA synchronous = OFF", "“synchronous” cannot be set in a read or a write. Set it in"),
    ("PRAGMA wal_checkpoint", "Call Database.checkpoint(_:)."),
    ("PRAGMA incremental_vacuum(10)", "Call Database.vacuum()."),
  ]) func `A refusal says what to use`(sql: String, remedy: String) throws {
    for _ in 0..<2 {
      let error = databaseError { try connection.write { _ = try $0.run(SQL(raw: sql)) } }
      #expect(error?.message.contains(remedy) == true, "\(error?.message ?? "nothing")")
      #expect(error?.sql == sql)
    }
    // Other refusals by SQLite keep their own message.
    let missing = databaseError { try connection.write { _ = try $0.run("DELETE FROM nothing") } }
    #expect(missing?.code == .invalidSQL)
  }

  @Test func `A reader or writer that is used after its closure is refused`() throws {
    var kept: [Reader] = []
    try connection.read { kept.append($0) }
    try connection.write { kept.append($0) }
    let failed = databaseError {
      try connection.write { writer in
        kept.append(writer)
        throw DatabaseError(.other, "")
      }
    }
    #expect(failed?.code == .other && kept.count == 3)
    for reader in kept {
      let error = databaseError { _ = try SQL("SELECT 1").first(reader, as: Int.self) }
      #expect(error?.code == .transaction)
      #expect(error?.message.contains("after the end of its closure") == true)
    }
    for writer in kept.compactMap({ $0 as? Writer }) {
      let error = databaseError { _ = try writer.run("INSERT INTO notes (text) VALUES ('late')") }
      #expect(error?.code == .transaction)
      #expect(databaseError { try writer.savepoint { _ in } }?.code == .transaction)
    }
    #expect(try connection.number("SELECT count(*) FROM notes") == 0)
  }

  @Test func `A writer of a migration is refused after its closure`() throws {
    nonisolated(unsafe) var kept: Writer?
    try connection.migrate([Migration("v1") { kept = $0 }])
    let writer = try #require(kept)
    let error = databaseError { _ = try writer.run("INSERT INTO notes (text) VALUES ('late')") }
    #expect(error?.code == .transaction)
    #expect(try connection.number("SELECT count(*) FROM notes") == 0)
  }

  @Test func `A write continues after a refused statement`() throws {
    try connection.write { writer in
      _ = try? writer.run("COMMIT")
      try writer.run("INSERT INTO notes (text) VALUES ('kept')")
    }
    #expect(try connection.texts("SELECT text FROM notes") == ["kept"])
  }

  @Test(arguments: [
    "PRAGMA journal_mode = DELETE", "PRAGMA synchronous = OFF", "PRAGMA foreign_keys = OFF",
    "PRAGMA writable_schema = ON", "PRAGMA recursive_triggers(0)", "PRAGMA Journal_Mode=TRUNCATE",
    "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA ignore_check_constraints = 1",
  ]) func `A pragma that sets a value is refused inside a closure`(sql: String) throws {
    let error = databaseError { try connection.write { _ = try $0.run(SQL(raw: sql)) } }
    #expect(error?.code == .transaction)
    #expect(try connection.texts("PRAGMA journal_mode") == ["wal"])
    #expect(try connection.number("PRAGMA foreign_keys") == 1)
  }

  @Test(arguments: [
    "PRAGMA table_info(notes)", "PRAGMA table_xinfo('notes')", "PRAGMA index_list(notes)",
    "PRAGMA foreign_key_list(notes)", "PRAGMA integrity_check(10)",
    "PRAGMA foreign_keys", "PRAGMA user_version", "SELECT * FROM pragma_table_info('notes')",
  ]) func `A pragma that reads a value is allowed inside a closure`(sql: String) throws {
    try connection.read { reader in _ = try reader.connection.run(SQL(raw: sql)) }
  }

  @Test func `Reference checks may be deferred for one write`() throws {
    try connection.execute("CREATE TABLE pages (id INTEGER PRIMARY KEY, note REFERENCES notes(id))")
    try connection.write { writer in
      try writer.run("PRAGMA defer_foreign_keys = ON")
      try writer.run("INSERT INTO pages VALUES (1, 5)")
      try writer.run("INSERT INTO notes VALUES (5, '')")
    }
    #expect(try connection.number("SELECT count(*) FROM pages") == 1)
  }

  @Test func `A statement that was prepared outside is not allowed because it is cached`() throws {
    try connection.execute("PRAGMA synchronous = NORMAL")
    let error = databaseError {
      try connection.write { _ = try $0.run("PRAGMA synchronous = NORMAL") }
    }
    #expect(error?.code == .transaction)
  }

  // MARK: - Columns that statements read and change

  private func region(_ sql: String) throws -> [String: Set<String>] {
    try connection.prepare(sql).0.region.columns
  }

  private func effect(_ sql: String) throws -> Effect { try connection.prepare(sql).0.effect }

  @Test func `A query reads the columns that it names in results and conditions`() throws {
    #expect(try region("SELECT text FROM notes WHERE id = 1")["notes"] == ["text", "id"])
    #expect(try region("SELECT id FROM notes")["notes"]?.contains("id") == true)
    #expect(try region("SELECT rowid FROM notes")["notes"]?.contains("id") == true)
  }

  @Test func `A count reads the table but no column`() throws {
    #expect(try region("SELECT count(*) FROM notes") == ["notes": [""]])
  }

  @Test(arguments: [
    "SELECT shout FROM shouts",
    "WITH n AS (SELECT text FROM notes) SELECT 1 FROM n WHERE text = ''",
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM notes WHERE text = '')",
    "SELECT (SELECT max(text) FROM notes)",
  ]) func `Reads through views, common table expressions and subqueries are recorded`(sql: String)
    throws
  {
    #expect(try region(sql)["notes"]?.contains("text") == true)
  }

  @Test func `An insert only adds rows`() throws {
    let effect = try effect("INSERT INTO notes (text) VALUES ('a')")
    #expect(effect.rows == ["notes"])
    #expect(effect.onlyAdds)
  }

  @Test func `An update changes its columns`() throws {
    let effect = try effect("UPDATE notes SET text = '' WHERE id = 1")
    #expect(effect.columns == ["notes": ["text"]])
    #expect(effect.rows.isEmpty)
    #expect(!effect.onlyAdds)
  }

  @Test func `A delete without a condition removes rows`() throws {
    let effect = try effect("DELETE FROM notes")
    #expect(effect.rows == ["notes"])
    #expect(!effect.onlyAdds)
  }

  @Test func `Changes by triggers and cascades are recorded as well`() throws {
    try connection.execute("CREATE TABLE log (text TEXT)")
    try connection.execute(
      "CREATE TABLE pages (id INTEGER PRIMARY KEY, note REFERENCES notes(id) ON DELETE CASCADE)")
    try connection.execute(
      "CREATE TRIGGER keep AFTER DELETE ON notes BEGIN INSERT INTO log VALUES (old.text); END")
    #expect(try effect("DELETE FROM notes WHERE id = 1").rows == ["notes", "log", "pages"])
  }

  @Test(arguments: [
    "REPLACE INTO notes VALUES (1, '')", "INSERT OR REPLACE INTO notes VALUES (1, '')",
    "UPDATE OR REPLACE notes SET text = ''", "UPDATE notes SET id = id + 1",
  ]) func `A statement that replaces rows or changes keys may hide rows`(sql: String) throws {
    #expect(try effect(sql).hidesRows)
  }

  @Test(arguments: [
    "CREATE TABLE other (x)", "DROP TABLE notes", "ALTER TABLE notes ADD COLUMN x",
    "CREATE INDEX i ON notes (text)", "DROP VIEW shouts", "CREATE VIEW w AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT 1; END", "CREATE TEMP TABLE t (x)",
  ]) func `A change of the schema is recognized`(sql: String) throws {
    #expect(try effect(sql).changesSchema)
  }

  @Test func `A query changes nothing`() throws {
    let effect = try effect("SELECT * FROM notes")
    #expect(effect.tables.isEmpty && !effect.changesSchema && !effect.namesRows)
  }
}
