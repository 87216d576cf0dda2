import Testing

@testable import Offshore

/// The region that an observation reads, which decides which commits affect it.
struct ObservedRegionTests {
  private struct Odd: Record, Identifiable, Equatable {
    let id: String
    var rowid: String
    static let table = Table(
      "odd", Odd.init, Column("id", \.id).primaryKey(), Column("rowid", \.rowid))
  }

  private struct Odder: Record, Identifiable, Equatable {
    let id: String
    var text: String
    var number: Int
    var other: Int
    static let table = Table(
      "odder", Odder.init, Column("id", \.id).primaryKey(), Column("ROWID", \.text),
      Column("_rowid_", \.number), Column("oid", \.other))
  }

  @Test func `A change of one row does not fetch another that was found by its key`() async throws {
    let database = try await Database.withAlmaAndBura()
    let (ofAlma, ofBura) = (Counter(), Counter())
    var almas = database.charter(Charter.alma.id, ofAlma).makeAsyncIterator()
    var buras = database.charter(Charter.bura.id, ofBura).makeAsyncIterator()
    _ = try await (almas.next(), buras.next())
    var changed = Charter.bura
    changed.name = "Bura II"
    try await database.write { [changed] in try changed.update($0) }
    #expect(try await buras.next() == changed)
    try await database.write { [changed] in try changed.save($0) }
    try await database.write { try Charter("Cita").insert($0) }
    try await database.settleObservations()
    #expect(ofAlma.value == 1)
  }

  @Test func `An observation of a missing row sees its insertion and its deletion`() async throws {
    let database = try await Database.withAlmaAndBura()
    let cita = Charter("Cita")
    var values = database.charter(cita.id).makeAsyncIterator()
    #expect(try await values.next() == .some(nil))
    try await database.write { try cita.insert($0) }
    #expect(try await values.next() == cita)
    try await database.write { try cita.delete($0) }
    #expect(try await values.next() == .some(nil))
  }

  @Test(arguments: [
    "UPDATE charters SET name = 'New' WHERE name = 'Alma'",
    "UPDATE charters SET name = 'New'",
    "UPDATE charters SET rowid = 99, name = 'New' WHERE name = 'Alma'",
    "REPLACE INTO charters SELECT id, 'New', location, startDate, guests FROM charters",
    "INSERT INTO charters SELECT * FROM charters WHERE name = 'Alma' "
      + "ON CONFLICT (id) DO UPDATE SET name = 'New'",
    "WITH one AS (SELECT id FROM charters LIMIT 1) UPDATE charters SET name = 'New' "
      + "WHERE name = 'Alma'",
  ]) func `An observation of a row by its key sees every kind of update`(_ statement: String)
    async throws
  {
    let database = try await Database.withAlmaAndBura()
    var values = database.charter(Charter.alma.id).makeAsyncIterator()
    #expect(try await values.next()??.name == "Alma")
    try await database.write { try $0.run(SQL(raw: statement)) }
    #expect(try await values.next()??.name == "New")
  }

  @Test(arguments: [
    "DELETE FROM charters", "DELETE FROM charters WHERE name LIKE '%a'", "DROP TABLE charters",
  ]) func `Observations see every kind of deletion`(_ statement: String) async throws {
    let database = try await Database.withAlmaAndBura()
    var values = database.names().makeAsyncIterator()
    var one = database.charter(Charter.alma.id).makeAsyncIterator()
    #expect(try await values.next()?.count == 2)
    #expect(try await one.next() != .some(nil))
    try await database.write { writer in
      try writer.run(SQL(raw: statement))
      try writer.run("CREATE TABLE IF NOT EXISTS charters (id, name, location, startDate, guests)")
    }
    #expect(try await values.next() == [])
    #expect(try await one.next() == .some(nil))
  }

  @Test func `Changes by triggers and cascades are seen`() async throws {
    let database = try await Database.withAlmaAndBura()
    try await database.write { writer in
      try writer.run(
        """
        CREATE TABLE notes (charterID TEXT REFERENCES charters(id) ON DELETE CASCADE, text TEXT);
        CREATE TABLE log (entry TEXT);
        CREATE TRIGGER logged AFTER UPDATE ON charters BEGIN INSERT INTO log VALUES (new.name); END
        """)
      try writer.run("INSERT INTO notes VALUES (\(Charter.alma.id), 'x')")
    }
    var notes = database.values { try $0.integers("SELECT count(*) FROM notes") }
      .makeAsyncIterator()
    var log = database.values { try $0.integers("SELECT count(*) FROM log") }.makeAsyncIterator()
    #expect(try await notes.next() == [1])
    #expect(try await log.next() == [0])
    try await database.write { try $0.run("UPDATE charters SET name = 'x' WHERE name = 'Alma'") }
    #expect(try await log.next() == [1])
    try await database.write { try Charter.alma.delete($0) }
    #expect(try await notes.next() == [0])
  }

  @Test func `Reads of views, subqueries and tables without row ids are recorded`() async throws {
    let database = try await Database.withAlmaAndBura()
    try await database.write {
      try $0.run(
        """
        CREATE VIEW big AS SELECT name FROM charters WHERE guests > 5;
        CREATE TABLE pairs (a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID
        """)
    }
    var view = database.values { try $0.integers("SELECT count(*) FROM big") }.makeAsyncIterator()
    var nested = database.values {
      try $0.integers("WITH p AS (SELECT b FROM pairs) SELECT (SELECT sum(b) FROM p) + 0 FROM big")
    }.makeAsyncIterator()
    #expect(try await view.next() == [1])
    await #expect(throws: DatabaseError.self) { _ = try await nested.next() }  // The sum is NULL.
    try await database.write { try $0.run("INSERT INTO pairs VALUES ('x', 3)") }
    #expect(try await nested.next() == [3])
    try await database.write { try $0.run("UPDATE pairs SET b = 4") }
    #expect(try await nested.next() == [4])
    try await database.write { try $0.run("UPDATE charters SET guests = 9") }
    #expect(try await view.next() == [2])
  }

  @Test(arguments: ["VIRTUAL", "STORED"])
  func `A change of a column is seen by observations of columns generated from it`(_ kind: String)
    async throws
  {
    let database = try Database.temporary()
    try await database.write { writer in
      try writer.run(
        """
        CREATE TABLE orders (
          id INTEGER PRIMARY KEY, price INTEGER,
          half INTEGER GENERATED ALWAYS AS (price / 2) \(SQL(raw: kind)),
          quarter INTEGER GENERATED ALWAYS AS (half / 2) \(SQL(raw: kind)))
        """)
      try writer.run("INSERT INTO orders (price) VALUES (40)")
    }
    var values = database.values { try $0.integers("SELECT quarter FROM orders") }
      .makeAsyncIterator()
    #expect(try await values.next() == [10])
    try await database.write { try $0.run("UPDATE orders SET price = 80") }
    #expect(try await values.next() == [20])
  }

  @Test func `A table that is created after the observation began is seen`() async throws {
    let database = try await Database.withAlmaAndBura()
    var values = database.values { try $0.integers("SELECT count(*) FROM later") }
      .makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { _ = try await values.next() }
    try await database.write { try $0.run("CREATE TABLE later (x)") }
    #expect(try await values.next() == [0])
  }

  @Test func `Schema changes that recompile statements update the region that they read`()
    async throws
  {
    let database = try await Database.withAlmaAndBura()
    var values = database.values { try $0.integers("SELECT count(*) FROM big") }.makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { _ = try await values.next() }
    try await database.write { try $0.run("CREATE VIEW big AS SELECT * FROM charters") }
    #expect(try await values.next() == [2])
    try await database.write {
      try $0.run("CREATE TABLE other (x); DROP VIEW big; CREATE VIEW big AS SELECT * FROM other")
    }
    #expect(try await values.next() == [0])
    try await database.write { try $0.run("INSERT INTO other VALUES (1)") }
    #expect(try await values.next() == [1])
  }

  @Test func `A row is observed by its key even if a column is named like the row id`() async throws
  {
    let database = try Database.temporary()
    let odd = Odd(id: "a", rowid: "b")
    let odder = Odder(id: "a", text: "b", number: 1, other: 2)
    try await database.write { writer in
      try writer.run("CREATE TABLE odd (id TEXT PRIMARY KEY NOT NULL, rowid TEXT NOT NULL)")
      try writer.run("CREATE TABLE odder (id TEXT PRIMARY KEY NOT NULL, ROWID, _rowid_, oid)")
      try odd.insert(writer)
      try odder.insert(writer)
    }
    var odds = database.values(of: Odd.find("a")).makeAsyncIterator()
    var odders = database.values(of: Odder.find("a")).makeAsyncIterator()
    #expect(try await odds.next() == [odd])
    #expect(try await odders.next() == [odder])
    try await database.write { try $0.run("UPDATE odd SET rowid = 'c'; UPDATE odder SET oid = 3") }
    #expect(try await odds.next()?.first?.rowid == "c")
    #expect(try await odders.next()?.first?.other == 3)
  }
}
