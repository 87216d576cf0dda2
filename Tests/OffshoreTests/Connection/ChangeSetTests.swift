import Testing

@testable import Offshore

struct ChangeSetTests {
  private struct Refusal: Error {}

  /// The change sets of all commits, in order.
  private final class Log {
    var changes: [ChangeSet] = []
  }

  private let test: TestConnection
  private let log = Log()
  private var connection: Connection { test.connection }

  init() throws {
    test = try TestConnection(
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE, rank INTEGER DEFAULT 0)",
      """
      CREATE TABLE pages (
        id INTEGER PRIMARY KEY,
        note INTEGER REFERENCES notes(id) ON DELETE CASCADE ON UPDATE CASCADE)
      """,
      "CREATE TABLE tags (name TEXT PRIMARY KEY, color TEXT) WITHOUT ROWID",
      "INSERT INTO notes (id, text) VALUES (1, 'a'), (2, 'b'), (3, 'c')",
      "INSERT INTO pages VALUES (10, 1), (11, 1), (12, 2)",
      "INSERT INTO tags VALUES ('red', '#f00'), ('blue', '#00f')")
    connection.afterCommit = { [log] in log.changes.append($0) }
  }

  /// Runs statements in one write and returns its change set, or `nil` if it has none.
  private func change(_ statements: SQL...) throws -> ChangeSet? {
    log.changes = []
    try connection.write { writer in
      for sql in statements { try writer.run(sql) }
    }
    #expect(log.changes.count <= 1)
    return log.changes.first
  }

  @Test func `An insert adds rows to its table and names no existing row`() throws {
    let change = try #require(try change("INSERT INTO notes (text) VALUES ('d')"))
    #expect(Array(change.tables.keys) == ["notes"])
    #expect(change.tables["notes"]?.addsOrRemovesRows == true)
    #expect(change.tables["notes"]?.columns == [])
    #expect(change.tables["notes"]?.rowIDs == [])
    #expect(!change.changesSchema)
  }

  @Test func `An update names its columns and the rows that it changed`() throws {
    let change = try #require(try change("UPDATE notes SET rank = 5 WHERE id IN (1, 3)"))
    #expect(change.tables["notes"]?.columns == ["rank"])
    #expect(change.tables["notes"]?.rowIDs == [1, 3])
    #expect(change.tables["notes"]?.addsOrRemovesRows == false)
  }

  @Test func `Equal statements name all their rows, except those of a rolled back savepoint`()
    throws
  {
    try connection.write { writer in
      func rank(_ id: Int) throws {
        try SQL("UPDATE notes SET rank = 9 WHERE id = \(id)").run(writer)
      }
      try rank(1)
      try? writer.savepoint { _ in
        try rank(2)
        throw Refusal()
      }
      try writer.savepoint { _ in try rank(3) }
      try rank(3)
    }
    #expect(log.changes.map { $0.tables["notes"]?.rowIDs } == [[1, 3]])
  }

  @Test func `Rows are named up to a limit, however many statements change them`() throws {
    let rows = 4_097
    try connection.write { writer in
      for id in 100..<(100 + rows) { try SQL("INSERT INTO notes (id) VALUES (\(id))").run(writer) }
    }
    for count in [rows - 1, rows] {
      log.changes = []
      try connection.write { writer in
        for id in 100..<(100 + count) {
          try SQL("UPDATE notes SET rank = 1 WHERE id = \(id)").run(writer)
        }
      }
      #expect(log.changes.map { $0.tables["notes"]?.rowIDs?.count } == [count < rows ? count : nil])
    }
  }

  @Test func `A delete names the deleted rows`() throws {
    let change = try #require(try change("DELETE FROM notes WHERE id = 3"))
    #expect(change.tables["notes"]?.addsOrRemovesRows == true)
    #expect(change.tables["notes"]?.rowIDs == [3])
  }

  @Test(arguments: [
    "UPDATE notes SET rank = 1 WHERE id = 99", "DELETE FROM notes WHERE id = 99",
    "INSERT OR IGNORE INTO notes (id, text) VALUES (1, 'x')",
    "INSERT INTO notes (id, text) VALUES (1, 'x') ON CONFLICT DO NOTHING", "SELECT 1",
  ]) func `A statement that matches no row changes nothing and is not reported`(sql: String)
    throws
  {
    #expect(try change(SQL(raw: sql)) == nil)
  }

  @Test func `Setting a value that a row already has counts as a change of the row`() throws {
    let change = try #require(try change("UPDATE notes SET rank = rank WHERE id = 2"))
    #expect(change.tables["notes"]?.rowIDs == [2])
  }

  @Test func `A cascade changes the other table as well`() throws {
    let change = try #require(try change("DELETE FROM notes WHERE id = 1"))
    #expect(change.tables["pages"]?.addsOrRemovesRows == true)
    // Either the rows are named, including the deleted ones, or any row may have changed.
    #expect(change.tables["pages"]?.rowIDs?.isSuperset(of: [10, 11]) ?? true)
    #expect(change.tables["notes"]?.rowIDs?.contains(1) ?? true)
  }

  @Test func `A cascading change of a key leaves no row out`() throws {
    let change = try #require(try change("UPDATE notes SET id = 100 WHERE id = 1"))
    let notes = try #require(change.tables["notes"])
    #expect(notes.rowIDs == nil || notes.movesRows)
    #expect(change.tables["pages"]?.columns.contains("note") == true)
  }

  @Test(arguments: [
    "rowid", "oid", "_ROWID_", "id",
  ]) func `A change of the row id affects observers that read it by its column name`(name: String)
    throws
  {
    let change = try #require(
      try change("UPDATE notes SET \(SQL(raw: name)) = 100 WHERE id = 3"))
    var byColumn = Region()
    byColumn.insert(table: "notes", column: "id")
    #expect(byColumn.cause(in: change) != nil)
    var byRow = Region()
    byRow.insert(Region.RowReference(table: "notes", rowID: 3), columns: ["id", "text"])
    #expect(byRow.cause(in: change) != nil)
  }

  @Test func `Changes by a trigger belong to the commit`() throws {
    try connection.execute(
      """
      CREATE TRIGGER rank AFTER UPDATE OF text ON notes
      BEGIN UPDATE tags SET color = new.text WHERE name = 'red'; END
      """)
    let change = try #require(try change("UPDATE notes SET text = 'z' WHERE id = 1"))
    #expect(change.tables["notes"]?.columns == ["text"])
    #expect(change.tables["tags"]?.columns == ["color"])
    // The table has no row ids, so any row of it may have changed.
    #expect(change.tables["tags"]?.rowIDs == nil)
  }

  @Test func `A trigger whose condition is false does not change its table`() throws {
    try connection.execute(
      """
      CREATE TRIGGER rank AFTER UPDATE ON notes WHEN new.text = 'never'
      BEGIN DELETE FROM pages WHERE id = 10; END
      """)
    let change = try #require(try change("UPDATE notes SET text = 'z' WHERE id = 1"))
    #expect(change.tables["notes"]?.columns == ["text"])
    #expect(change.tables["pages"] == nil)
  }

  @Test func `A delete of all rows affects every row`() throws {
    try connection.execute("CREATE TABLE plain (x)")
    _ = try change("INSERT INTO plain VALUES (1), (2)")
    for (table, ids) in [("tags", nil), ("plain", [1, 2])] as [(String, Set<Int64>?)] {
      let change = try #require(try change("DELETE FROM \(identifier: table)"))
      #expect(change.tables[table]?.addsOrRemovesRows == true)
      let named = change.tables[table]?.rowIDs
      #expect(named == nil || named == ids)
    }
  }

  @Test func `A row that replaces others affects any row`() throws {
    let change = try #require(try change("REPLACE INTO notes (id, text) VALUES (9, 'a')"))
    #expect(change.tables["notes"]?.addsOrRemovesRows == true)
    #expect(change.tables["notes"]?.rowIDs == nil)
  }

  @Test func `A table whose schema replaces rows affects any row`() throws {
    try connection.execute(
      "CREATE TABLE slots (id INTEGER PRIMARY KEY, n UNIQUE ON CONFLICT REPLACE)")
    _ = try change("INSERT INTO slots VALUES (1, 1)")
    let change = try #require(try change("INSERT INTO slots VALUES (2, 1)"))
    #expect(change.tables["slots"]?.addsOrRemovesRows == true)
    #expect(change.tables["slots"]?.rowIDs == nil)
  }

  @Test func `Changes of a table without row ids name no rows`() throws {
    let change = try #require(try change("UPDATE tags SET color = '' WHERE name = 'red'"))
    #expect(change.tables["tags"]?.columns == ["color"])
    #expect(change.tables["tags"]?.rowIDs == nil)
  }

  @Test func `An upsert names the row that it changed, or any row`() throws {
    let change = try #require(
      try change(
        """
        INSERT INTO notes (id, text, rank) VALUES (2, 'b', 7)
        ON CONFLICT (id) DO UPDATE SET rank = excluded.rank
        """))
    #expect(change.tables["notes"]?.columns.contains("rank") == true)
    #expect(change.tables["notes"]?.rowIDs?.contains(2) ?? true)
  }

  @Test func `Rows that a trigger inserts beside an update are reported without row ids`() throws {
    try connection.execute(
      "CREATE TRIGGER note AFTER UPDATE ON notes BEGIN INSERT INTO pages (note) VALUES (1); END")
    let change = try #require(try change("UPDATE notes SET rank = 5 WHERE id > 1"))
    #expect(change.tables["notes"]?.rowIDs == [2, 3])
    #expect(change.tables["pages"]?.addsOrRemovesRows == true)
    #expect(change.tables["pages"]?.rowIDs == [])
  }

  @Test func `A table to which a trigger adds no row did not change`() throws {
    try connection.execute(
      """
      CREATE TRIGGER note AFTER UPDATE ON notes WHEN new.rank > 9
      BEGIN INSERT INTO pages (note) VALUES (1); END
      """)
    let change = try #require(try change("UPDATE notes SET rank = 5 WHERE id > 1"))
    #expect(Array(change.tables.keys) == ["notes"])
  }

  @Test func `An upsert that inserts rows reports every table that it adds some to`() throws {
    try connection.execute(
      """
      CREATE TRIGGER note AFTER INSERT ON notes WHEN new.rank > 9
      BEGIN INSERT INTO pages (note) VALUES (1); END
      """)
    log.changes = []
    try connection.write { writer in
      for rank in 9...10 {
        let text = "rank \(rank)"
        try SQL(
          """
          INSERT INTO notes (text, rank) VALUES (\(text), \(rank))
          ON CONFLICT (id) DO UPDATE SET rank = excluded.rank
          """
        ).run(writer)
      }
    }
    #expect(log.changes.first?.tables["notes"]?.addsOrRemovesRows == true)
    #expect(log.changes.first?.tables["pages"]?.addsOrRemovesRows == true)
  }

  @Test func `A RETURNING clause does not change the reported rows`() throws {
    log.changes = []
    _ = try connection.write { writer in
      try writer.integers("UPDATE notes SET rank = 8 WHERE id = 2 RETURNING rank")
    }
    #expect(log.changes.first?.tables["notes"]?.rowIDs == [2])
  }

  @Test func `The statements of a write are combined in one change set`() throws {
    let change = try #require(
      try change(
        "UPDATE notes SET rank = 1 WHERE id = 1", "UPDATE notes SET text = 'y' WHERE id = 2",
        "INSERT INTO pages VALUES (13, 2)"))
    #expect(change.tables["notes"]?.columns == ["rank", "text"])
    #expect(change.tables["notes"]?.rowIDs == [1, 2])
    #expect(change.tables["pages"]?.addsOrRemovesRows == true)
  }

  @Test func `The same statement for several rows names them all`() throws {
    log.changes = []
    try connection.write { writer in
      for id in 1...3 { try writer.run("UPDATE notes SET rank = 9 WHERE id = \(id)") }
    }
    #expect(log.changes.first?.tables["notes"]?.rowIDs == [1, 2, 3])
  }

  @Test func `Changes undone by a savepoint are not in the change set`() throws {
    log.changes = []
    try connection.write { writer in
      try writer.run("UPDATE notes SET rank = 1 WHERE id = 1")
      _ = try? writer.savepoint { writer in
        try writer.run("UPDATE notes SET rank = 1 WHERE id = 2")
        try writer.savepoint { _ = try $0.run("DELETE FROM tags") }
        throw Refusal()
      }
      try writer.run("UPDATE notes SET rank = 1 WHERE id = 3")
    }
    let change = try #require(log.changes.first)
    #expect(Array(change.tables.keys) == ["notes"])
    #expect(change.tables["notes"]?.rowIDs == [1, 3])
  }

  @Test func `A write that throws is not a commit`() throws {
    log.changes = []
    _ = try? connection.write { writer in
      try writer.run("DELETE FROM notes")
      throw Refusal()
    }
    #expect(log.changes.isEmpty)
  }

  @Test func `A write whose savepoint undid everything is reported as no change`()
    throws
  {
    log.changes = []
    try connection.write { writer in
      _ = try? writer.savepoint { writer in
        try writer.run("DELETE FROM tags")
        throw Refusal()
      }
    }
    #expect(log.changes.isEmpty)
  }

  @Test func `Commits are numbered consecutively, without those that change nothing`() throws {
    let first = try #require(try change("UPDATE notes SET rank = 1 WHERE id = 1"))
    #expect(try change("SELECT 1") == nil)
    let second = try #require(try change("UPDATE notes SET rank = 2 WHERE id = 1"))
    #expect(second.number == first.number + 1)
  }

  @Test(arguments: [
    "CREATE TABLE other (x)", "ALTER TABLE notes ADD COLUMN x", "DROP TABLE tags",
    "CREATE INDEX i ON notes (rank)",
  ]) func `A change of the schema is reported`(sql: String) throws {
    #expect(try change(SQL(raw: sql))?.changesSchema == true)
  }

  @Test func `More than a few thousand rows are reported as any row`() throws {
    _ = try change(
      """
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
      INSERT INTO notes (id, text) SELECT i, i FROM n
      """)
    let change = try #require(try change("UPDATE notes SET rank = 3"))
    #expect(change.tables["notes"]?.rowIDs == nil)
    #expect(change.tables["notes"]?.columns == ["rank"])
  }

  @Test func `A bulk insert of records is one addition of rows`() throws {
    try connection.execute(Charter.creation)
    log.changes = []
    try connection.write { try Charter.insert(contentsOf: (0..<2000).map { Charter("\($0)") }, $0) }
    let change = try #require(log.changes.first)
    #expect(change.tables["charters"]?.addsOrRemovesRows == true)
    #expect(change.tables["charters"]?.rowIDs == [])
  }

  @Test func `A row that is deleted and inserted again is named`() throws {
    let change = try #require(
      try change(
        "DELETE FROM notes WHERE id = 3", "INSERT INTO notes (id, text) VALUES (3, 'again')"))
    #expect(change.tables["notes"]?.rowIDs == [3])
  }

  @Test func `Changes of a statement that fails midway are reported if its write continues`() throws
  {
    log.changes = []
    try connection.write { writer in
      // OR FAIL preserves the rows before the one that fails.
      _ = try? writer.run("UPDATE OR FAIL notes SET text = 'same' WHERE id IN (1, 2)")
    }
    #expect(try connection.texts("SELECT text FROM notes WHERE id = 1") == ["same"])
    #expect(log.changes.first?.tables["notes"]?.columns == ["text"])
  }

  @Test func `Changes outside of a write are not recorded`() throws {
    let test = try TestConnection("CREATE TABLE notes (text TEXT)")
    for _ in 0..<3 { try test.connection.execute("INSERT INTO notes VALUES ('x')") }
    #expect(throws: DatabaseError.self) { try test.connection.execute("INSERT INTO nothing") }
    #expect(test.connection.transaction.changes.isEmpty)
    try test.connection.write { writer in
      try test.connection.execute("UPDATE notes SET text = 'y'")
      #expect(writer.connection.transaction.changes.count == 1)
    }
  }
}
