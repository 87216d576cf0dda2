import Foundation

extension Database {
  /// Writes the file anew without free pages, so that it is as small as it can be.
  ///
  /// Writes wait meanwhile; reads go on. It needs as much free space on the disk as the database, twice
  /// until the write-ahead log is emptied, which happens at once if no read is running.
  /// - Throws: `CancellationError` if the task is cancelled before it begins; ``DatabaseError``:
  ///   `diskFull`, `busy`, `readOnly`.
  public func vacuum() async throws {
    try await performAlone { try $0.vacuum() }
  }

  /// Moves the write-ahead log into the database file.
  ///
  /// SQLite does this by itself after a commit once the log has 1,000 pages, but never past a snapshot
  /// that a read still sees. Modes other than `passive` wait for such reads, up to the busy timeout, and
  /// writes wait with them.
  /// - Returns: whether all of the log was moved; a checkpoint that a read has stopped is not an error.
  /// - Throws: `CancellationError` if the task is cancelled before it begins; ``DatabaseError``.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode = .passive) async throws -> Checkpoint {
    try await performAlone { try $0.checkpoint(mode) }
  }

  /// Renews the statistics by which SQLite chooses indexes, if they are out of date.
  ///
  /// It samples indexes and takes milliseconds. The database does not do this by itself: call it after
  /// a large change, or once a day (<https://sqlite.org/pragma.html#pragma_optimize>).
  /// - Throws: `CancellationError` if the task is cancelled before it begins; ``DatabaseError``.
  public func optimize() async throws {
    try await performAlone { try $0.optimize() }
  }

  /// Looks through the whole file for damage, and for references without their rows.
  ///
  /// It reads everything, so it takes as long as the disk needs for that. Cancelling the task ends it.
  /// - Returns: the problems, at most 100 of damage; empty if the file is sound.
  /// - Throws: `CancellationError`; ``DatabaseError`` if the file cannot be read at all.
  public func integrityCheck() async throws -> [IntegrityProblem] {
    try await read { try $0.connection.integrityProblems() }
  }

  /// The sizes of the database at this moment.
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
public struct DatabaseStatistics: Equatable, Sendable {
  /// The number of bytes in a page.
  public let pageSize: Int
  /// The number of pages in the database.
  public let pageCount: Int
  /// The number of pages without content, which new rows fill and ``Database/vacuum()`` gives back.
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
