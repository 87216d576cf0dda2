import Testing

@testable import Offshore

/// The statements that change single rows of a table with triggers that note changes.
struct UpdateClauseTests {
  private static let boats: SQL = """
    CREATE TABLE boats (
      id TEXT PRIMARY KEY NOT NULL, number INTEGER UNIQUE, name TEXT UNIQUE CHECK (name <> ''),
      home TEXT REFERENCES harbours)
    """
  private static let noting: SQL = """
    CREATE TRIGGER _capture_boats AFTER UPDATE ON boats
    BEGIN INSERT INTO log VALUES (new.id); END
    """

  private func open(_ further: SQL...) throws -> TestConnection {
    let test = try TestConnection(
      "CREATE TABLE harbours (name TEXT PRIMARY KEY)", Self.boats, "CREATE TABLE log (id TEXT)",
      Self.noting, "INSERT INTO boats VALUES ('a', 1, 'Alma', NULL), ('b', 2, 'Luna', NULL)")
    for sql in further { try test.connection.execute(sql) }
    return test
  }

  private func clause(_ test: TestConnection, setting columns: String...) throws -> String {
    try test.connection.write { $0.updateClause(for: "boats", setting: columns) }
  }

  // MARK: - Choice of the cheaper statement

  @Test func `Rows of a table that has only noting triggers are changed by OR FAIL`() throws {
    #expect(try clause(open(), setting: "name", "home") == "UPDATE OR FAIL")
  }

  @Test func `An app's trigger keeps the plain statement`() throws {
    let test = try open("CREATE TRIGGER other AFTER DELETE ON boats BEGIN SELECT 1; END")
    #expect(try clause(test, setting: "name") == "UPDATE")
  }

  @Test func `A column that others refer to keeps the plain statement`() throws {
    let test = try open(
      "CREATE TABLE sails (boat TEXT REFERENCES Boats (Name) ON UPDATE CASCADE)")
    #expect(try clause(test, setting: "number", "name") == "UPDATE")
    #expect(try clause(test, setting: "number") == "UPDATE OR FAIL")
  }

  @Test func `A primary key that others reference without naming it keeps it, too`() throws {
    let test = try open("CREATE TABLE sails (boat TEXT REFERENCES boats)")
    #expect(try clause(test, setting: "id") == "UPDATE")
    #expect(try clause(test, setting: "name") == "UPDATE OR FAIL")
  }

  // MARK: - Unchanged behavior

  @Test(arguments: [
    "number = 3, name = 'Luna'", "number = 2, name = 'Vela'", "number = 3, name = ''",
    "number = 3, home = 'Vis'",
  ])
  func `A refused change leaves the row unchanged, and no note`(change: String) throws {
    let test = try open()
    try test.connection.write { writer in
      let clause = writer.updateClause(for: "boats", setting: ["number", "name", "home"])
      let error = databaseError {
        try SQL(raw: "\(clause) boats SET \(change) WHERE id = 'a'").run(writer)
      }
      #expect(clause == "UPDATE OR FAIL")
      #expect(error?.code == .constraint)
    }
    let rows = try test.connection.read {
      try SQL("SELECT id || number || name || ifnull(home, '-') FROM boats ORDER BY id")
        .all($0, as: String.self)
    }
    #expect(rows == ["a1Alma-", "b2Luna-"])
    #expect(
      try test.connection.read { try SQL("SELECT count(*) FROM log").first($0, as: Int.self) } == 0)
    #expect(
      try test.connection.read {
        try SQL("SELECT count(*) FROM boats INDEXED BY sqlite_autoindex_boats_2 WHERE number = 1")
          .first($0, as: Int.self)
      } == 1)
  }
}
