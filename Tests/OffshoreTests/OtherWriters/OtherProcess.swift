import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Offshore

/// A process with its own SQLite, which commits each line that it receives.
final class OtherProcess: Sendable {
  private static let program = """
    import sqlite3, sys, time
    connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
    connection.execute(f"PRAGMA synchronous = {sys.argv[2]}")
    for line in sys.stdin:
        connection.execute(line)
        print(time.clock_gettime_ns(time.CLOCK_MONOTONIC), flush=True)
    """

  private let process: FaultProcess
  private let lines = Mutex(0)

  /// Starts a process that has a file open.
  init(_ path: String, synchronous: String = "FULL") throws {
    process = try FaultProcess(python: Self.program, [path, synchronous])
  }

  deinit { process.kill() }

  /// Commits statements one after the other.
  /// - Returns: The time of each commit.
  @discardableResult
  func commit(_ statements: String...) async throws -> [DispatchTime] {
    try await commit(statements)
  }

  /// Commits statements one after the other.
  /// - Returns: The time of each commit.
  func commit(_ statements: [String]) async throws -> [DispatchTime] {
    let before = lines.withLock { lines in
      defer { lines += statements.count }
      return lines
    }
    for statement in statements { process.send(statement) }
    let answers = await process.lines(before + statements.count).dropFirst(before)
    try #require(answers.count >= statements.count, "The other process failed: \(process.errors)")
    return try answers.prefix(statements.count).map { answer in
      DispatchTime(uptimeNanoseconds: try #require(UInt64(answer)))
    }
  }

  /// Ends the process, which closes its connection.
  func end() async {
    process.endInput()
    _ = await process.status()
  }
}

/// A file with the table of ``Charter``, and databases that have it open.
struct SharedCharters {
  let folder: TemporaryFolder
  let path: String
  let database: Database

  init(_ configuration: DatabaseConfiguration = .quick) async throws {
    folder = try TemporaryFolder()
    path = folder.file("shared.sqlite")
    database = try Database(path, configuration: configuration)
    try await database.write { writer in
      try writer.run(Charter.creation)
      try Charter.insert(contentsOf: [.alma, .bura], writer)
      try writer.run("CREATE TABLE notes (text TEXT)")
    }
  }
}

extension DatabaseConfiguration {
  /// Commits that do not wait for the disk, and a long wait for the locks of others.
  static let quick: DatabaseConfiguration = {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    configuration.busyTimeout = .seconds(60)
    return configuration
  }()
}
