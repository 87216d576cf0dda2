import Foundation
import Testing

@testable import Offshore

struct SQLTests {
  @Test(arguments: [
    "Alma", "'; DROP TABLE charters; --", "\" OR 1=1", "?", "", "\u{0}", "\\(x)", "%s",
  ]) func `An interpolated value is bound and never part of the text`(value: String) {
    let sql: SQL = "SELECT * FROM charters WHERE name = \(value)"
    #expect(sql.text == "SELECT * FROM charters WHERE name = ?")
    #expect(sql.arguments == [.text(value)])
  }

  @Test func `A malicious text is harmless and is found unchanged`() throws {
    let test = try TestConnection(Charter.creation)
    let name = "x'); DELETE FROM charters; --"
    try test.connection.write { try Charter.insert(contentsOf: [Charter(name), Charter("b")], $0) }
    #expect(try test.connection.number("SELECT count(*) FROM charters WHERE name = \(name)") == 1)
    #expect(try test.connection.number("SELECT count(*) FROM charters") == 2)
  }

  @Test func `Values of every type are bound in their native representation`() throws {
    let id = UUID()
    let sql: SQL = """
      \(7) \(UInt8(255)) \(1.5) \(true) \("a") \(Data([1])) \(id) \(Date(timeIntervalSinceReferenceDate: 2)) \
      \(Decimal(3)) \(URL(filePath: "/a")) \(Deck.upper) \(CrewRole.cook)
      """
    #expect(
      sql.arguments == [
        .integer(7), .integer(255), .real(1.5), .integer(1), .text("a"), .blob([1]),
        .text(id.uuidString), .real(2), .text("3"), .text("file:///a"), .integer(1), .text("cook"),
      ])
    #expect(sql.text == Array(repeating: "?", count: 12).joined(separator: " "))
  }

  @Test func `An optional is bound as its value or as NULL`() {
    let (some, none): (Int?, Int?) = (1, nil)
    let date: Date? = nil
    let sql: SQL = "\(some) \(none) \(date, as: .text)"
    #expect(sql.arguments == [.integer(1), .null, .null])
  }

  @Test func `A value can be bound by a named codec`() {
    let id = UUID()
    let sql: SQL = "\(id, as: .blob) \(Date(timeIntervalSince1970: 1), as: .unixSeconds)"
    #expect(sql.arguments == [.blob(withUnsafeBytes(of: id.uuid) { Array($0) }), .real(1)])
  }

  @Test func `A fragment inserts its text and its values, in order`() {
    let inner: SQL = "name = \("a") AND guests > \(2)"
    let sql: SQL = "SELECT \(1) WHERE \(inner) LIMIT \(3)"
    #expect(sql.text == "SELECT ? WHERE name = ? AND guests > ? LIMIT ?")
    #expect(sql.arguments == [.integer(1), .text("a"), .integer(2), .integer(3)])
  }

  @Test(arguments: [
    ("name", #""name""#), ("a b", #""a b""#), ("\"", "\"\"\"\""),
    ("x\"; DROP TABLE t; --", "\"x\"\"; DROP TABLE t; --\""),
    ("", "\"\""),
  ]) func `An identifier is quoted, and quotes in it are doubled`(name: String, quoted: String) {
    let sql: SQL = "SELECT \(identifier: name)"
    #expect(sql.text == "SELECT \(quoted)")
    #expect(sql.arguments.isEmpty)
  }

  @Test func `The columns of a record are listed in declared order`() {
    let sql: SQL = "SELECT \(columns: Charter.self) FROM charters"
    #expect(
      sql.text == #"SELECT "id", "name", "location", "startDate", "guests" FROM charters"#)
  }

  @Test
  func `A value that cannot be stored is reported when the statement runs, before SQLite sees it`()
    throws
  {
    let test = try TestConnection("CREATE TABLE t (x)")
    let sql: SQL = "INSERT INTO t VALUES (\(Double.nan))"
    let error = try #require(databaseError { try test.connection.execute(sql) })
    #expect(error.code == .invalidValue)
    #expect(try test.connection.number("SELECT count(*) FROM t") == 0)
  }

  @Test func `Only the first of several problems is reported, including those of fragments`()
    throws
  {
    let test = try TestConnection()
    let inner: SQL = "\(UInt64.max)"
    let sql: SQL = "SELECT \(inner), \(Double.nan)"
    let error = try #require(databaseError { try test.connection.execute(sql) })
    #expect(error.message.contains("9,223,372,036,854,775,807"))
  }

  @Test func `Statements with equal text and values are equal`() {
    let (one, two): (SQL, SQL) = ("SELECT \(1)", "SELECT \(2)")
    #expect(one == "SELECT \(1)")
    #expect(one != two)
    #expect(Set([one, one, two]).count == 2)
  }

  // MARK: - Running

  @Test func `Several statements without values run in turn`() throws {
    let test = try TestConnection()
    try test.connection.execute(
      "CREATE TABLE t (x); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2), (3);  ;\n")
    #expect(try test.connection.number("SELECT count(*) FROM t") == 3)
  }

  @Test(arguments: [
    "-- first\nSELECT 1", "SELECT 1; -- last", "SELECT 1; /* last */",
    "SELECT 1;\n-- a\n;SELECT 2",
    "/* ; */ SELECT 1; -- é 🌊",
  ]) func `Comments before, between, and after statements are ignored`(sql: String) throws {
    let test = try TestConnection()
    try test.connection.execute(SQL(raw: sql))
  }

  @Test(arguments: ["", "  \n", ";", "-- only a comment"])
  func `Text without a statement is an error`(
    sql: String
  ) throws {
    let test = try TestConnection()
    let error = databaseError { try test.connection.execute(SQL(raw: sql)) }
    #expect(error?.code == .invalidSQL)
  }

  @Test func `Several statements cannot share values`() throws {
    let test = try TestConnection("CREATE TABLE t (x)")
    let error = databaseError {
      try test.connection.write { writer in
        _ = try writer.run("INSERT INTO t VALUES (\(1)); INSERT INTO t VALUES (2)")
      }
    }
    #expect(error?.code == .invalidSQL)
    #expect(try test.connection.number("SELECT count(*) FROM t") == 0)
  }

  @Test(arguments: [
    "SELECT ?", "SELECT :name", "SELECT ?3",
  ]) func `A statement whose parameters do not match its values is an error`(sql: String) throws {
    let test = try TestConnection()
    let error = databaseError { try test.connection.execute(SQL(raw: sql)) }
    #expect(error?.code == .invalidSQL)
    #expect(error?.sql == sql)
  }

  @Test func `A statement with a NUL character is refused and not cut off`() throws {
    let test = try TestConnection("CREATE TABLE t (x)", "INSERT INTO t VALUES (1), (2)")
    let error = databaseError {
      try test.connection.execute(SQL(raw: "DELETE FROM t \u{0} WHERE x = 1"))
    }
    #expect(error?.code == .invalidSQL)
    #expect(try test.connection.number("SELECT count(*) FROM t") == 2)
  }

  @Test func `A misspelled column in double quotes is an error, not a text`() throws {
    let test = try TestConnection("CREATE TABLE t (x)")
    let error = databaseError { try test.connection.execute("SELECT \"nope\" FROM t") }
    #expect(error?.code == .invalidSQL)
  }
}

struct SQLValueTests {
  @Test(arguments: [
    SQLValue.null, .integer(.min), .integer(.max), .real(0.1), .real(-1e300), .real(5e-300),
    .real(.infinity), .real(-.infinity), .real(3), .text(""), .text("O'Hara"), .text("a\u{0}b"),
    .text("'';--"), .text("🌊"), .blob([]), .blob([0, 15, 16, 255]),
  ]) func `A value describes itself as an equivalent SQL literal`(value: SQLValue) throws {
    let test = try TestConnection()
    var bound: SQL = "SELECT typeof("
    bound.append(value)
    bound.append(raw: ") = typeof(\(value.description)) AND ")
    bound.append(value)
    bound.append(raw: " IS \(value.description)")
    #expect(try test.connection.number(bound) == 1)
  }
}
