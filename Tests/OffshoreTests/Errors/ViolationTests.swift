import Testing

@testable import Offshore

/// The violated rules of tables, as errors name them.
struct ViolationTests {
  private struct Berth: Record {
    let id: Int
    var harbour: String
    var number: Int
    var depth: Int?
    var boatID: Int?
    var neighbourID: Int?

    static let table = Table(
      "berths", Berth.init(id:harbour:number:depth:boatID:neighbourID:),
      Column("id", \.id).primaryKey(), Column("harbour", \.harbour), Column("number", \.number),
      Column("depth", \.depth), Column("boatID", \.boatID).references("boats"),
      Column("neighbourID", \.neighbourID).references("berths"))
  }

  private struct Boat: Record {
    let id: Int
    var name: String

    static let table = Table(
      "boats", Boat.init(id:name:), Column("id", \.id).primaryKey(), Column("name", \.name))
  }

  private let test: TestConnection

  init() throws {
    test = try TestConnection(
      "CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
      """
      CREATE TABLE berths (
        id INTEGER PRIMARY KEY, harbour TEXT NOT NULL, number INTEGER NOT NULL, depth INTEGER,
        boatID INTEGER REFERENCES boats, neighbourID INTEGER REFERENCES berths,
        UNIQUE (harbour, number), CONSTRAINT deep CHECK (depth > 1), CHECK (number > 0))
      """,
      "CREATE UNIQUE INDEX byUpperHarbour ON berths (upper(harbour), depth)")
  }

  private func violation(_ change: (Writer) throws -> Void) -> DatabaseError.Violation? {
    databaseError { try test.connection.write(change) }?.violation
  }

  private func berth(_ id: Int = 1, number: Int = 1, depth: Int? = nil, boatID: Int? = nil) -> Berth
  {
    Berth(
      id: id, harbour: "Vis", number: number, depth: depth, boatID: boatID, neighbourID: nil)
  }

  @Test func `A unique key is named by its columns`() {
    #expect(
      violation { writer in
        try berth(number: 1).insert(writer)
        try berth(number: 2).insert(writer)
      } == .unique(columns: ["id"]))
    #expect(
      violation { writer in
        try berth(1).insert(writer)
        try berth(2).insert(writer)
      } == .unique(columns: ["harbour", "number"]))
    #expect(
      violation { writer in
        try berth(1, number: 1, depth: 3).insert(writer)
        try berth(2, number: 2, depth: 3).insert(writer)
      } == .unique(columns: []))
  }

  @Test func `A condition is named by its name, or by its expression`() {
    #expect(violation { try berth(depth: 1).insert($0) } == .check("deep"))
    #expect(violation { try berth(number: 0).insert($0) } == .check("number > 0"))
  }

  @Test func `A column that accepts no NULL is named`() {
    #expect(
      violation { try SQL("INSERT INTO boats (id) VALUES (1)").run($0) } == .notNull(column: "name")
    )
  }

  @Test func `A dangling reference is named by its column, at once or at the end`() {
    #expect(violation { try berth(boatID: 7).insert($0) } == .foreignKey(column: "boatID"))
    #expect(
      violation { writer in
        try berth().insert(writer)
        try berth(boatID: 7).update(writer)
      } == .foreignKey(column: "boatID"))
    let deferred = databaseError {
      try test.connection.write { writer in
        try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
        try berth(boatID: 7).insert(writer)
      }
    }
    #expect(deferred?.code == .danglingReference)
    #expect(deferred?.table == "berths")
    #expect(deferred?.violation == .foreignKey(column: "boatID"))
    #expect(
      violation { try SQL("INSERT INTO berths VALUES (1, 'Vis', 1, NULL, 7, NULL)").run($0) }
        == .foreignKey(column: nil))
  }

  @Test func `The message for a dangling reference says which row to insert`() throws {
    let error = databaseError { try test.connection.write { try berth(boatID: 7).insert($0) } }
    #expect(
      error?.description.contains("“boatID” of “berths” refers to a row that does not exist")
        == true)
    #expect(error?.isMissingRow == true)
  }

  @Test func `A row that others refer to is refused with their table and column`() throws {
    let error = databaseError {
      try test.connection.write { writer in
        let boat = Boat(id: 7, name: "Alma")
        try boat.insert(writer)
        try berth(boatID: 7).insert(writer)
        try boat.delete(writer)
      }
    }
    #expect(error?.table == "berths" && error?.violation == .foreignKey(column: "boatID"))
    #expect(
      error?.description.contains(
        "“boatID” of “berths” refers to this row of “boats”. Delete the rows that refer to it before"
      )
        == true)
  }

  @Test func `A deletion names the reference that prevents it, not one that cascades`() throws {
    let chain = try TestConnection(
      "CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
      "CREATE TABLE crews (id INTEGER PRIMARY KEY, boatID INTEGER REFERENCES boats ON DELETE CASCADE)",
      "CREATE TABLE trips (id INTEGER PRIMARY KEY, boatID INTEGER REFERENCES boats)")
    let error = databaseError {
      try chain.connection.write { writer in
        let boat = Boat(id: 7, name: "Alma")
        try boat.insert(writer)
        try SQL("INSERT INTO crews VALUES (1, 7)").run(writer)
        try SQL("INSERT INTO trips VALUES (1, 7)").run(writer)
        try boat.delete(writer)
      }
    }
    #expect(error?.table == "trips" && error?.violation == .foreignKey(column: "boatID"))
    #expect(error?.rowKey == [])
  }

  @Test func `Other errors violate no rule`() {
    #expect(violation { try SQL("INSERT INTO nowhere VALUES (1)").run($0) } == nil)
    #expect(DatabaseError(.busy, "x").violation == nil)
  }

  @Test func `A row is inserted unless a unique value is taken`() throws {
    try test.connection.write { writer throws in
      #expect(try berth(1).insertIfAbsent(writer))
      #expect(try !berth(1, number: 2).insertIfAbsent(writer))
      #expect(try !berth(2).insertIfAbsent(writer))
      #expect(try Berth.all.count(writer) == 1)
    }
    #expect(violation { try berth(3, number: 3, depth: 0).insertIfAbsent($0) } == .check("deep"))
  }
}
