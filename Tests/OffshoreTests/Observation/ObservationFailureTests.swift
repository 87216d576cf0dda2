import Synchronization
import Testing

@testable import Offshore

/// Observations whose fetch fails, or whose database closes.
struct ObservationFailureTests {
  @Test
  func `An error is thrown once, and the observation continues after a commit repairs the cause`()
    async throws
  {
    let database = try await Database.withAlmaAndBura()
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

  @Test
  func `An observation whose fetch throws before it reads still depends on what it read before`()
    async throws
  {
    let database = try await Database.withAlmaAndBura()
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

  @Test func `An observation continues after a connection could not be opened for a while`()
    async throws
  {
    let openings = Counter()
    var configuration = DatabaseConfiguration()
    configuration.readerCount = 1
    configuration.prepareConnection = { _ in
      openings.increase()
      // The first connection is the writer's.
      if 2...3 ~= openings.value { throw CancellationError() }
    }
    let database = try Database.temporary(configuration: configuration)
    let values = database.values { try $0.integers("SELECT 7") }
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next() == [7])
    #expect(openings.value == 4)
    #expect(values.explain() == "the last fetch failed (cannotOpen)")
  }

  @Test func `Closing the database ends an observation with the error closed`() async throws {
    let database = try await Database.withAlmaAndBura()
    var values = database.names().makeAsyncIterator()
    _ = try await values.next()
    await database.close()
    let error = await #expect(throws: DatabaseError.self) { _ = try await values.next() }
    #expect(error?.code == .closed)
  }

  @Test func `Every call of an observation of a closed database throws the error closed`()
    async throws
  {
    let database = try await Database.withAlmaAndBura()
    let values = database.names()
    var iterator = values.makeAsyncIterator()
    _ = try await iterator.next()
    await database.close()
    var late = database.names().makeAsyncIterator()
    for _ in 0..<3 {
      let error = await #expect(throws: DatabaseError.self) { _ = try await iterator.next() }
      #expect(error?.code == .closed)
      let lateError = await #expect(throws: DatabaseError.self) { _ = try await late.next() }
      #expect(lateError?.code == .closed)
    }
  }

  @Test func `A fetch that ends after the database was closed still reports the closing`()
    async throws
  {
    let database = try await Database.withAlmaAndBura()
    let (reached, goOn) = (Gate(), Gate())
    let values = database.values { _ in
      reached.open()
      goOn.wait()
      return 7
    }
    await reached.opened()
    async let closing: Void = database.close()
    var other = database.names().makeAsyncIterator()
    // The database is closing from the time it refuses an observation.
    while (try? await other.next()) != nil { other = database.names().makeAsyncIterator() }
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
}
