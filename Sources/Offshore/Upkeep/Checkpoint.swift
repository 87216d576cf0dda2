import CSQLite

/// How far a checkpoint goes. See <https://sqlite.org/c3ref/wal_checkpoint_v2.html>.
public enum CheckpointMode: Sendable {
  /// Moves the frames that no reader needs, without waiting.
  case passive
  /// Waits for readers of former snapshots, and moves all frames.
  case full
  /// Does what ``full`` does, and has the next write begin the log from its start.
  case restart
  /// Does what ``restart`` does, and empties the log's file.
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

/// The result of a checkpoint.
public struct Checkpoint: Equatable, Sendable {
  /// The number of frames in the write-ahead log, each of a page; 0 after the log was truncated.
  let logFrames: Int
  /// The number of those that are in the database file.
  let movedFrames: Int
  /// Whether a reader or another process kept the checkpoint from its end.
  let isBusy: Bool

  /// Whether all of the log is in the database file.
  public var isComplete: Bool { !isBusy && logFrames == movedFrames }
}

extension Connection {
  /// Moves the write-ahead log into the database file.
  /// - Parameter waits: whether readers are waited for, up to the busy timeout.
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

  /// Writes the file anew without free pages, and then empties the log if no reader needs it.
  func vacuum() throws {
    try requireWritable()
    try execute("VACUUM")
    // Rows may have other row ids (https://sqlite.org/lang_vacuum.html), by which observations of
    // single rows would miss their changes. They fetch once more.
    transaction.commitNumber += 1
    var changes = ChangeSet(number: transaction.commitNumber, [])
    changes.changesSchema = true
    afterCommit?(changes)
    _ = try checkpoint(.truncate, waits: false)
  }

  /// Has SQLite look at indexes whose statistics are out of date.
  func optimize() throws {
    try requireWritable()
    // So that large tables are sampled, and not read (https://sqlite.org/pragma.html#pragma_optimize).
    try execute("PRAGMA analysis_limit = 400")
    try execute("PRAGMA optimize")
  }
}
