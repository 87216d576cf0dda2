import CSQLite

extension Connection {
  /// The number of bytes in a page of the file.
  /// - Throws: ``DatabaseError``.
  package var pageSize: Int {
    get throws { try fetchOne("PRAGMA page_size") { try $0.value(Int.self) } ?? 0 }
  }

  /// Replaces the whole content, with the schema, by that of another file, in one transaction.
  ///
  /// Other connections read the former content until the commit, and the new one from then on. All
  /// observations fetch again. The pages of the former content stay in the file and its log until
  /// ``moveWholeLog()`` has overwritten them.
  ///
  /// - Parameters:
  ///   - source: a connection to the other file, which has the same ``pageSize``.
  ///   - isWanted: returns whether the content is to be replaced. No connection can write meanwhile. The
  ///     closure may read the file by another connection, and must not use this one.
  /// - Throws: ``DatabaseError``: `readOnly` if the sizes of pages differ, `busy`, `diskFull`,
  ///   `transaction` if a transaction is open. Also the errors of `isWanted`. Nothing has changed then.
  package func replaceContent(
    by source: Connection, if isWanted: () throws -> Bool = { true }
  ) throws {
    try requireWritable()
    guard transaction.mode == .none else {
      throw DatabaseError(.transaction, "A transaction is open. Replace the content after its end.")
    }
    try access?.willBegin()
    guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw DatabaseError.sqlite(sqlite3_errcode(handle), handle)
    }
    // NB: A step of no pages begins the transaction, which excludes other writers.
    var code = sqlite3_backup_step(backup, 0)
    do {
      // NB: The whole content in one step. Between two steps, the transaction would stay open.
      if code == SQLITE_OK, try isWanted() { code = sqlite3_backup_step(backup, -1) }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    // Without the second step, it rolls the transaction back.
    let end = sqlite3_backup_finish(backup)
    let isRefused = code != SQLITE_OK && code != SQLITE_DONE
    guard !isRefused, end == SQLITE_OK else {
      throw DatabaseError.sqlite(isRefused ? code : end, handle)
    }
    guard code == SQLITE_DONE else { return }
    forgetSchema()
    afterCommit?(ChangeSet(everythingBecause: "the content of the file"))
  }

  /// Moves the write-ahead log into the file, and empties it. Waits for readers of earlier snapshots
  /// for the busy timeout.
  /// - Returns: whether the log is empty; `false` if a read takes longer.
  /// - Throws: ``DatabaseError``.
  package func moveWholeLog() throws -> Bool { try checkpoint(.truncate).isComplete }

  /// Deletes all copies that migrations have made of the file.
  /// - Throws: ``DatabaseError`` with the code `inputOutput` if a copy cannot be deleted.
  package func removeMigrationBackups() throws { try MigrationBackup(self).removeAll() }
}
