import Foundation
import Synchronization
import Testing

@testable import Offshore

struct GroupCommitTests {
  struct Refusal: Error {}

  private func names(_ database: Database) async throws -> [String] {
    try await database.read { reader in
      try reader.connection.fetch("SELECT name FROM charters ORDER BY name") {
        try $0.value(String.self)
      }
    }
  }

  private func code(_ result: Result<Void, any Error>) -> DatabaseError.Code? {
    guard case .failure(let error as DatabaseError) = result else { return nil }
    return error.code
  }

  @Test func `Writes that wait at the same time share one commit`() async throws {
    let database = try await Database.withCharters()
    let numbers = Mutex<[UInt64]>([])
    let results = await database.writeTogether(
      (0..<10).map { index in
        { writer in
          numbers.withLock { $0.append(writer.commitNumber) }
          try Charter("\(index)").insert(writer)
        }
      })
    #expect(results.allSatisfy { (try? $0.get()) != nil })
    #expect(Set(numbers.withLock(\.self)).count == 1)
    #expect(try await names(database) == (0..<10).map { "\($0)" })
  }

  @Test
  func `If one closure of a group throws, only its changes are undone and only its caller fails`()
    async throws
  {
    let database = try await Database.withCharters()
    let results = await database.writeTogether([
      { try Charter("first").insert($0) },
      { writer in
        try Charter("refused").insert(writer)
        throw Refusal()
      },
      { try Charter("last").insert($0) },
    ])
    #expect(throws: Never.self) { try results[0].get() }
    #expect(throws: Refusal.self) { try results[1].get() }
    #expect(throws: Never.self) { try results[2].get() }
    #expect(try await names(database) == ["first", "last"])
  }

  /// How the first closure of a group can fail.
  enum Failing: CaseIterable {
    case throwing, dangling, rollingBack

    func run(_ writer: Writer) throws {
      try Charter("refused").insert(writer)
      switch self {
      case .throwing: throw Refusal()
      case .dangling: try writer.run("INSERT INTO notes VALUES ('nobody')")
      case .rollingBack:
        _ = try? writer.run(
          "INSERT OR ROLLBACK INTO charters SELECT * FROM charters WHERE name = 'refused'")
      }
    }

    func isTold(by error: any Error) -> Bool {
      switch self {
      case .throwing: error is Refusal
      case .dangling: (error as? DatabaseError)?.code == .danglingReference
      case .rollingBack: (error as? DatabaseError)?.code == .transaction
      }
    }
  }

  @Test(arguments: Failing.allCases)
  func `A first closure that fails leaves no changes, and the closures after it still run`(
    _ failing: Failing
  ) async throws {
    let database = try await Database.withCharters()
    try await database.write {
      try $0.run(
        """
        CREATE TABLE notes (charterID TEXT NOT NULL
          REFERENCES charters(id) DEFERRABLE INITIALLY DEFERRED)
        """)
    }
    let results = await database.writeTogether([
      { try failing.run($0) },
      { try Charter("second").insert($0) },
      { try Charter("last").insert($0) },
    ])
    #expect { try results[0].get() } throws: { failing.isTold(by: $0) }
    #expect(throws: Never.self) { try results[1].get() }
    #expect(throws: Never.self) { try results[2].get() }
    #expect(try await names(database) == ["last", "second"])
    #expect(try await database.read { try $0.integers("SELECT count(*) FROM notes") } == [0])
  }

  @Test func `A constraint that refuses one closure does not affect the others`() async throws {
    let database = try await Database.withCharters()
    let charter = Charter("twice")
    let results = await database.writeTogether([
      { try charter.insert($0) }, { try charter.insert($0) }, { try Charter("last").insert($0) },
    ])
    #expect(code(results[1]) == .constraint)
    #expect(try await names(database) == ["last", "twice"])
  }

  @Test func `A dangling deferred reference fails its own closure, not the commit of the group`()
    async throws
  {
    let database = try await Database.withCharters()
    try await database.write {
      try $0.run(
        """
        CREATE TABLE notes (charterID TEXT NOT NULL
          REFERENCES charters(id) DEFERRABLE INITIALLY DEFERRED)
        """)
    }
    let results = await database.writeTogether([
      { try Charter("first").insert($0) },
      { try $0.run("INSERT INTO notes VALUES ('nobody')") },
      { try Charter("last").insert($0) },
    ])
    #expect(throws: Never.self) { try results[0].get() }
    #expect(code(results[1]) == .danglingReference)
    #expect(throws: Never.self) { try results[2].get() }
    #expect(try await names(database) == ["first", "last"])
  }

  @Test func `Reference checks that one closure defers are not deferred for the rest of its group`()
    async throws
  {
    let database = try await Database.withCharters()
    try await database.write {
      try $0.run("CREATE TABLE notes (charterID TEXT NOT NULL REFERENCES charters(id))")
    }
    let charter = Charter("first")
    let deferring: @Sendable (Writer) throws -> Void = { writer in
      try writer.run("PRAGMA defer_foreign_keys = ON")
      try writer.run("INSERT INTO notes VALUES (\(charter.id))")
      try charter.save(writer)
    }
    let refused: @Sendable (Writer) throws -> Void = { writer in
      #expect(throws: DatabaseError.self) { try writer.run("INSERT INTO notes VALUES ('nobody')") }
    }
    let throwing: @Sendable (Writer) throws -> Void = { writer in
      try writer.run("PRAGMA Defer_Foreign_Keys(1)")
      try writer.run("INSERT INTO notes VALUES ('nobody')")
      throw Refusal()
    }
    let results = await database.writeTogether(
      [deferring, refused, deferring, throwing, refused, deferring])
    for index in [0, 1, 2, 4, 5] { #expect(throws: Never.self) { try results[index].get() } }
    #expect(try await database.read { try $0.integers("SELECT count(*) FROM notes") } == [3])
  }

  @Test(arguments: [
    "COMMIT", "ROLLBACK", "END", "BEGIN", "RELEASE offshore", "ROLLBACK TO offshore",
  ]) func `A closure cannot end the transaction that it shares`(_ statement: String) async throws {
    let database = try await Database.withCharters()
    let results = await database.writeTogether([
      { try Charter("first").insert($0) },
      { writer in
        try Charter("refused").insert(writer)
        try writer.run(SQL(raw: statement))
      },
      { try Charter("last").insert($0) },
    ])
    #expect(throws: Never.self) { try results[0].get() }
    #expect(code(results[1]) == .transaction)
    #expect(throws: Never.self) { try results[2].get() }
    #expect(try await names(database) == ["first", "last"])
  }

  @Test func `If SQLite rolls back the transaction, every caller of the group gets an error`()
    async throws
  {
    let database = try await Database.withCharters()
    let charter = Charter("first")
    let results = await database.writeTogether([
      { try charter.insert($0) },
      { try $0.run("INSERT OR ROLLBACK INTO charters VALUES (\(charter.id), 'x', NULL, 0, 1)") },
      { try Charter("in a commit of its own").insert($0) },
    ])
    #expect(code(results[0]) == .transaction)
    #expect(code(results[1]) == .constraint)
    #expect(throws: Never.self) { try results[2].get() }
    #expect(try await names(database) == ["in a commit of its own"])
  }

  @Test func `A closure that cannot be undone alone fails every caller of its group`() async throws
  {
    let database = try await Database.withCharters()
    let results = await database.writeTogether([
      { try Charter("first").insert($0) },
      { writer in
        try Charter("half").insert(writer)
        try writer.connection.unguarded { _ = try writer.run("RELEASE offshore") }
        throw Refusal()
      },
      { try Charter("in a commit of its own").insert($0) },
    ])
    #expect(code(results[0]) == .transaction)
    #expect(throws: Refusal.self) { try results[1].get() }
    #expect(throws: Never.self) { try results[2].get() }
    #expect(try await names(database) == ["in a commit of its own"])
  }

  @Test func `A closure that ignores a rolled back transaction cannot write outside of one`()
    async throws
  {
    let database = try await Database.withCharters()
    let charter = Charter("first")
    let results = await database.writeTogether([
      { try charter.insert($0) },
      { writer in
        _ = try? writer.run(
          "INSERT OR ROLLBACK INTO charters VALUES (\(charter.id), 'x', NULL, 0, 1)")
        try? Charter("stray").insert(writer)
      },
    ])
    #expect(results.map(code) == [.transaction, .transaction])
    #expect(try await names(database) == [])
  }

  @Test
  func `Cancelling a running write interrupts no statement, so the rest of its group is committed`()
    async throws
  {
    let database = try await Database.withCharters()
    let (earlyRuns, earlyMayEnd) = (Gate(), Gate())
    let (reached, goOn) = (Gate(), Gate())
    let early = Task {
      try await database.write { writer in
        try Charter("early").insert(writer)
        earlyRuns.open()
        earlyMayEnd.wait()
        return writer.commitNumber
      }
    }
    await earlyRuns.opened()
    // Immediate tasks have queued their writes when they return, so these join the group.
    let cancelled = Task.immediate {
      try await database.write { writer in
        writer.addPause(reached, goOn)
        try Charter("cancelled").insert(writer)
        try writer.run("UPDATE charters SET name = 'changed' WHERE pause()")
        try Charter("never").insert(writer)
      }
    }
    let late = Task.immediate {
      try await database.write { writer in
        try Charter("late").insert(writer)
        return writer.commitNumber
      }
    }
    earlyMayEnd.open()
    await reached.opened()
    cancelled.cancel()
    // The update pauses for each of two rows.
    goOn.open()
    goOn.open()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await early.value == late.value)
    #expect(try await names(database) == ["early", "late"])
  }

  @Test func `A write that arrives after a long one does not share its commit`() async throws {
    var configuration = DatabaseConfiguration()
    // Any write takes longer than a group may last.
    configuration.groupDuration = .zero
    let database = try Database.temporary(configuration: configuration)
    let numbers = Mutex<[UInt64]>([])
    try await database.write { try $0.run("CREATE TABLE notes (text TEXT)") }
    let add: @Sendable (Writer) throws -> Void = { writer in
      numbers.withLock { $0.append(writer.commitNumber) }
      try writer.run("INSERT INTO notes VALUES ('x')")
    }
    let long: @Sendable (Writer) throws -> Void = { writer in
      try add(writer)
    }
    for result in await database.writeTogether([long, long, add]) { try result.get() }
    #expect(Set(numbers.withLock(\.self)).count == 3)
  }

  @Test func `A write that is cancelled while it waits returns at once and does not run`()
    async throws
  {
    let database = try await Database.withCharters()
    let (reached, goOn) = (Gate(), Gate())
    let blocker = Task {
      try await database.write { _ in
        reached.open()
        goOn.wait()
      }
    }
    await reached.opened()
    let waiting = Task { try await database.write { try Charter("never").insert($0) } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    goOn.open()
    try await blocker.value
    try await database.write { _ in }
    #expect(try await names(database) == [])
  }

  @Test
  func `If a full disk fails a commit, all its writes fail, and later ones succeed`()
    async throws
  {
    let database = try await Database.withCharters()
    try await database.write { try Charter("first").insert($0) }
    let large = String(repeating: "x", count: 100_000)
    let results = await database.writeTogether([
      { writer in
        try writer.connection.limitPages(to: 8)
        try Charter("small").insert(writer)
      },
      { try Charter(large).insert($0) },
    ])
    #expect(code(results[1]) == .diskFull)
    try await database.write { try $0.connection.limitPages(to: 10_000) }
    try await database.write { try Charter("after").insert($0) }
    let stored = try await names(database)
    #expect(stored.contains("first") && stored.contains("after"))
    #expect(stored.contains("small") == (code(results[0]) == nil))
  }

  @Test func `A thousand tasks that write at once all find their row stored`() async throws {
    let database = try await Database.withCharters()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<1000 {
        group.addTask { try await database.write { try Charter("\(index)").insert($0) } }
      }
      try await group.waitForAll()
    }
    #expect(try await names(database).count == 1000)
  }
}

extension Connection {
  /// Limits the size of the file, which has the effect of a full disk.
  fileprivate func limitPages(to count: Int) throws {
    let guarding = authorizer.isGuarding
    authorizer.isGuarding = false
    defer { authorizer.isGuarding = guarding }
    try run(SQL(raw: "PRAGMA max_page_count = \(count)"))
  }
}
