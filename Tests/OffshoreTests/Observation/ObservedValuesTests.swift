import Testing

@testable import Offshore

struct ObservedValuesTests {
  @Test func `The first values arrive at once, then one for each commit that changes them`()
    async throws
  {
    let database = try await Database.withAlmaAndBura()
    var values = database.names().makeAsyncIterator()
    #expect(try await values.next() == ["Alma", "Bura"])
    try await database.write { try Charter("Cita").insert($0) }
    #expect(try await values.next() == ["Alma", "Bura", "Cita"])
    try await database.write { try Charter.bura.delete($0) }
    #expect(try await values.next() == ["Alma", "Cita"])
  }

  @Test func `A rolled back write causes no fetch`() async throws {
    let database = try await Database.withAlmaAndBura()
    let counter = Counter()
    var values = database.names(counter).makeAsyncIterator()
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

  @Test func `A savepoint that is rolled back inside a write causes no fetch`() async throws {
    let database = try await Database.withAlmaAndBura()
    let counter = Counter()
    var values = database.names(counter).makeAsyncIterator()
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

  @Test func `A write to another table or column does not fetch again`() async throws {
    let database = try await Database.withAlmaAndBura()
    try await database.write { try $0.run("CREATE TABLE notes (text TEXT)") }
    let counter = Counter()
    var values = database.names(counter).makeAsyncIterator()
    _ = try await values.next()
    try await database.write { try $0.run("INSERT INTO notes VALUES ('x')") }
    try await database.write { try $0.run("UPDATE charters SET guests = guests + 1") }
    try await database.write { try $0.run("UPDATE charters SET name = upper(name)") }
    #expect(try await values.next() == ["ALMA", "BURA"])
    #expect(counter.value == 2)
  }

  @Test func `Values that are fetched again but equal are not delivered twice`() async throws {
    let database = try await Database.withAlmaAndBura()
    var values = database.names().makeAsyncIterator()
    _ = try await values.next()
    try await database.write { try $0.run("UPDATE charters SET name = name") }
    try await database.write { try Charter("Cita").insert($0) }
    #expect(try await values.next() == ["Alma", "Bura", "Cita"])
  }

  @Test func `A slow consumer receives only the latest values`() async throws {
    let database = try await Database.withAlmaAndBura()
    let values = database.names()
    var slow = values.makeAsyncIterator()
    _ = try await slow.next()
    var fast = database.names().makeAsyncIterator()
    _ = try await fast.next()
    for index in 0..<20 {
      try await database.write { try $0.run("UPDATE charters SET name = \("\(index)")") }
      #expect(try await fast.next() == ["\(index)", "\(index)"])
    }
    // One value may be buffered and another on its way before the last one arrives.
    var taken = 1
    while try await slow.next() != ["19", "19"] { taken += 1 }
    #expect(taken <= 3)
  }

  @Test func `An observation reports why it fetched`() async throws {
    let database = try await Database.withAlmaAndBura()
    let values = database.names()
    var iterator = values.makeAsyncIterator()
    _ = try await iterator.next()
    #expect(values.explain() == "the first fetch")
    try await database.write { try $0.run("UPDATE charters SET name = 'x'") }
    _ = try await iterator.next()
    #expect(values.explain().contains("changed charters (name)"))
  }

  @Test func `Cancelling the task ends the iteration`() async throws {
    let database = try await Database.withAlmaAndBura()
    let first = Gate()
    let task = Task {
      var seen = 0
      for try await _ in database.names() {
        seen += 1
        first.open()
      }
      return seen
    }
    await first.opened()
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test
  func `Releasing the last reference to an observation inside another's fetch causes no deadlock`()
    async throws
  {
    let database = try await Database.withAlmaAndBura()
    func follow(_ inner: ObservedValues<[String]>) async throws {
      var outer = database.values { reader in
        _ = inner.status
        return try reader.integers("SELECT count(*) FROM charters")
      }.makeAsyncIterator()
      #expect(try await outer.next() == [2])
    }
    try await follow(database.names())
    #expect(try await database.read { try $0.integers("SELECT 7") } == [7])
  }

  @Test func `An observation without consumers does not fetch`() async throws {
    let database = try await Database.withAlmaAndBura()
    let counter = Counter()
    do {
      var values = database.names(counter).makeAsyncIterator()
      _ = try await values.next()
    }
    // A fetch in progress at the release may end first.
    try await database.settleObservations()
    let count = counter.value
    try await database.settleObservations()
    #expect(counter.value == count)
  }
}
