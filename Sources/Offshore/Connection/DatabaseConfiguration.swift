import Foundation

/// How a database is opened.
public struct DatabaseConfiguration: Sendable {
  /// When a commit counts as done. See <https://sqlite.org/pragma.html#pragma_synchronous>.
  public enum Synchronous: String, Sendable {
    /// When the operating system has it: a power cut may damage the file.
    case off = "OFF"
    /// When the operating system has it: a power cut may lose the last commits, never more.
    case normal = "NORMAL"
    /// When the disk has it: a power cut loses nothing.
    case full = "FULL"
  }

  /// When a commit counts as done; `.full` unless set.
  public var synchronous = Synchronous.full
  /// How long to wait for another process's lock before failing with `busy`; 5 seconds unless set.
  public var busyTimeout = Duration.seconds(5)
  /// How many reads can run at once, each on a thread of its own; 4 unless set, at least 1.
  public var readerCount = 4
  /// How many prepared statements each connection keeps; 128 unless set.
  package var statementCacheCapacity = 128
  /// The bytes of the file that each connection keeps in memory at the most; 16 MiB unless set, which suits
  /// a phone. The memory is taken as pages are read or written.
  ///
  /// A file that is much larger, and written in random order, is written faster with more: with SQLite's 2 MiB
  /// the last of 5,000,000 rows took five times as long as the first.
  public var pageCacheSize = 16 * 1_048_576
  /// Whether the file is opened for reading alone, and stays as it is with its write-ahead log: bytes and
  /// dates, and nothing is created beside it. No unless set.
  ///
  /// A write fails with code `readOnly`, and so do migrations that the file lacks. While another process
  /// has the file open, it and its log are read as usual; a read during which the first one opens it
  /// fails with code `busy`.
  public var isReadOnly = false
  /// Called after each statement of each connection, on the connection's thread, for logs and
  /// measurements; it must not use the database. Nothing is traced unless it is set.
  public var trace: (@Sendable (TracedStatement) -> Void)?
  /// Whether traced statements have the values that were bound to them, which may be personal data. No
  /// unless set.
  public var tracesValues = false
  /// Called on each new connection before anything else uses it: for the one that writes, and the
  /// one that copies a file before migrations, on the thread that opens the database; for those that
  /// read, on their own threads.
  public var prepareConnection: (@Sendable (Connection) throws -> Void)?

  /// Called in debug builds with a sentence on each difference between a file and the app: a released
  /// migration that has changed, a declared column without a migration. It writes a line to standard
  /// error unless set.
  public var reportProblem: @Sendable (String) -> Void = { sentence in
    try? FileHandle.standardError.write(contentsOf: Data("Offshore: \(sentence)\n".utf8))
  }

  /// Called on the connection that writes, once ``prepareConnection`` has been.
  package var prepareWriter: (@Sendable (Connection) throws -> Void)?

  /// How long writes that are waiting are let into a commit that others wait for.
  package var groupDuration = Duration.milliseconds(2)

  /// Creates the default configuration.
  public init() {}
}
