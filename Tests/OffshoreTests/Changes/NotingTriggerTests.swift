import Foundation
import Testing

@testable import Offshore

struct NotingTriggerTests {
  private static let noting: SQL = """
    CREATE TRIGGER _capture_charters AFTER INSERT ON charters
    BEGIN INSERT INTO log VALUES (new.id); END
    """

  private func open(_ creation: SQL = Charter.creation, _ further: SQL...) throws -> TestConnection
  {
    let test = try TestConnection(creation, "CREATE TABLE log (id TEXT)", Self.noting)
    for sql in further { try test.connection.execute(sql) }
    return test
  }

  private func count(_ table: String, _ test: TestConnection) throws -> Int? {
    try test.connection.read {
      try SQL("SELECT count(*) FROM \(identifier: table)").first($0, as: Int.self)
    }
  }

  private func insertion(_ test: TestConnection) throws -> String {
    String(try test.connection.statement(Charter.self, .insert).sql.prefix(14))
  }

  // MARK: - Choice of the cheaper statement

  @Test func `Rows of a table that has only noting triggers are inserted by OR FAIL`() throws {
    #expect(try insertion(open()) == "INSERT OR FAIL")
  }

  @Test func `A table without triggers keeps its plain statement`() throws {
    #expect(try insertion(TestConnection(Charter.creation)) == "INSERT INTO \"c")
  }

  @Test(arguments: [
    "CREATE TRIGGER other AFTER UPDATE ON charters BEGIN DELETE FROM log; END",
    "CREATE TEMP TRIGGER other AFTER INSERT ON Charters BEGIN SELECT 1; END",
  ])
  func `An app's trigger keeps the plain statement`(trigger: String) throws {
    #expect(try insertion(open(Charter.creation, SQL(raw: trigger))) == "INSERT INTO \"c")
  }

  @Test func `An app's trigger of deletions does not`() throws {
    let trigger: SQL = "CREATE TRIGGER other AFTER DELETE ON charters BEGIN DELETE FROM log; END"
    #expect(try insertion(open(Charter.creation, trigger)) == "INSERT OR FAIL")
  }

  @Test func `A trigger that is created later restores the plain statement`() throws {
    let test = try open()
    try test.connection.write { try Charter("Alma").insert($0) }
    try test.connection.execute(
      "CREATE TRIGGER other AFTER INSERT ON charters BEGIN SELECT 1; END")
    #expect(try insertion(test) == "INSERT INTO \"c")
  }

  @Test func `A trigger of another connection restores it after one insertion`() throws {
    let test = try open()
    try test.connection.write { try Charter("Alma").insert($0) }
    let other = try Connection(test.connection.path)
    try other.execute("CREATE TRIGGER other AFTER INSERT ON charters BEGIN SELECT 1; END")
    try test.connection.write { try Charter("Luna").insert($0) }
    #expect(try insertion(test) == "INSERT INTO \"c")
  }

  // MARK: - Unchanged behavior

  @Test func `Rows before a refused one stay, and nothing of the refused one`() throws {
    let test = try open()
    let rows = [Charter("Alma"), Charter("Luna")]
    try test.connection.write { writer in
      let error = databaseError {
        try Charter.insert(contentsOf: rows + rows + [Charter("Vela")], writer)
      }
      #expect(error?.code == .constraint)
      #expect(error?.rowKey == [.text(rows[0].id.uuidString)])
    }
    #expect(try count("charters", test) == 2)
    #expect(try count("log", test) == 2)
  }

  @Test func `A dangling reference leaves neither the row nor the note`() throws {
    let test = try open(
      """
      CREATE TABLE charters (
        id TEXT PRIMARY KEY NOT NULL, name TEXT REFERENCES names, location TEXT, startDate REAL,
        guests INTEGER)
      """, "CREATE TABLE names (name TEXT PRIMARY KEY)")
    try test.connection.write { writer in
      #expect(databaseError { try Charter("Alma").insert(writer) } != nil)
    }
    #expect(try count("charters", test) == 0)
    #expect(try count("log", test) == 0)
  }

  @Test func `A constraint's own clause decides how a conflict is handled`() throws {
    let test = try open(
      """
      CREATE TABLE charters (
        id TEXT PRIMARY KEY NOT NULL, name TEXT UNIQUE ON CONFLICT REPLACE, location TEXT,
        startDate REAL, guests INTEGER)
      """)
    try test.connection.write { writer in
      for guests in 1...2 { try Charter("Alma", guests: guests).insert(writer) }
    }
    #expect(try count("charters", test) == 1)
  }

  @Test func `The clause in an app's trigger decides how a conflict is handled`() throws {
    let test = try open(
      Charter.creation, "CREATE TABLE names (name TEXT PRIMARY KEY)",
      """
      CREATE TRIGGER name AFTER INSERT ON charters
      BEGIN INSERT OR IGNORE INTO names VALUES (new.name); END
      """)
    try test.connection.write { writer in
      for _ in 1...2 { try Charter("Alma").insert(writer) }
    }
    #expect(try count("charters", test) == 2)
  }
}

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
    let test = try open("CREATE TRIGGER other AFTER INSERT ON boats BEGIN SELECT 1; END")
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
