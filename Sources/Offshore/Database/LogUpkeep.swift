/// Moves the write-ahead log into the file after a commit, and begins it again once it has reached its
/// limit.
///
/// The callers of the writes have their answers by then, so that they do not wait for a checkpoint.
///
/// SQLite begins a log again by itself when a write begins while no read uses the log. If reads
/// overlap all the time, there is no such moment, and the log would grow with each write
/// (<https://sqlite.org/wal.html#avoiding_excessively_large_wal_files>). Beyond the limit, the
/// writer therefore waits until the log can begin again.
///
/// No read waits for that. SQLite first waits for the reads of older snapshots, which no new read
/// joins while there are no commits, and moves the log into the file. Reads that begin afterwards
/// use the file alone, so SQLite only has to wait for those that began before
/// (<https://sqlite.org/c3ref/wal_checkpoint_v2.html>).
///
/// If an attempt fails, a read takes longer than the writer waits. The next attempt follows when
/// all reads that were running have ended, so a long read delays writes only once.
struct LogUpkeep {
  /// The result of a check of the log.
  enum Outcome {
    /// The log is below its limit.
    case unneeded
    /// The log is too large, but reads that made an earlier attempt fail are still running.
    case postponed
    /// Reads use the log for longer than the writer waits.
    case failed
    /// The next write begins at the start of the log.
    case done
  }

  private let reads: RunningReads
  private let retry: @Sendable () -> Void
  /// The number of frames from which on the next attempt is made, after one that failed because of
  /// reads elsewhere, whose end is not known.
  private var leastFrames = 0

  /// - Parameters:
  ///   - reads: The reads of the database.
  ///   - retry: Called on any thread when the log is to be checked again.
  init(_ reads: RunningReads, retry: @escaping @Sendable () -> Void) {
    self.reads = reads
    self.retry = retry
  }

  /// Checks the log, moves it into the file, and begins it again if it is too large.
  /// - Parameter connection: The connection that writes, outside of any transaction.
  @discardableResult
  mutating func run(on connection: Connection) -> Outcome {
    guard let log = connection.log, log.frames >= log.checkpointFrames else {
      leastFrames = 0
      return .unneeded
    }
    let frames = log.frames
    guard frames >= log.limit else {
      leastFrames = 0
      moveLog(of: connection)
      return .unneeded
    }
    guard frames >= leastFrames, !reads.areAwaited else {
      moveLog(of: connection)
      return .postponed
    }
    // A log that is far too large is also removed from the disk, because no write may follow.
    let mode = frames >= 2 * log.limit ? CheckpointMode.truncate : .restart
    let checkpoint = try? connection.checkpoint(
      mode, atMost: Self.patience(frames: frames, limit: log.limit))
    if let checkpoint, !checkpoint.isBusy {
      leastFrames = 0
      return .done
    }
    leastFrames = reads.callWhenEnded(retry) ? 0 : 2 * frames
    return .failed
  }

  /// Moves the log into the file, up to the oldest snapshot that a read still uses.
  ///
  /// Like SQLite's automatic checkpoint, it leaves errors to the next one: the log has all data.
  private func moveLog(of connection: Connection) { _ = try? connection.checkpoint(.passive) }

  /// Returns how long writes may wait: half a second at the limit, and longer the larger the log
  /// is, up to two seconds.
  static func patience(frames: Int, limit: Int) -> Duration {
    min(.seconds(2), .milliseconds(500) * (Double(frames) / Double(max(1, limit))))
  }
}
