import Foundation
import Synchronization
import Testing

@testable import Offshore

struct ObservedValuesTests {
  private let alma = Charter("Alma", location: "Biograd", guests: 4)
  private let bura = Charter("Bura", location: "Split", guests: 8)

  private func database() async throws -> Database {
    let database = try await Database.withCharters()
    try await database.write { [alma, bura] in try Charter.insert(contentsOf: [alma, bura], $0) }
    return database
  }

  /// Says yes once after it was told to.
  private final class HeldOnce: Sendable {
    private let isArmed = Mutex(false)

    func arm() { isArmed.withLock { $0 = true } }

    func take() -> Bool {
      isArmed.withLock { isArmed in
        defer { isArmed = false }
        return isArmed
      }
    }
  }

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

  /// Counts how often an observed closure runs.
  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock(\.self) }
    func increment() { count.withLock { $0 += 1 } }
  }

  private func names(_ database: Database, _ counter: Counter? = nil) -> ObservedValues<[String]> {
    database.values { reader in
      counter?.increment()
      return try reader.connection.fetch("SELECT name FROM charters ORDER BY name") {
        try $0.value(String.self)
      }
    }
  }

  private func charter(
    _ id: UUID, _ database: Database, _ counter: Counter? = nil
  ) -> ObservedValues<Charter?> {
    database.values { reader in
      counter?.increment()
      return try reader.connection.fetch(Charter.self, key: [.text(id.uuidString)])
    }
  }

  /// Waits until every fetch that earlier commits made necessary is over.
  private func settle(_ database: Database) async throws {
    var values = database.values { try $0.integers("SELECT count(*) FROM charters") }
      .makeAsyncIterator()
    let before = try await values.next()
    let marker = Charter("marker")
    try await database.write { try marker.insert($0) }
    #expect(try await values.next() != before)
    try await database.write { try marker.delete($0) }
    #expect(try await values.next() == before)
  }

  @Test("The first values come at once, then one for each commit that changes them")
  func follows() async throws {
    let database = try await database()
    var values = names(database).makeAsyncIterator()
    #expect(try await values.next() == ["Alma", "Bura"])
    try await database.write { try Charter("Cita").insert($0) }
    #expect(try await values.next() == ["Alma", "Bura", "Cita"])
    try await database.write { [bura] in try bura.delete($0) }
    #expect(try await values.next() == ["Alma", "Cita"])
  }

  @Test("A write that is rolled back wakes nobody")
  func rolledBack() async throws {
    let database = try await database()
    let counter = Counter()
    var values = names(database, counter).makeAsyncIterator()
    _ = try await values.next()
    await #expect(throws: CancellationError.self) {
      try await database.write { writer in
        try Charter("Cita").insert(writer)
        throw CancellationError()
      }
    }
    try await database.write { try $0.run("CREATE TABLE IF NOT EXISTS charters (id)") }
    try await database.write { try Charter("Dora").insert($0) }
    #expect(try await values.next() == ["Alma", "Bura", "Dora"])
    #expect(counter.value == 2)
  }

  @Test("A savepoint that is rolled back inside a write wakes nobody")
  func savepointRolledBack() async throws {
    let database = try await database()
    let counter = Counter()
    var values = names(database, counter).makeAsyncIterator()
    _ = try await values.next()
    try await database.write { writer in
      try? writer.savepoint { inner in
        try Charter("Cita").insert(inner)
        throw CancellationError()
      }
    }
    try await database.write { try Charter("Dora").insert($0) }
    #expect(try await values.next() == ["Alma", "Bura", "Dora"])
    #expect(counter.value == 2)
  }

  @Test("A write to another table or column does not fetch again")
  func unrelated() async throws {
    let database = try await database()
    try await database.write { try $0.run("CREATE TABLE notes (text TEXT)") }
    let counter = Counter()
    var values = names(database, counter).makeAsyncIterator()
    _ = try await values.next()
    try await database.write { try $0.run("INSERT INTO notes VALUES ('x')") }
    try await database.write { try $0.run("UPDATE charters SET guests = guests + 1") }
    try await database.write { try $0.run("UPDATE charters SET name = upper(name)") }
    #expect(try await values.next() == ["ALMA", "BURA"])
    #expect(counter.value == 2)
  }

  @Test("Values that are fetched again but equal are not delivered twice")
  func equalValues() async throws {
    let database = try await database()
    var values = names(database).makeAsyncIterator()
    _ = try await values.next()
    try await database.write { try $0.run("UPDATE charters SET name = name") }
    try await database.write { try Charter("Cita").insert($0) }
    #expect(try await values.next() == ["Alma", "Bura", "Cita"])
  }

  @Test("A change of one row does not fetch another that was found by its key")
  func narrowsToRow() async throws {
    let database = try await database()
    let (ofAlma, ofBura) = (Counter(), Counter())
    var almas = charter(alma.id, database, ofAlma).makeAsyncIterator()
    var buras = charter(bura.id, database, ofBura).makeAsyncIterator()
    _ = try await (almas.next(), buras.next())
    var changed = bura
    changed.name = "Bura II"
    try await database.write { [changed] in try changed.update($0) }
    #expect(try await buras.next() == changed)
    try await database.write { [changed] in try changed.save($0) }
    try await database.write { try Charter("Cita").insert($0) }
    try await settle(database)
    #expect(ofAlma.value == 1)
  }

  @Test("A row that does not exist yet is seen when it comes, and when it goes")
  func missingRow() async throws {
    let database = try await database()
    let cita = Charter("Cita")
    var values = charter(cita.id, database).makeAsyncIterator()
    #expect(try await values.next() == .some(nil))
    try await database.write { try cita.insert($0) }
    #expect(try await values.next() == cita)
    try await database.write { try cita.delete($0) }
    #expect(try await values.next() == .some(nil))
  }

  @Test(
    "Whatever way a row changes, who found it by its key sees it",
    arguments: [
      "UPDATE charters SET name = 'New' WHERE name = 'Alma'",
      "UPDATE charters SET name = 'New'",
      "UPDATE charters SET rowid = 99, name = 'New' WHERE name = 'Alma'",
      "REPLACE INTO charters SELECT id, 'New', location, startDate, guests FROM charters",
      "INSERT INTO charters SELECT * FROM charters WHERE name = 'Alma' "
        + "ON CONFLICT (id) DO UPDATE SET name = 'New'",
      "WITH one AS (SELECT id FROM charters LIMIT 1) UPDATE charters SET name = 'New' "
        + "WHERE name = 'Alma'",
    ])
  func everyKindOfChange(_ statement: String) async throws {
    let database = try await database()
    var values = charter(alma.id, database).makeAsyncIterator()
    #expect(try await values.next()??.name == "Alma")
    try await database.write { try $0.run(SQL(raw: statement)) }
    #expect(try await values.next()??.name == "New")
  }

  @Test(
    "Whatever way rows go, who reads them sees it",
    arguments: [
      "DELETE FROM charters", "DELETE FROM charters WHERE name LIKE '%a'", "DROP TABLE charters",
    ])
  func everyKindOfDeletion(_ statement: String) async throws {
    let database = try await database()
    var values = names(database).makeAsyncIterator()
    var one = charter(alma.id, database).makeAsyncIterator()
    #expect(try await values.next()?.count == 2)
    #expect(try await one.next() != .some(nil))
    try await database.write { writer in
      try writer.run(SQL(raw: statement))
      try writer.run("CREATE TABLE IF NOT EXISTS charters (id, name, location, startDate, guests)")
    }
    #expect(try await values.next() == [])
    #expect(try await one.next() == .some(nil))
  }

  @Test("Changes that triggers and cascades make are seen")
  func triggersAndCascades() async throws {
    let database = try await database()
    try await database.write { [alma] writer in
      try writer.run(
        """
        CREATE TABLE notes (charterID TEXT REFERENCES charters(id) ON DELETE CASCADE, text TEXT);
        CREATE TABLE log (entry TEXT);
        CREATE TRIGGER logged AFTER UPDATE ON charters BEGIN INSERT INTO log VALUES (new.name); END
        """)
      try writer.run("INSERT INTO notes VALUES (\(alma.id), 'x')")
    }
    var notes = database.values { try $0.integers("SELECT count(*) FROM notes") }
      .makeAsyncIterator()
    var log = database.values { try $0.integers("SELECT count(*) FROM log") }.makeAsyncIterator()
    #expect(try await notes.next() == [1])
    #expect(try await log.next() == [0])
    try await database.write { try $0.run("UPDATE charters SET name = 'x' WHERE name = 'Alma'") }
    #expect(try await log.next() == [1])
    try await database.write { [alma] in try alma.delete($0) }
    #expect(try await notes.next() == [0])
  }

  @Test("What a view, a subquery, or a table without row ids reads is known")
  func indirectReads() async throws {
    let database = try await database()
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

  @Test(
    "A change of a column is seen by who reads what is generated from it",
    arguments: ["VIRTUAL", "STORED"])
  func generatedColumns(_ kind: String) async throws {
    let database = try Database.inMemory()
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

  @Test("A consumer that takes its time gets the latest values only")
  func latestOnly() async throws {
    let database = try await database()
    let values = names(database)
    var slow = values.makeAsyncIterator()
    _ = try await slow.next()
    var fast = names(database).makeAsyncIterator()
    _ = try await fast.next()
    for index in 0..<20 {
      try await database.write { try $0.run("UPDATE charters SET name = \("\(index)")") }
      #expect(try await fast.next() == ["\(index)", "\(index)"])
    }
    // One value may have been kept, one more be on its way, and then comes the last.
    var taken = 1
    while try await slow.next() != ["19", "19"] { taken += 1 }
    #expect(taken <= 3)
  }

  @Test("Observations of the same query share one fetch")
  func sharedFetch() async throws {
    let database = try await database()
    let counter = Counter()
    let sql: SQL = "SELECT name FROM charters"
    let all = (0..<10).map { _ in
      ObservedValues(database, sql) { reader in
        counter.increment()
        return try reader.connection.fetch(sql) { try $0.value(String.self) }
      }
    }
    for values in all {
      var iterator = values.makeAsyncIterator()
      #expect(try await iterator.next()?.count == 2)
    }
    #expect(counter.value == 1)
  }

  /// Follows names by a fetch that several share, and that a test can hold after it has read.
  private func heldNames(
    _ database: Database, _ hold: HeldOnce, _ reached: Gate, _ goOn: Gate
  ) -> ObservedValues<[String]> {
    let sql: SQL = "SELECT name FROM charters ORDER BY name"
    return ObservedValues(database, sql) { reader in
      let names = try reader.connection.fetch(sql) { try $0.value(String.self) }
      if hold.take() {
        reached.open()
        goOn.wait()
      }
      return names
    }
  }

  @Test("Who joins after a write was answered first gets a value that holds it")
  func joinsAfterWrite() async throws {
    let database = try await database()
    let (reached, goOn, hold) = (Gate(), Gate(), HeldOnce())
    var first = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    #expect(try await first.next() == ["Alma", "Bura"])
    hold.arm()
    try await database.write { try Charter("Cita").insert($0) }
    await reached.opened()
    // The fetch has read, but nobody has what it read.
    var second = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    try await database.write { try Charter("Dora").insert($0) }
    // What the fetch has read is out of date by now.
    var third = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    goOn.open()
    #expect(try await third.next() == ["Alma", "Bura", "Cita", "Dora"])
    #expect(try await second.next() == ["Alma", "Bura", "Cita", "Dora"])
    var fourth = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    #expect(try await fourth.next() == ["Alma", "Bura", "Cita", "Dora"])
  }

  @Test("Who joins during a fetch that brings nothing new gets the value all the same")
  func joinsDuringEqualFetch() async throws {
    let database = try await database()
    let (reached, goOn, hold) = (Gate(), Gate(), HeldOnce())
    var first = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    _ = try await first.next()
    hold.arm()
    try await database.write { try $0.run("UPDATE charters SET name = name") }
    await reached.opened()
    var second = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    goOn.open()
    #expect(try await second.next() == ["Alma", "Bura"])
  }

  @Test("An error is thrown once, and the observation goes on when a commit mends it")
  func recovers() async throws {
    let database = try await database()
    let values = database.values { try $0.integers("SELECT guests FROM charters LIMIT 1") }
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next() == [4])
    try await database.write { try $0.run("UPDATE charters SET guests = 'many'") }
    let error = await #expect(throws: DatabaseError.self) { _ = try await iterator.next() }
    #expect(error?.code == .invalidValue)
    guard case .failed = values.status else {
      Issue.record("The failure is not visible: \(values.status)")
      return
    }
    try await database.write { try $0.run("UPDATE charters SET guests = 4") }
    #expect(try await iterator.next() == [4])
  }

  @Test("A table that is made after the observation began is seen")
  func laterTable() async throws {
    let database = try await database()
    var values = database.values { try $0.integers("SELECT count(*) FROM later") }
      .makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { _ = try await values.next() }
    try await database.write { try $0.run("CREATE TABLE later (x)") }
    #expect(try await values.next() == [0])
  }

  @Test("Schema changes that compile statements anew do not lose sight of what they read")
  func schemaChanges() async throws {
    let database = try await database()
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

  @Test("An observation says why it fetched")
  func explains() async throws {
    let database = try await database()
    let values = names(database)
    var iterator = values.makeAsyncIterator()
    _ = try await iterator.next()
    #expect(values.explain() == "the first fetch")
    try await database.write { try $0.run("UPDATE charters SET name = 'x'") }
    _ = try await iterator.next()
    #expect(values.explain().contains("changed charters (name)"))
  }

  @Test("Cancelling the task ends the iteration")
  func cancellation() async throws {
    let database = try await database()
    let first = Gate()
    let task = Task {
      var seen = 0
      for try await _ in names(database) {
        seen += 1
        first.open()
      }
      return seen
    }
    await first.opened()
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test("Closing the database ends an observation with an error that says so")
  func closing() async throws {
    let database = try await database()
    var values = names(database).makeAsyncIterator()
    _ = try await values.next()
    await database.close()
    let error = await #expect(throws: DatabaseError.self) { _ = try await values.next() }
    #expect(error?.code == .closed)
  }

  @Test("Whoever asks an observation of a closed database is told so, each time")
  func askingAfterClosing() async throws {
    let database = try await database()
    let values = names(database)
    var iterator = values.makeAsyncIterator()
    _ = try await iterator.next()
    await database.close()
    var late = names(database).makeAsyncIterator()
    for _ in 0..<3 {
      let error = await #expect(throws: DatabaseError.self) { _ = try await iterator.next() }
      #expect(error?.code == .closed)
      let lateError = await #expect(throws: DatabaseError.self) { _ = try await late.next() }
      #expect(lateError?.code == .closed)
    }
  }

  @Test("A fetch that ends after the database was closed does not hide that it was")
  func fetchEndsAfterClosing() async throws {
    let database = try await database()
    let (reached, goOn) = (Gate(), Gate())
    let values = database.values { _ in
      reached.open()
      goOn.wait()
      return 7
    }
    await reached.opened()
    async let closing: Void = database.close()
    var other = names(database).makeAsyncIterator()
    // Until the database refuses, it is being closed.
    while (try? await other.next()) != nil { other = names(database).makeAsyncIterator() }
    goOn.open()
    await closing
    var iterator = values.makeAsyncIterator()
    let error = await #expect(throws: DatabaseError.self) { _ = try await iterator.next() }
    #expect(error?.code == .closed)
    guard case .failed = values.status else {
      Issue.record("The end is not visible: \(values.status)")
      return
    }
  }

  @Test("Who joins an observation that has failed gets its failure at once")
  func joinsFailed() async throws {
    let database = try await database()
    try await database.write { try $0.run("UPDATE charters SET guests = 'many'") }
    let first = database.values(of: Charter.all)
    var iterator = first.makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { _ = try await iterator.next() }
    var joined = database.values(of: Charter.all).makeAsyncIterator()
    let error = await #expect(throws: DatabaseError.self) { _ = try await joined.next() }
    #expect(error?.code == .invalidValue)
    try await database.write { try $0.run("UPDATE charters SET guests = 4") }
    #expect(try await iterator.next()?.count == 2)
    #expect(try await joined.next()?.count == 2)
  }

  @Test("An observation goes on when a connection could not be opened for a while")
  func connectionRefused() async throws {
    let openings = Counter()
    var configuration = DatabaseConfiguration()
    configuration.readerCount = 1
    configuration.prepareConnection = { _ in
      openings.increment()
      // The first is the writer's.
      if 2...3 ~= openings.value { throw CancellationError() }
    }
    let database = try Database.inMemory(configuration: configuration)
    let values = database.values { try $0.integers("SELECT 7") }
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next() == [7])
    #expect(openings.value == 4)
    #expect(values.explain() == "the last fetch failed (cannotOpen)")
  }

  @Test("An observation whose fetch throws before it reads is woken by what it read before")
  func throwsBeforeReading() async throws {
    let database = try await database()
    let refuses = Mutex(false)
    let values = database.values { reader in
      if refuses.withLock(\.self) { throw CancellationError() }
      return try reader.integers("SELECT guests FROM charters WHERE name = 'Alma'")
    }
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next() == [4])
    refuses.withLock { $0 = true }
    try await database.write { try $0.run("UPDATE charters SET guests = 5") }
    await #expect(throws: CancellationError.self) { _ = try await iterator.next() }
    refuses.withLock { $0 = false }
    try await database.write { try $0.run("UPDATE charters SET guests = 6") }
    #expect(try await iterator.next() == [6])
  }

  @Test("A row is followed by its key though a column has the name of row ids")
  func columnNamedRowID() async throws {
    let database = try Database.inMemory()
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

  @Test("An observation that alone refers to another releases it without a standstill")
  func releasesAnother() async throws {
    let database = try await database()
    func follow(_ inner: ObservedValues<[String]>) async throws {
      var outer = database.values { reader in
        _ = inner.status
        return try reader.integers("SELECT count(*) FROM charters")
      }.makeAsyncIterator()
      #expect(try await outer.next() == [2])
    }
    try await follow(names(database))
    #expect(try await database.read { try $0.integers("SELECT 7") } == [7])
  }

  @Test("An observation that nobody follows any more costs nothing")
  func released() async throws {
    let database = try await database()
    let counter = Counter()
    do {
      var values = names(database, counter).makeAsyncIterator()
      _ = try await values.next()
    }
    try await settle(database)
    #expect(counter.value == 1)
  }
}
