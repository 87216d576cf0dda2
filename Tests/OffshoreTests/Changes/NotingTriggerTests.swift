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
    "CREATE TRIGGER other AFTER DELETE ON charters BEGIN DELETE FROM log; END",
    "CREATE TEMP TRIGGER other AFTER INSERT ON Charters BEGIN SELECT 1; END",
  ])
  func `An app's trigger keeps the plain statement`(trigger: String) throws {
    #expect(try insertion(open(Charter.creation, SQL(raw: trigger))) == "INSERT INTO \"c")
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
