import CSQLite
import Foundation

/// The progress of a backup, in pages of the database.
@_documentation(visibility: internal)
public struct BackupProgress: Equatable, Sendable {
  /// The number of copied pages.
  let copiedPages: Int
  /// The number of pages to copy.
  let totalPages: Int

  /// The fraction of copied pages, from 0 to 1.
  public var fraction: Double {
    totalPages == 0 ? 1 : Double(copiedPages) / Double(totalPages)
  }
}

extension Database {
  /// Copies the last committed state of the database to a new file, while reads and writes
  /// continue.
  ///
  /// ```swift
  /// try await database.backup(to: path) { print($0.fraction) }
  /// ```
  /// The copy is one file, without a write-ahead log. It is written to `<path>.partial` and renamed
  /// once it is complete and durable; a cancelled or failed backup removes it, and a former file at
  /// the path stays as it was. Until its end, the backup occupies one of the readers, and the
  /// write-ahead log grows with each write.
  ///
  /// - Parameters:
  ///   - path: The path of the copy.
  ///   - replacesExisting: Whether to replace a former copy at the path, by renaming.
  ///   - progress: Called after every 256 pages, on a thread of the database; its `fraction` of
  ///     copied pages is from 0 to 1.
  /// - Throws: `CancellationError`; ``DatabaseError``: `fileExists` if a file exists at the path
  ///   and is not to be replaced, or if the path is that of a database in use: this one, or one
  ///   with `-wal`, `-shm` or `-journal` files beside it; `cannotOpen`, `diskFull` or
  ///   `inputOutput` if the copy cannot be written; `busy` if another backup to the path is
  ///   running, or another program locks the copy.
  public func backup(
    to path: String, replacesExisting: Bool = false,
    progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
  ) async throws {
    try await read { reader in
      try reader.connection.backUp(to: path, replacesExisting: replacesExisting, progress)
    }
  }
}

extension Connection {
  /// The number of pages between two checks for a cancellation.
  private static var backupStep: Int32 { 256 }

  /// Copies the snapshot of the current read to a file.
  ///
  /// NB: SQLite restarts a backup if its source has changed before a step, so a backup might never
  /// end while other connections write (<https://sqlite.org/backup.html>). Inside a read
  /// transaction, the source does not change.
  fileprivate func backUp(
    to path: String, replacesExisting: Bool, _ progress: (BackupProgress) -> Void
  ) throws {
    try requireNoDatabase(at: path)
    // The first query acquires the snapshot.
    _ = try fetch("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in true }
    let file = try ReplacementFile(
      path, replacesExisting: replacesExisting, mode: Self.permissions(of: self.path))
    let target = try Self.openTarget(file.partialPath)
    do {
      try copy(to: target, progress)
    } catch {
      sqlite3_close_v2(target)
      throw error
    }
    sqlite3_close_v2(target)
    try checkCancellation()
    try file.finish()
  }

  private func copy(to target: OpaquePointer, _ progress: (BackupProgress) -> Void) throws {
    guard let backup = sqlite3_backup_init(target, "main", handle, "main") else {
      throw DatabaseError.sqlite(sqlite3_errcode(target), target)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK, cancellation?.isSet != true {
      code = sqlite3_backup_step(backup, Self.backupStep)
      let total = Int(sqlite3_backup_pagecount(backup))
      progress(
        BackupProgress(
          copiedPages: total - Int(sqlite3_backup_remaining(backup)), totalPages: total))
    }
    // NB: It reports no step that was refused because of a lock
    // (https://sqlite.org/c3ref/backup_finish.html#sqlite3backupfinish).
    let end = sqlite3_backup_finish(backup)
    try checkCancellation()
    guard end == SQLITE_OK else { throw DatabaseError.sqlite(end, target) }
    guard code == SQLITE_DONE else { throw DatabaseError.sqlite(code, target) }
  }

  /// Opens the file to copy to. It has no journal, because a partial copy is of no use.
  private static func openTarget(_ path: String) throws -> OpaquePointer {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var code = sqlite3_open_v2(path, &handle, flags, nil)
    if code == SQLITE_OK {
      code = sqlite3_exec(
        handle, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", nil, nil, nil)
    }
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw DatabaseError.sqlite(code, handle)
    }
    return handle
  }

  /// Checks that code other than SQLite may write or open a file.
  ///
  /// SQLite would apply a log or a journal beside it to a copy that replaces it. Closing the file
  /// ends all locks of this process on it (<https://sqlite.org/howtocorrupt.html>).
  /// - Throws: ``DatabaseError`` with code `fileExists` if the path is that of this database, or of
  ///   a database with a write-ahead log or a journal.
  func requireNoDatabase(at path: String) throws {
    let existing = FileIdentity(path)
    let isOwn = existing != nil && existing == FileIdentity(self.path)
    let suffixes = ["-wal", "-shm", "-journal"]
    guard isOwn || suffixes.contains(where: { FileIdentity(path + $0) != nil }) else { return }
    throw DatabaseError(
      .fileExists, "The path is that of a database in use. Choose another path.")
  }

  private static func permissions(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o600
  }
}
