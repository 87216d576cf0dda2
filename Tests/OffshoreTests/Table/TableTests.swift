import Foundation
import Testing

@testable import Offshore

struct TableTests {
  @Test func `The statements of a table are generated once, with every name quoted`() {
    let sql = Charter.table.plan.sql
    let columns = #""id", "name", "location", "startDate", "guests""#
    #expect(sql.columnList == columns)
    #expect(sql.select == "SELECT \(columns) FROM \"charters\"")
    #expect(sql.selectByKey == "SELECT \(columns) FROM \"charters\" WHERE \"id\" = ?1")
    #expect(sql.insert == "INSERT INTO \"charters\" (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5)")
    #expect(sql.update.hasSuffix(#" WHERE "id" = ?1"#))
    #expect(sql.save.contains(#"ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name""#))
    #expect(!sql.save.contains("REPLACE"))
  }

  @Test func `Columns keep their names, types, and nullability`() {
    #expect(Charter.table.name == "charters")
    #expect(Charter.table.columns.map(\.sqlType) == ["TEXT", "TEXT", "TEXT", "REAL", "INTEGER"])
    #expect(Charter.table.columns.map(\.isNullable) == [false, false, true, false, false])
    #expect(Charter.table.columns.map(\.isPrimaryKey) == [true, false, false, false, false])
  }

  @Test func `A column is found by its key path`() {
    let plan = Charter.table.plan
    #expect(plan.indexByKeyPath[\Charter.id] == 0)
    #expect(plan.indexByKeyPath[\Charter.guests] == 4)
    #expect(plan.indexByKeyPath[\Charter.name.count] == nil)
  }

  @Test func `Names that need quotes can be used`() throws {
    let test = try TestConnection(
      "CREATE TABLE \"odd \"\"table\"\"\" (\"select\" TEXT PRIMARY KEY, \"a \"\"b\"\"\" INTEGER)")
    let row = Odd(key: "k", value: 3)
    try test.connection.write { writer in
      try row.insert(writer)
      try row.save(writer)
      try row.update(writer)
      try row.update(changing: Odd(key: "k", value: 4), writer)
    }
    #expect(try test.connection.read { try Odd.all.all($0) } == [Odd(key: "k", value: 4)])
  }

  @Test func `Rows of a class are written by their key paths`() throws {
    let test = try TestConnection("CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT)")
    try test.connection.write { writer in
      try Boat(id: 1, name: "Alma").insert(writer)
      try Boat.insert(contentsOf: [Boat(id: 2, name: "Bura"), Boat(id: 3, name: nil)], writer)
    }
    let boats = try test.connection.read { try Boat.order { $0.id }.all($0) }
    #expect(boats.map(\.id) == [1, 2, 3])
    #expect(boats.map(\.name) == ["Alma", "Bura", nil])
  }

  @Test func `A computed property can be a column`() throws {
    let test = try TestConnection("CREATE TABLE spans (id INTEGER PRIMARY KEY, finish REAL)")
    let span = Span(id: 7, finish: 9)
    try test.connection.write { try Span.insert(contentsOf: [span], $0) }
    #expect(try test.connection.texts("SELECT id || ' ' || finish FROM spans") == ["7 9.0"])
    #expect(try test.connection.read { try Span.all.all($0) } == [span])
  }

  @Test func `A property of a property can be a column`() throws {
    let test = try TestConnection("CREATE TABLE places (id INTEGER PRIMARY KEY, x REAL, y REAL)")
    let place = Place(id: 1, x: 2, y: 3)
    try test.connection.write { try place.insert($0) }
    #expect(try test.connection.read { try Place.all.all($0) } == [place])
  }

  @Test func `A wide table with every alignment loads as it was stored`() throws {
    let test = try TestConnection(
      "CREATE TABLE mixed (a INTEGER, b INTEGER, c REAL, d INTEGER, e BLOB, f INTEGER, g TEXT)")
    let row = Mixed(a: true, b: -7, c: 0.5, d: .max, e: Data([1]), f: nil, g: "x")
    try test.connection.write { try Mixed.insert(contentsOf: [row, row], $0) }
    #expect(try test.connection.read { try Mixed.all.all($0) } == [row, row])
  }

  @Test func `Modifiers are in the definition of their column`() {
    let definition = Column("charterID", \Checklist.charterID)
      .unique().indexed().references("charters", onDelete: .setNull, isDeferred: true)
      .collate(.noCase).check("length(charterID) = 36").type("VARCHAR(36)").definition
    #expect(definition.isUnique)
    #expect(definition.index == .automatic)
    #expect(definition.reference?.table == "charters")
    #expect(definition.reference?.onDelete == .setNull)
    #expect(definition.reference?.isDeferred == true)
    #expect(definition.collation == .noCase)
    #expect(definition.checkSQL == "length(charterID) = 36")
    #expect(definition.sqlType == "VARCHAR(36)")
  }

  @Test func `A default is the value's SQL literal`() {
    #expect(Column("name", \Charter.name).default("O'Hara").definition.defaultSQL == "'O''Hara'")
    #expect(Column("guests", \Charter.guests).default(-3).definition.defaultSQL == "-3")
    #expect(Column("location", \Charter.location).default(nil).definition.defaultSQL == "NULL")
  }

  @Test func `An index gets its name from the table and its columns`() {
    let table = Charter.table.index(\.name, \.guests, isUnique: true).index(
      \.location, name: "mine")
    #expect(
      table.indexes == [
        IndexDefinition(
          name: "idx_charters_name_guests", columns: ["name", "guests"], isUnique: true),
        IndexDefinition(name: "mine", columns: ["location"], isUnique: false),
      ])
  }
}

private struct Odd: Record, Equatable {
  var key: String
  var value: Int
  static let table = Table(
    "odd \"table\"", Odd.init, Column("select", \.key).primaryKey(), Column("a \"b\"", \.value))
}

private final class Boat: Record {
  let id: Int
  let name: String?

  init(id: Int, name: String?) {
    self.id = id
    self.name = name
  }

  static let table = Table(
    "boats", Boat.init(id:name:), Column("id", \.id).primaryKey(), Column("name", \.name))
}

private struct Span: Record, Equatable {
  let id: Int
  private var length: Double
  var finish: Double { length + Double(id) }

  init(id: Int, finish: Double) {
    self.id = id
    length = finish - Double(id)
  }

  static let table = Table(
    "spans", Span.init(id:finish:), Column("id", \.id).primaryKey(), Column("finish", \.finish))
}

private struct Place: Record, Equatable {
  struct Point: Equatable {
    var x: Double
    var y: Double
  }

  let id: Int
  var point: Point

  init(id: Int, x: Double, y: Double) {
    self.id = id
    point = Point(x: x, y: y)
  }

  static let table = Table(
    "places", Place.init(id:x:y:), Column("id", \.id).primaryKey(), Column("x", \.point.x),
    Column("y", \.point.y))
}

private struct Mixed: Record, Equatable {
  var a: Bool
  var b: Int8
  var c: Float
  var d: Int64
  var e: Data
  var f: UInt16?
  var g: String

  static let table = Table(
    "mixed", Mixed.init, Column("a", \.a), Column("b", \.b), Column("c", \.c), Column("d", \.d),
    Column("e", \.e), Column("f", \.f), Column("g", \.g))
}
