import Foundation
import Testing

@testable import Offshore

struct DatabaseErrorTests {
  private static let secret = "IBAN HR1210010051863000160"

  private let test: TestConnection
  private var connection: Connection { test.connection }

  init() throws { test = try TestConnection(Charter.creation) }

  /// Returns the error of fetching a row with an invalid value.
  private func misfit(_ column: String, _ expression: String) throws -> DatabaseError {
    let charter = Charter("Alma")
    try connection.write { writer in
      try charter.insert(writer)
      try writer.run("UPDATE charters SET \(identifier: column) = \(SQL(raw: expression))")
    }
    return try #require(databaseError { _ = try connection.read { try Charter.all.all($0) } })
  }

  @Test
  func `An invalid value is reported with table, column, row, expectation and actual value`()
    throws
  {
    let error = try misfit("guests", "'\(Self.secret)'")
    #expect(error.code == .invalidValue)
    #expect(error.table == "charters")
    #expect(error.column == "guests")
    #expect(error.rowKey.count == 1)
    #expect(
      error.message
        == "Column “guests” of “charters” holds a text of 26 bytes, expected an integer from "
        + "-9223372036854775808 to 9223372036854775807. Correct the row, or declare the column with "
        + "the type of its values.")
  }

  @Test func `The row key is that of the affected row, not of the first`() throws {
    let charters = (0..<20).map { Charter("\($0)") }
    let bad = charters[13]
    try connection.write { writer in
      try Charter.insert(contentsOf: charters, writer)
      try writer.run("UPDATE charters SET startDate = 'soon' WHERE id = \(bad.id)")
    }
    let error = databaseError { _ = try connection.read { try Charter.all.all($0) } }
    #expect(error?.rowKey == [.text(bad.id.uuidString)])
  }

  @Test func `The row key is found if the result has another order`() throws {
    _ = try misfit("guests", "'x'")
    let id = try connection.texts("SELECT id FROM charters")
    let sql: SQL = "SELECT guests, startDate, location, name, id FROM charters"
    let error = databaseError {
      _ = try connection.read { try sql.all($0, as: Charter.self) }
    }
    #expect(error?.rowKey == id.map(SQLValue.text))
    #expect(error?.column == "guests")
  }

  @Test(arguments: [
    ("id", "'nope'", "a text of 4 bytes"), ("name", "x'00'", "a BLOB of 1 bytes"),
    ("location", "x'00ff'", "a BLOB of 2 bytes"), ("startDate", "'soon'", "a text of 4 bytes"),
    ("guests", "1.5", "a real number"), ("name", "CAST(x'ff' AS TEXT)", "a text of 1 bytes"),
  ]) func `Each column's misfit is reported`(column: String, expression: String, found: String)
    throws
  {
    let error = try misfit(column, expression)
    #expect(error.column == column)
    #expect(error.message.contains("holds \(found), expected "))
  }

  @Test func `NULL in a column that is not optional is an error`() throws {
    let test = try TestConnection(
      "CREATE TABLE charters (id TEXT, name TEXT, location TEXT, startDate REAL, guests INTEGER)",
      "INSERT INTO charters VALUES ('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', NULL, NULL, 0, 0)")
    let error = databaseError { _ = try test.connection.read { try Charter.all.all($0) } }
    #expect(error?.column == "name")
    #expect(error?.message.contains("holds NULL") == true)
  }

  @Test func `The description never contains a stored value or an argument`() throws {
    let stored = try misfit("guests", "'\(Self.secret)'")
    let bound = try #require(
      databaseError { try connection.execute("SELECT no_such_function(\(Self.secret))") })
    let taken = Charter(Self.secret)
    try connection.execute("CREATE UNIQUE INDEX names ON charters (name)")
    let refused = try #require(
      databaseError {
        try connection.write { writer in
          try taken.insert(writer)
          try Charter(Self.secret).insert(writer)
        }
      })
    for error in [stored, bound, refused] {
      #expect(!"\(error)".contains(Self.secret))
      #expect(!error.localizedDescription.contains(Self.secret))
      #expect(!error.message.contains(Self.secret))
      for key in error.rowKey { #expect(!"\(error)".contains(key.description)) }
    }
  }

  @Test func `The debug description adds the SQL, the values, and the row`() throws {
    let error = try misfit("guests", "'x'")
    #expect(error.debugDescription.hasPrefix(error.description))
    #expect(error.debugDescription.contains("SQL: SELECT"))
    #expect(error.debugDescription.contains("row: ["))
    let bound = try #require(
      databaseError { try connection.execute("SELECT no_such_function(\(Self.secret))") })
    #expect(bound.sql == "SELECT no_such_function(?)")
  }

  private struct Guests: Record {
    let id: Int
    var ages: [String: Int]
    static let table = Table(
      "guests", Guests.init, Column("id", \.id).primaryKey(), Column("ages", \.ages, as: .json))
  }

  private struct Heights: Record {
    let id: Int
    var heights: [String: Double]
    static let table = Table(
      "guests", Heights.init, Column("id", \.id).primaryKey(), Column("ages", \.heights, as: .json))
  }

  @Test func `Keys inside a stored text, which are values too, are only in the debug description`()
    throws
  {
    let test = try TestConnection(
      "CREATE TABLE guests (id INTEGER PRIMARY KEY NOT NULL, ages TEXT NOT NULL)",
      "INSERT INTO guests VALUES (1, \("{\"\(Self.secret)\":\"old\"}"))")
    let stored = try #require(
      databaseError { _ = try test.connection.read { try Guests.all.all($0) } })
    let refused = try #require(
      databaseError {
        let row = Heights(id: 1, heights: [Self.secret: .nan])
        try test.connection.write { try row.insert($0) }
      })
    for error in [stored, refused] {
      #expect(error.code == .invalidValue)
      #expect(!error.description.contains(Self.secret))
    }
    for error in [stored, refused] {
      #expect(error.debugDescription.contains("place in the value: “\(Self.secret)”"))
    }
  }

  @Test(
    arguments: [
      ("INSERT INTO berths VALUES (1, 2, 3)", "berths", "id"),
      ("INSERT INTO berths VALUES (2, NULL, 3)", "berths", "width"),
      ("INSERT INTO berths VALUES (2, 2, 9)", "berths", "mast"),
      ("INSERT INTO berths VALUES (2, 0.1, 3)", nil, nil),
      ("INSERT INTO berths VALUES (2, 7, 3)", nil, nil),
      ("INSERT INTO berths VALUES (2, 8, 3)", nil, nil),
    ] as [(String, String?, String?)])
  func `Table and column are reported if a constraint is about columns`(
    sql: String, table: String?, column: String?
  ) throws {
    let test = try TestConnection(
      """
      CREATE TABLE berths (
        id INTEGER PRIMARY KEY, width REAL NOT NULL, mast UNIQUE, CHECK (width > 0.5));
      CREATE UNIQUE INDEX "berths.doubled" ON berths (width * 2);
      CREATE TRIGGER wide BEFORE INSERT ON berths WHEN new.width = 7
        BEGIN SELECT RAISE(ABORT, 'Too wide: berths.id'); END;
      INSERT INTO berths VALUES (1, 8, 9)
      """)
    let error = try #require(databaseError { try test.connection.change(SQL(raw: sql)) })
    #expect(error.code == .constraint)
    #expect(error.table == table)
    #expect(error.column == column)
  }

  @Test func `The description begins with the code and the place`() throws {
    #expect(try misfit("guests", "'x'").description.hasPrefix("invalidValue (charters.guests): "))
    #expect(DatabaseError(.busy, "Wait.").description == "busy: Wait.")
  }

  @Test(
    arguments: [
      (5, .busy), (6, .busy), (14, .cannotOpen), (26, .notADatabase), (11, .corrupted),
      (8, .readOnly),
      (3, .readOnly), (13, .diskFull), (10, .inputOutput), (522, .inputOutput), (9, .interrupted),
      (19, .constraint), (2067, .constraint), (18, .invalidValue), (23, .transaction),
      (1, .invalidSQL), (21, .other), (517, .busy), (1032, .readOnly),
    ] as [(Int32, DatabaseError.Code)]) func `Each result code of SQLite has an error code`(
      resultCode: Int32, code: DatabaseError.Code
    )
  {
    let error = DatabaseError.sqlite(resultCode)
    #expect(error.code == code)
    #expect(error.resultCode == resultCode)
    #expect(error.message.hasSuffix("."))
  }

  @Test func `A syntax error contains SQLite's message and the statement`() throws {
    let error = try #require(databaseError { try connection.execute("SELEC 1") })
    #expect(error.code == .invalidSQL)
    #expect(error.message.contains("SELEC"))
    #expect(error.sql == "SELEC 1")
    #expect(error.resultCode == 1)
  }

  @Test func `A fetch without the column of a property names it, and how to select it`() throws {
    let sql: SQL = "SELECT id, name FROM charters"
    let error = try #require(
      databaseError { _ = try connection.read { try sql.all($0, as: Charter.self) } })
    #expect(error.code == .invalidSQL)
    #expect(error.message.contains("“location”"))
    #expect(error.message.contains("\\(columns: Charter.self)"))
  }
}
