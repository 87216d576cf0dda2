import CSQLite
import Dispatch

@testable import Offshore

extension Database {
  /// Creates an empty temporary database with the table of ``Charter``. Its writes share a commit
  /// even if they take long.
  static func withCharters() async throws -> Database {
    var configuration = DatabaseConfiguration()
    configuration.groupDuration = .seconds(3600)
    let database = try Database.temporary(configuration: configuration)
    try await database.write { try $0.run(Charter.creation) }
    return database
  }

  /// Runs writes that are certain to share one commit, and returns their results.
  func writeTogether(
    _ bodies: [@Sendable (Writer) throws -> Void]
  ) async -> [Result<Void, any Error>] {
    let isBlocked = Gate()
    let mayGoOn = Gate()
    let blocker = Task {
      try await write { _ in
        isBlocked.open()
        mayGoOn.wait()
      }
    }
    await isBlocked.opened()
    // The writer's thread is blocked, so these are queued in their order.
    let answers = AsyncStream.makeStream(of: (Int, Result<Void, any Error>).self)
    for (index, body) in bodies.enumerated() {
      enqueueWrite(CancellationFlag(), body) { answers.continuation.yield((index, $0)) }
    }
    mayGoOn.open()
    var results: [Int: Result<Void, any Error>] = [:]
    for await (index, result) in answers.stream {
      results[index] = result
      if results.count == bodies.count { break }
    }
    _ = await blocker.result
    return bodies.indices.map { results[$0] ?? .failure(CancellationError()) }
  }
}

extension Writer {
  /// Runs a statement.
  @discardableResult
  func run(_ sql: SQL) throws -> Int { try connection.run(sql) }

  /// The number of commits before this write: equal for writes that share a commit.
  var commitNumber: UInt64 { connection.transaction.commitNumber }
}

extension Reader {
  /// Returns the integers of a query's first column.
  func integers(_ sql: SQL) throws -> [Int] {
    try connection.fetch(sql) { try $0.value(Int.self) }
  }

  /// Adds an SQL function `pause()`, which opens one gate, waits for another, and returns true.
  func addPause(_ reached: Gate, _ goOn: Gate) {
    let gates = Unmanaged.passRetained(Gates(reached: reached, goOn: goOn))
    sqlite3_create_function_v2(
      connection.handle, "pause", 0, SQLITE_UTF8, gates.toOpaque(),
      { context, _, _ in
        guard let data = sqlite3_user_data(context) else { return }
        let gates = Unmanaged<Gates>.fromOpaque(data).takeUnretainedValue()
        gates.reached.open()
        gates.goOn.wait()
        sqlite3_result_int(context, 1)
      }, nil, nil, { data in data.map { Unmanaged<Gates>.fromOpaque($0).release() } })
  }
}

private final class Gates: Sendable {
  let reached: Gate
  let goOn: Gate

  init(reached: Gate, goOn: Gate) {
    self.reached = reached
    self.goOn = goOn
  }
}
