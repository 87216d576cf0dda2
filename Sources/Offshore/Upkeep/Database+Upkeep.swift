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
  /// SQLite does this after a commit once the log has 1,000 pages, but never beyond a snapshot that
  /// a read still uses. Modes other than `.passive` wait for such reads, up to the busy timeout, and
  /// writes wait with them. With `.full`, the whole log is moved; with `.restart`, the next write
  /// also begins at the start of the log; with `.truncate`, the log's file is also emptied.
  /// See <https://sqlite.org/c3ref/wal_checkpoint_v2.html>.
  ///
  /// - Parameter mode: The extent of the checkpoint.
  /// - Returns: The result, which is not complete if a read has stopped the checkpoint.
  /// - Throws: `CancellationError` if the task is cancelled before it begins; ``DatabaseError``.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode = .passive) async throws -> Checkpoint {
    try await performAlone { try $0.checkpoint(mode) }
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
  ///   `.damage(words)` or `.danglingReference(table:rowID:columns:target:)`; its `description` is a
  ///   sentence with the remedy.
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
  private func performAlone<Result: Sendable>(
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
