import CSQLite

/// The size of a file's write-ahead log, as reported to the connection that writes the file.
///
/// SQLite reports the size with each commit. The gauge replaces SQLite's automatic checkpoint, which
/// uses the same report (<https://sqlite.org/c3ref/wal_hook.html>): ``LogUpkeep`` makes the
/// checkpoints, once the callers of the writes have their answers.
final class LogGauge {
  /// The number of frames in the log, one for each page that was written since the log began; 0 if
  /// the next commit begins the log again.
  private(set) var frames = 0
  /// The number of frames from which on a checkpoint follows each commit.
  let checkpointFrames: Int

  /// The number of frames that the log should not reach: twice the frames of a checkpoint.
  let limit: Int

  init(checkpointFrames: Int) {
    self.checkpointFrames = max(1, checkpointFrames)
    (limit, _) = self.checkpointFrames.multipliedReportingOverflow(by: 2)
  }

  /// Records the size after a commit.
  fileprivate func commit(_ frames: Int) { self.frames = frames }

  /// Records the result of a checkpoint that was requested.
  func record(_ checkpoint: Checkpoint, _ mode: CheckpointMode) {
    let beginsAgain = !checkpoint.isBusy && (mode == .restart || mode == .truncate)
    frames = beginsAgain ? 0 : checkpoint.logFrames
  }

  /// Begins to receive the reports of a connection, which must retain the gauge until it closes.
  fileprivate func follow(_ connection: OpaquePointer) {
    sqlite3_wal_hook(
      connection,
      { context, _, _, frames in
        guard let context else { return SQLITE_OK }
        Unmanaged<LogGauge>.fromOpaque(context).takeUnretainedValue().commit(Int(frames))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

extension Connection {
  /// Begins to follow the size of the log, with the limit of the configuration.
  ///
  /// If the app has set `wal_autocheckpoint` on the connection, the limit is twice that size; if it
  /// has set it to 0, the app makes all checkpoints itself, and the log is not followed.
  /// - Throws: ``DatabaseError``.
  func followLog() throws {
    func number(_ pragma: SQL) throws -> Int {
      try fetch(pragma) { try $0.value(Int.self) }.first ?? 0
    }
    var frames = try number("PRAGMA wal_autocheckpoint")
    guard frames > 0 else { return }
    if frames == Self.defaultCheckpointFrames {
      frames = configuration.logSizeLimit / 2 / max(1, try number("PRAGMA page_size"))
    }
    let log = LogGauge(checkpointFrames: frames)
    log.follow(handle)
    self.log = log
  }

  /// SQLite's number of frames, which a connection has unless the app has set another one
  /// (<https://sqlite.org/pragma.html#pragma_wal_autocheckpoint>).
  private static var defaultCheckpointFrames: Int { 1_000 }
}
