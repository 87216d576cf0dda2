import Foundation
import TestSupport
import Testing

@testable import Offshore

struct SQLFetchTests {
  private let charters = [
    Charter("Alma", location: "Split", guests: 2), Charter("Bora", guests: 4),
  ]
  private let fixture: QueryFixture

  init() throws { fixture = try QueryFixture(charters) }

  private func read<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try fixture.connection.read(body)
  }

  private func code<Result>(_ body: (Reader) throws -> Result) -> DatabaseError.Code? {
    do {
      _ = try read(body)
      return nil
    } catch {
      return (error as? DatabaseError)?.code
    }
  }

  @Test func `Records decode by the names of the result's columns`() throws {
    #expect(
      try read {
        try SQL("SELECT \(columns: Charter.self) FROM charters").all($0, as: Charter.self)
      }
        == charters)
    #expect(
      try read {
        try SQL("SELECT 1 AS more, guests, startDate, name, location, id FROM charters")
          .all($0, as: Charter.self)
      } == charters)
    #expect(
      try read {
        try SQL("SELECT * FROM charters WHERE name = \("Bora")").first($0, as: Charter.self)
      } == charters[1])
    #expect(
      try read {
        try SQL("SELECT * FROM charters WHERE name = \("x")").first($0, as: Charter.self)
      } == nil)
  }

  @Test func `A record without one of its columns is refused, and the error names the column`()
    throws
  {
    let error = #expect(throws: DatabaseError.self) {
      try read { try SQL("SELECT id, name, location FROM charters").all($0, as: Charter.self) }
    }
    #expect(error?.code == .invalidSQL)
    #expect(error?.message.contains("“startDate”") == true)
    #expect(code { try SQL("SELECT 1").first($0, as: Charter.self) } == .invalidSQL)
  }

  @Test func `Values decode by their types`() throws {
    #expect(
      try read { try SQL("SELECT name FROM charters ORDER BY name").all($0, as: String.self) }
        == ["Alma", "Bora"])
    #expect(try read { try SQL("SELECT count(*) FROM charters").first($0, as: Int.self) } == 2)
    #expect(
      try read {
        try SQL("SELECT location FROM charters ORDER BY name").all($0, as: String?.self)
      } == ["Split", nil])
    #expect(try read { try SQL("SELECT 1 WHERE FALSE").first($0, as: Int.self) } == nil)
    let null: Int?? = try read { try SQL("SELECT NULL").first($0, as: Int?.self) }
    #expect(null == .some(.none))
    #expect(
      try read { try SQL("SELECT id FROM charters ORDER BY name").first($0, as: UUID.self) }
        == charters[0].id)
  }

  @Test func `Several values decode into tuples`() throws {
    let rows = try read {
      try SQL("SELECT name, guests, location FROM charters ORDER BY guests DESC")
        .all($0, as: String.self, Int.self, String?.self)
    }
    #expect(rows.map(\.0) == ["Bora", "Alma"])
    #expect(rows.map(\.1) == [4, 2])
    #expect(rows.map(\.2) == [nil, "Split"])
    let one = try read { try SQL("SELECT 1, 'x'").first($0, as: Int.self, String.self) }
    #expect(one?.0 == 1)
    #expect(one?.1 == "x")
  }

  @Test func `A result with fewer or more columns than types is refused with both numbers`() throws
  {
    let error = #expect(throws: DatabaseError.self) {
      try read { try SQL("SELECT 1, 2").all($0, as: Int.self) }
    }
    #expect(error?.code == .invalidSQL)
    #expect(error?.message.contains("2 columns where 1") == true)
    #expect(code { try SQL("SELECT 1").first($0, as: Int.self, Int.self) } == .invalidSQL)
    #expect(
      code { try SQL("SELECT name FROM charters WHERE FALSE").all($0, as: Int.self, Int.self) }
        == .invalidSQL)
  }

  @Test(arguments: [
    "SELECT NULL AS answer", "SELECT 'secret' AS answer", "SELECT 1.5 AS answer",
    "SELECT x'00' AS answer", "SELECT 9223372036854775807 + 1 AS answer",
  ]) func `A value of another type is refused with the column's name only`(text: String)
    throws
  {
    let error = #expect(throws: DatabaseError.self) {
      try read { try SQL(raw: text).all($0, as: Int.self) }
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.column == "answer")
    #expect(error?.description.contains("secret") == false)
  }

  @Test(arguments: [
    "", "  ", ";", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; DELETE FROM charters",
    "SELEC 1", "SELECT 'open", "SELECT ?", "SELECT 1 FROM nowhere", "DELETE FROM charters",
  ]) func `Only a single statement with a result can be fetched`(text: String) throws {
    #expect(code { try SQL(raw: text).all($0, as: Int.self) } == .invalidSQL)
    #expect(code { try SQL(raw: text).first($0, as: Charter.self) } == .invalidSQL)
    #expect(try read { try Charter.all.count($0) } == 2)
  }

  @Test func `A statement that changes rows is refused by a read`() throws {
    #expect(
      code { try SQL("DELETE FROM charters RETURNING id").all($0, as: UUID.self) } == .readOnly)
    #expect(try read { try Charter.all.count($0) } == 2)
  }

  @Test(arguments: [
    "'", "\"", "'; DELETE FROM charters; --", "?", "?1", ":name", "\u{0}", "⛵️", "",
  ]) func `A user's input stays a text`(text: String) throws {
    #expect(try read { try SQL("SELECT \(text)").first($0, as: String.self) } == text)
    let pair = try read {
      try SQL("SELECT \(text) = \(text), \(7)").first($0, as: Bool.self, Int.self)
    }
    #expect(pair?.0 == true)
    #expect(pair?.1 == 7)
  }

  @Test func `Running returns the number of changed rows`() throws {
    try fixture.connection.write { writer throws in
      #expect(try SQL("UPDATE charters SET guests = guests + \(1)").run(writer) == 2)
      #expect(try SQL("DELETE FROM charters WHERE name = \("Alma")").run(writer) == 1)
      #expect(try SQL("DELETE FROM charters WHERE name = \("Alma")").run(writer) == 0)
      #expect(try Charter.all.all(writer).map(\.guests) == [5])
    }
  }

  @Test func `A statement that changes no rows does not report those of the former one`() throws {
    try fixture.connection.write { writer throws in
      #expect(try SQL("UPDATE charters SET guests = 1").run(writer) == 2)
      #expect(try SQL("SELECT 1").run(writer) == 0)
      #expect(try SQL("CREATE TABLE more (id)").run(writer) == 0)
      #expect(try SQL("DELETE FROM charters; SELECT 1").run(writer) == 0)
    }
  }

  @Test func `Statements that change rows can return them`() throws {
    let names = try fixture.connection.write {
      try SQL("UPDATE charters SET guests = 9 RETURNING name").all($0, as: String.self)
    }
    #expect(names.sorted() == ["Alma", "Bora"])
    #expect(try read { try Charter.where { $0.guests == 9 }.count($0) } == 2)
  }

  @Test func `A query is a fragment of another statement`() throws {
    let query = Charter.where { $0.guests > 2 }
    let sql: SQL = "SELECT name FROM (\(query.sql)) WHERE name <> \("x") AND guests < \(5)"
    #expect(try read { try sql.all($0, as: String.self) } == ["Bora"])
  }

  @Test func `A statement is fetched inside the fetch of another`() throws {
    let sql = SQL("SELECT name FROM charters")
    let counts = try read { reader in
      try sql.all(reader, as: String.self).map { _ in try sql.all(reader, as: String.self).count }
    }
    #expect(counts == [2, 2])
  }
}

struct ColumnOrderTests {
  private struct Pair: Record, Equatable {
    let first: String
    let second: String
    static let table = Table(
      "pairs", Pair.init, Column("first", \.first), Column("second", \.second))
  }

  @Test
  func `Columns that change places between two runs of a statement are still decoded correctly`()
    throws
  {
    let folder = try TemporaryFolder()
    let (one, other) = (
      try Connection(folder.file("a.sqlite")), try Connection(folder.file("a.sqlite"))
    )
    try one.write { writer in
      try SQL("CREATE TABLE pairs (first TEXT NOT NULL, second TEXT NOT NULL)").run(writer)
      try Pair(first: "1", second: "2").insert(writer)
    }
    let all: SQL = "SELECT * FROM pairs"
    let expected = [Pair(first: "1", second: "2")]
    #expect(try one.read { try all.all($0, as: Pair.self) } == expected)
    try other.write { writer in
      try SQL("ALTER TABLE pairs RENAME TO old").run(writer)
      try SQL("CREATE TABLE pairs AS SELECT second, first FROM old").run(writer)
      try SQL("DROP TABLE old").run(writer)
    }
    #expect(try one.read { try all.all($0, as: Pair.self) } == expected)
  }
}
