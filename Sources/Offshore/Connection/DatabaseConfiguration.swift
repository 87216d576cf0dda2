import Foundation

/// The settings with which a database is opened.
public struct DatabaseConfiguration: Sendable {
  /// The point at which a commit counts as complete. See
  /// <https://sqlite.org/pragma.html#pragma_synchronous>.
  @_documentation(visibility: internal)
  public enum Synchronous: String, Sendable {
    /// The operating system has the commit: a power failure may damage the file.
    case off = "OFF"
    /// The operating system has the commit: a power failure may lose the last commits, but does not
    /// damage the file.
    case normal = "NORMAL"
    /// The disk has the commit: a power failure loses nothing.
    case full = "FULL"
  }

  /// The point at which a commit counts as complete; `.full` by default.
  ///
  /// With `.full`, the disk has the commit: a power failure loses nothing. With `.normal`, the
  /// operating system has it: a power failure may lose the last commits. With `.off`, a power
  /// failure may also damage the file. See <https://sqlite.org/pragma.html#pragma_synchronous>.
  public var synchronous = Synchronous.full
  /// The time to wait for another process's lock before failing with code `busy`; 5 seconds by
  /// default.
  public var busyTimeout = Duration.seconds(5)
  /// The number of reads that can run at once, each on its own thread; at least 1, and 4 by
  /// default.
  public var readerCount = 4
  /// The number of prepared statements that each connection caches; 128 by default.
  package var statementCacheCapacity = 128
  /// The largest size in bytes of each connection's page cache; 16 MiB by default, which suits a
  /// phone.
  ///
  /// Memory is allocated as pages are read or written. Writing in random order is slower if the file
  /// is much larger than the cache: with a cache of 2 MiB, the last of 5,000,000 rows took five
  /// times as long as the first.
  public var pageCacheSize = 16 * 1_048_576
  /// The size in bytes that the write-ahead log should not reach; 8 MiB by default.
  ///
  /// From half of this size on, a checkpoint follows each commit, when the write has returned: it
  /// moves the log into the database file, up to the oldest snapshot that a read still uses. Once no
  /// read uses the log, the next write begins it again. If reads overlap all the time, there is no
  /// such moment. Writes then wait for one when the log has reached this size: half a second at most,
  /// or up to two seconds if the log has grown to four times the size. Reads never wait.
  ///
  /// So the log stays below twice this size, plus the size of one commit, if no read takes longer
  /// than 100 milliseconds, and below five times if none takes longer than half a second. During a
  /// longer read, such as a backup, the log grows with each write; after it, the log shrinks again.
  ///
  /// A connection for which the pragma `wal_autocheckpoint` is set has twice that size as its limit
  /// or, with 0, none (<https://sqlite.org/pragma.html#pragma_wal_autocheckpoint>).
  public var logSizeLimit = 8 * 1_048_576
  /// Whether the file is opened for reading only; `false` by default.
  ///
  /// The file and its write-ahead log then stay unchanged, including their dates, and no file is
  /// created beside them. A write fails with code `readOnly`, and so do pending migrations. While
  /// another process has the file open, the file and its log are read as usual. If no process has
  /// it open and one opens it during a read, that read fails with code `busy`.
  public var isReadOnly = false
  /// Called after each statement of each connection, for logs and measurements; `nil` by default.
  ///
  /// It is called on the connection's thread and must not use the database. A statement has its
  /// `sql`, with `?` for each bound value; its `duration`, from the first step to the end; its
  /// `rowCount`, the number of rows of the result or, without a result, of changed rows; and its
  /// `sqlWithValues`, which is `nil` unless `tracesValues` is set, because values may be personal
  /// data.
  public var trace: (@Sendable (TracedStatement) -> Void)?
  /// Whether traced statements include their bound values, which may be personal data; `false` by
  /// default.
  @_documentation(visibility: internal)
  public var tracesValues = false
  /// Called on each new connection before any other use of it.
  ///
  /// For the writing connection, and for the one that copies a file before migrations, it is called
  /// on the thread that opens the database; for reading connections, on their own threads, when the
  /// number of simultaneous reads first requires one.
  ///
  /// If it throws, the connection is closed. Opening the database then throws the error. For a
  /// reading connection, the read throws it, and the next read opens another connection; an
  /// observation is retried, as its ``ObservedValues/status`` shows.
  public var prepareConnection: (@Sendable (Connection) throws -> Void)?

  /// Called in debug builds with a sentence for each difference between a file and the app.
  ///
  /// A difference is, for example, a released migration that has changed, or a declared column
  /// without a migration. Queries that read or sort many rows without an index are reported, too.
  /// By default, each sentence is written to standard error.
  public var reportProblem: @Sendable (String) -> Void = { sentence in
    try? FileHandle.standardError.write(contentsOf: Data("Offshore: \(sentence)\n".utf8))
  }

  /// Called on the writing connection after ``prepareConnection``.
  package var prepareWriter: (@Sendable (Connection) throws -> Void)?

  /// Whether a file that is opened for reading only keeps the index of its log, the file `-shm`, unchanged.
  ///
  /// SQLite notes in it which part of the log is read. Connections of other processes do not need that, but those
  /// that this process opens meanwhile cannot write.
  var keepsLogIndex = false

  /// The time for which a group commit accepts queued writes.
  package var groupDuration = Duration.milliseconds(2)

  /// Creates the default configuration.
  public init() {}
}
