import CSQLite

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
  /// - Parameter waits: Whether to wait for readers, up to the busy timeout.
  func checkpoint(_ mode: CheckpointMode, waits: Bool = true) throws -> Checkpoint {
    try requireWritable()
    if !waits { sqlite3_busy_timeout(handle, 0) }
    defer { sqlite3_busy_timeout(handle, configuration.busyTimeout.wholeMilliseconds) }
    var (logFrames, movedFrames): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(handle, "main", mode.code, &logFrames, &movedFrames)
    let isBusy = code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED
    guard code == SQLITE_OK || isBusy else { throw DatabaseError.sqlite(code & 0xFF, handle) }
    return Checkpoint(
      logFrames: max(0, Int(logFrames)), movedFrames: max(0, Int(movedFrames)), isBusy: isBusy)
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
    _ = try checkpoint(.truncate, waits: false)
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
