import Testing

@testable import Offshore

struct RemovedRowsTests {
  private struct Boat: Record, Identifiable {
    let id: String
    static let table = Table("boats", Boat.init, Column("id", \.id).primaryKey())
  }

  private struct Flag: Record, Identifiable {
    let id: Int
    static let table = Table("flags", Flag.init, Column("id", \.id).primaryKey())
  }

  private struct Berth: Record {
    let boat: String
    let number: Int
    static let table = Table(
      "berths", Berth.init, Column("boat", \.boat).primaryKey(),
      Column("number", \.number).primaryKey())
  }

  private let test: TestConnection
  private var connection: Connection { test.connection }

  init() throws {
    test = try TestConnection(
      "CREATE TABLE boats (id TEXT PRIMARY KEY NOT NULL, name)",
      """
      CREATE TABLE berths (
        Boat TEXT NOT NULL REFERENCES Boats ON DELETE CASCADE, number INTEGER, note,
        label TEXT AS ('Berth ' || number), PRIMARY KEY (Boat, number)) WITHOUT ROWID
      """,
      """
      CREATE TABLE nails (
        boat TEXT, berth INTEGER, size REAL,
        FOREIGN KEY (boat, berth) REFERENCES berths (boat, number) ON DELETE CASCADE)
      """,
      """
      CREATE TABLE skippers (
        id INTEGER PRIMARY KEY, boat TEXT REFERENCES boats (id) ON DELETE SET NULL,
        spare TEXT DEFAULT 'none' REFERENCES boats ON DELETE SET DEFAULT)
      """,
      "CREATE TABLE flags (id INTEGER PRIMARY KEY, over INTEGER REFERENCES flags ON DELETE CASCADE)",
      "CREATE TABLE locks (boat TEXT REFERENCES boats ON DELETE RESTRICT)")
    try connection.change(
      """
      INSERT INTO boats VALUES ('none', NULL), ('a', 'Alma'), ('b', 'Bora');
      INSERT INTO berths (boat, number, note) VALUES ('a', 1, 'Wide'), ('a', 2, NULL), ('b', 1, 7);
      INSERT INTO nails VALUES ('a', 1, 2.5), ('a', 1, 2.5), ('a', 2, NULL), ('b', 1, 1), (NULL, 1, 9);
      INSERT INTO skippers VALUES (1, 'a', 'b'), (2, 'b', 'a'), (3, 'a', 'a'), (4, NULL, 'none');
      INSERT INTO flags VALUES (1, 2), (2, 3), (3, 1), (4, 3), (5, NULL)
      """)
  }

  /// Returns all stored values, bit by bit, rows in their order.
  private func dump() throws -> [String] {
    try ["boats", "berths", "nails", "skippers", "flags", "locks"].flatMap { table in
      let columns = try connection.texts("SELECT name FROM pragma_table_xinfo(\(table))")
      let values = columns.map { "typeof(\($0)) || hex(\($0))" }
      return try connection.texts(
        SQL(raw: "SELECT '\(table)' || \(values.joined(separator: " || ',' || ")) FROM \(table)"))
    }
  }

  private func remove(_ query: Query<Boat>) throws -> RemovedRows {
    try connection.write { try $0.remove(query) }
  }

  private func restore(_ removed: RemovedRows) throws {
    try connection.write { try removed.restore($0) }
  }

  private func skippers() throws -> [String] {
    try connection.texts(
      "SELECT id || ' ' || ifnull(boat, '-') || ' ' || spare FROM skippers ORDER BY id")
  }

  private func count(_ table: String) throws -> Int? {
    try connection.number("SELECT count(*) FROM \(identifier: table)")
  }

  @Test func `A row is restored with all rows that were removed with it`() throws {
    let before = try dump()
    let removed = try remove(Boat.find("a"))
    #expect(try count("berths") == 1)
    #expect(try count("nails") == 2)
    #expect(!removed.isEmpty)
    try restore(removed)
    #expect(try dump().sorted() == before.sorted())
  }

  @Test func `Invalid values are restored unchanged`() throws {
    try connection.change(
      """
      UPDATE boats SET name = CAST(x'5BFF' AS TEXT) WHERE id = 'a';
      UPDATE berths SET note = x'00FF' WHERE boat = 'a' AND number = 1;
      UPDATE berths SET note = 'a' || char(0) || 'b' WHERE boat = 'a' AND number = 2;
      UPDATE nails SET size = 9e999 WHERE boat = 'a'
      """)
    let before = try dump()
    try restore(remove(Boat.find("a")))
    #expect(try dump().sorted() == before.sorted())
  }

  @Test func `A key that is not UTF-8 is restored too`() throws {
    try connection.change(
      """
      INSERT INTO boats VALUES (CAST(x'FF' AS TEXT), 'Odd');
      INSERT INTO berths (boat, number) VALUES (CAST(x'FF' AS TEXT), 5)
      """)
    let before = try dump()
    let removed = try connection.write { try $0.remove(Boat.where { $0.id > "o" }) }
    #expect(try count("berths") == 3)
    try restore(removed)
    #expect(try dump().sorted() == before.sorted())
  }

  @Test func `References that a removal sets to NULL are restored`() throws {
    let removed = try remove(Boat.find("a"))
    #expect(try skippers() == ["1 - b", "2 b none", "3 - none", "4 - none"])
    try restore(removed)
    #expect(try skippers() == ["1 a b", "2 b a", "3 a a", "4 - none"])
  }

  @Test func `A reference that was changed since stays, and a row deleted since stays deleted`()
    throws
  {
    let removed = try remove(Boat.find("a"))
    try connection.change("UPDATE skippers SET boat = 'b' WHERE id = 1")
    try connection.change("DELETE FROM skippers WHERE id = 3")
    try restore(removed)
    #expect(try skippers() == ["1 b b", "2 b a", "4 - none"])
  }

  @Test func `Rows that refer to each other in a cycle are restored`() throws {
    let before = try dump()
    let removed = try connection.write { try $0.remove(Flag.find(1)) }
    #expect(try connection.texts("SELECT CAST(id AS TEXT) FROM flags") == ["5"])
    try restore(removed)
    #expect(try dump().sorted() == before.sorted())
  }

  @Test func `Rows of several queries are removed together`() throws {
    let before = try dump()
    let removed = try connection.write { writer in
      try writer.remove(Boat.where { $0.id != "none" }, Flag.all)
    }
    #expect(try [count("boats"), count("berths"), count("flags")] == [1, 0, 0])
    try restore(removed)
    #expect(try dump().sorted() == before.sorted())
  }

  @Test func `A row that was inserted again stays as it is`() throws {
    let removed = try remove(Boat.find("a"))
    try connection.change("INSERT INTO boats VALUES ('a', 'Another')")
    try restore(removed)
    let names = try connection.texts("SELECT name FROM boats WHERE id = 'a'")
    #expect(names == ["Another"])
    #expect(try count("berths") == 3)
  }

  @Test func `Rows whose parent was deleted are not restored`() throws {
    let removed = try connection.write { try $0.remove(Berth.where { $0.boat == "a" }) }
    try connection.change("DELETE FROM boats WHERE id = 'a'")
    let before = try dump()
    #expect(databaseError { try restore(removed) }?.code == .danglingReference)
    #expect(try dump() == before)
  }

  @Test func `A row that is restricted by others stays, with all rows that refer to it`() throws {
    try connection.change("INSERT INTO locks VALUES ('a')")
    let before = try dump()
    #expect(databaseError { _ = try remove(Boat.find("a")) }?.code == .constraint)
    #expect(try dump() == before)
  }

  @Test func `A query without matches removes nothing`() throws {
    let before = try dump()
    let removed = try remove(Boat.find("x"))
    #expect(removed.isEmpty)
    try restore(removed)
    #expect(try dump() == before)
  }

  @Test func `A query with an order or a limit is refused`() {
    let error = databaseError { _ = try remove(Boat.all.limit(1)) }
    #expect(error?.code == .invalidSQL)
    #expect(error?.message.contains("removed") == true)
  }

  @Test func `A file without such a table is an error with the remedy`() throws {
    try connection.change("DROP TABLE flags")
    let error = databaseError { _ = try connection.write { try $0.remove(Flag.all) } }
    #expect(error?.code == .notFound)
  }
}
