import Synchronization
import Testing

@testable import Offshore

/// Observations that share a fetch, and the values that late consumers receive.
struct SharedObservationTests {
  /// A flag that is read as true once after it is armed.
  private final class HeldOnce: Sendable {
    private let isArmed = Mutex(false)

    func arm() { isArmed.withLock { $0 = true } }

    func disarm() -> Bool {
      isArmed.withLock { isArmed in
        defer { isArmed = false }
        return isArmed
      }
    }
  }

  /// Observes names by a shared fetch that a test can hold after it has read.
  private func heldNames(
    _ database: Database, _ hold: HeldOnce, _ reached: Gate, _ goOn: Gate
  ) -> ObservedValues<[String]> {
    let sql: SQL = "SELECT name FROM charters ORDER BY name"
    return ObservedValues(database, sql) { reader in
      let names = try reader.connection.fetch(sql) { try $0.value(String.self) }
      if hold.disarm() {
        reached.open()
        goOn.wait()
      }
      return names
    }
  }

  @Test func `Observations of the same query share one fetch`() async throws {
    let database = try await Database.withAlmaAndBura()
    let counter = Counter()
    let sql: SQL = "SELECT name FROM charters"
    let all = (0..<10).map { _ in
      ObservedValues(database, sql) { reader in
        counter.increase()
        return try reader.connection.fetch(sql) { try $0.value(String.self) }
      }
    }
    for values in all {
      var iterator = values.makeAsyncIterator()
      #expect(try await iterator.next()?.count == 2)
    }
    #expect(counter.value == 1)
  }

  @Test
  func `A consumer that joins after a completed write first receives a value with that write`()
    async throws
  {
    let database = try await Database.withAlmaAndBura()
    let (reached, goOn, hold) = (Gate(), Gate(), HeldOnce())
    var first = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    #expect(try await first.next() == ["Alma", "Bura"])
    hold.arm()
    try await database.write { try Charter("Cita").insert($0) }
    await reached.opened()
    // The fetch has read but not delivered its value.
    var second = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    try await database.write { try Charter("Dora").insert($0) }
    // The value that was read is out of date by now.
    var third = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    goOn.open()
    #expect(try await third.next() == ["Alma", "Bura", "Cita", "Dora"])
    #expect(try await second.next() == ["Alma", "Bura", "Cita", "Dora"])
    var fourth = heldNames(database, hold, reached, goOn).makeAsyncIterator()
    #expect(try await fourth.next() == ["Alma", "Bura", "Cita", "Dora"])
  }

  @Test func `A consumer that joins during a fetch without changes still receives the value`()
    async throws
  {
    let database = try await Database.withAlmaAndBura()
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

  @Test func `A consumer that joins a failed observation receives its error at once`() async throws
  {
    let database = try await Database.withAlmaAndBura()
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
}
