import CSQLite
import Foundation

extension Database {
  /// Rewrites the file without free pages, so that it is as small as possible.
  ///
  /// Writes wait until the end; reads continue. The disk needs free space for another copy of the
  /// database, and for a second one until the write-ahead log is truncated, which happens at once
  /// if no read is running.
  /// - Throws: `CancellationError` if the task is cancelled before it begins; ``DatabaseError``:
  ///   `diskFull`, `busy`, `readOnly`.
  public func vacuum() async throws {
    try await performAlone { try $0.vacuum() }
  }

  /// Moves the write-ahead log into the database file.
  ///
  /// This happens after a commit once the log has half of ``DatabaseConfiguration/logSizeLimit``,
  /// but never beyond a snapshot that a read still uses. Modes other than `.passive` wait for such reads, up to the busy timeout,
  /// and writes wait with them. With `.full`, the whole log is moved; with `.restart`, the next
  /// write also begins at the start of the log; with `.truncate`, the log's file is also emptied.
  /// See <https://sqlite.org/c3ref/wal_checkpoint_v2.html>.
  ///
  /// - Parameter mode: The extent of the checkpoint.
  /// - Returns: The result, which is not complete if a read has stopped the checkpoint.
  /// - Throws: `CancellationError` if the task is cancelled before it begins; ``DatabaseError``.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode = .passive) async throws -> Checkpoint {
    try await performAlone { try $0.checkpoint(mode) }
  }

  /// Moves the write-ahead log into the database file, and empties it, so that no file has the content any
  /// more that was deleted before. Writes wait for a moment while reads of earlier snapshots prevent that.
  /// - Returns: whether the log is empty; `false` if a read takes longer.
  /// - Throws: as ``checkpoint(_:)``.
  package func emptyLog() async throws -> Bool {
    try await performAlone { connection in
      try connection.checkpoint(.truncate, atMost: .milliseconds(100)).isComplete
    }
  }

  /// Updates the statistics by which SQLite chooses indexes, if they are outdated.
  ///
  /// It samples indexes, which takes milliseconds. The database does not do this by itself: call it
  /// after a large change, or once a day (<https://sqlite.org/pragma.html#pragma_optimize>).
  /// - Throws: `CancellationError` if the task is cancelled before it begins; ``DatabaseError``.
  public func optimize() async throws {
    try await performAlone { try $0.optimize() }
  }

  /// Checks the whole file for damage and for dangling references.
  ///
  /// It reads the whole file, so its duration depends on the disk. Cancelling the task ends it.
  /// - Returns: The problems, with at most 100 of damage; empty if the file is sound. A problem is
  ///   `.damage(words)` or `.danglingReference(table:rowID:columns:target:)`; its `description` is
  ///   a sentence with the remedy.
  /// - Throws: `CancellationError`; ``DatabaseError`` if the file cannot be read at all.
  public func integrityCheck() async throws -> [IntegrityProblem] {
    try await read { try $0.connection.integrityProblems() }
  }

  /// Returns the current sizes of the database.
  ///
  /// They are `pageSize`, the bytes in a page; `pageCount`, the pages in the database;
  /// `freePageCount`, those without content, which new rows fill and ``vacuum()`` removes; and
  /// `logSize`, the bytes in the write-ahead log.
  /// - Throws: ``DatabaseError``.
  public func statistics() async throws -> DatabaseStatistics {
    try await read { try DatabaseStatistics($0.connection) }
  }

  /// Runs a closure on the writer's connection, outside of any transaction.
  /// - Throws: the error of the closure, or `CancellationError` if the task is cancelled before it begins.
  package func performAlone<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await answer { enqueue(WriteJob(alone: $0, body, answer: $1)) }
  }
}

/// The sizes of a database.
@_documentation(visibility: internal)
public struct DatabaseStatistics: Equatable, Sendable {
  /// The number of bytes in a page.
  public let pageSize: Int
  /// The number of pages in the database.
  public let pageCount: Int
  /// The number of pages without content, which new rows fill and ``Database/vacuum()`` removes.
  public let freePageCount: Int
  /// The number of bytes in the write-ahead log.
  public let logSize: Int

  init(_ connection: Connection) throws {
    func number(_ pragma: String) throws -> Int {
      try connection.fetchOne(SQL(raw: "PRAGMA \(pragma)")) { try $0.value(Int.self) } ?? 0
    }
    pageSize = try number("page_size")
    pageCount = try number("page_count")
    freePageCount = try number("freelist_count")
    var status = stat()
    logSize = stat(connection.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }
}

/// The extent of a checkpoint. See <https://sqlite.org/c3ref/wal_checkpoint_v2.html>.
@_documentation(visibility: internal)
public enum CheckpointMode: Sendable {
  /// Moves the frames that no reader needs, without waiting.
  case passive
  /// Waits for the readers of earlier snapshots, and moves all frames.
  case full
  /// Moves all frames as `full` does; the next write restarts the log from its beginning.
  case restart
  /// Restarts the log as `restart` does, and truncates its file.
  case truncate

  fileprivate var code: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .full: SQLITE_CHECKPOINT_FULL
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}

/// The result of ``Database/checkpoint(_:)``.
public struct Checkpoint: Equatable, Sendable {
  /// The number of frames in the write-ahead log, one for each written page; 0 after truncation.
  let logFrames: Int
  /// The number of frames that are in the database file.
  let movedFrames: Int
  /// Whether a reader or another process has prevented the checkpoint from completing.
  let isBusy: Bool

  /// Whether the whole write-ahead log is in the database file.
  public var isComplete: Bool { !isBusy && logFrames == movedFrames }
}

extension Connection {
  /// Moves the write-ahead log into the database file.
  /// - Parameter duration: The time to wait for readers, or `nil` for the busy timeout.
  func checkpoint(_ mode: CheckpointMode, atMost duration: Duration? = nil) throws -> Checkpoint {
    try requireWritable()
    var end = ContinuousClock.now + (duration ?? configuration.busyTimeout)
    var (logFrames, movedFrames): (Int32, Int32) = (0, 0)
    let code = withUnsafeMutablePointer(to: &end) { end in
      sqlite3_busy_handler(handle, Self.waitUntilEnd, end)
      defer { sqlite3_busy_timeout(handle, configuration.busyTimeout.wholeMilliseconds) }
      return sqlite3_wal_checkpoint_v2(handle, "main", mode.code, &logFrames, &movedFrames)
    }
    let isBusy = code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED
    guard code == SQLITE_OK || isBusy else { throw DatabaseError.sqlite(code & 0xFF, handle) }
    let checkpoint = Checkpoint(
      logFrames: max(0, Int(logFrames)), movedFrames: max(0, Int(movedFrames)), isBusy: isBusy)
    log?.record(checkpoint, mode)
    return checkpoint
  }

  /// Waits a moment for a lock, until the time that the context points to.
  ///
  /// NB: SQLite's own handler soon waits for 100 milliseconds at a time, by which a writer would
  /// wait longer than the readers need.
  private static var waitUntilEnd: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 {
    { end, attempts in
      guard let end = end?.assumingMemoryBound(to: ContinuousClock.Instant.self).pointee,
        ContinuousClock.now < end
      else { return 0 }
      sqlite3_sleep(min(5, attempts + 1))
      return 1
    }
  }

  /// Rewrites the file without free pages, and then truncates the log if no reader needs it.
  func vacuum() throws {
    try requireWritable()
    try execute("VACUUM")
    // Row ids may change (https://sqlite.org/lang_vacuum.html). Observations of single rows would
    // miss later changes, so they fetch again.
    transaction.commitNumber += 1
    var changes = ChangeSet(number: transaction.commitNumber, [])
    changes.changesSchema = true
    afterCommit?(changes)
    _ = try checkpoint(.truncate, atMost: .zero)
  }

  /// Updates the statistics of indexes that are outdated.
  func optimize() throws {
    try requireWritable()
    // With a limit, large tables are sampled instead of read
    // (https://sqlite.org/pragma.html#pragma_optimize).
    try execute("PRAGMA analysis_limit = 400")
    try execute("PRAGMA optimize")
  }
}
