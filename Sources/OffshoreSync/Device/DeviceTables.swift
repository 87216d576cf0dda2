import Offshore

/// The tables for syncing, in the same file as the app's tables so that both commit together.
///
/// - `_state`, one row: the version of this layout, whether pulled changes are being applied, the
///   number of the current transaction, the device id, its clock, the epoch and the last grant that
///   it received, the places of columns in `_outbox`, and the schema that the file was prepared
///   for.
/// - `_outbox`: the journal of captured changes that are not sealed yet; see ``CaptureTriggers``.
/// - `_moment`: the time at which each captured transaction ended.
/// - `_batch`: sealed batches, until they are answered and their effects have been pulled.
/// - `_sent`: batches whose effects have been pulled, for a while; see ``SentBatches``.
/// - `_row`: the generation, scope and versions of each synced row, including all sealed changes,
///   and the hash of its confirmed state; and the rows of unknown tables and of members, with their
///   values.
/// - `_shadow`: the confirmed state of rows that show something else: rows in sealed batches, and
///   hidden rows, with the reason.
/// - `_cursor`: for each scope, the role, the numbers of the last batch that was sealed and of the last
///   one that was part of a request, and the progress of pulls.
/// - `_page`: pulled rows until the pull is complete, so that all are applied at once, except those of
///   large new scopes.
/// - `_arrival`: the large new scopes of which some rows are shown already.
/// - `_dead`: changes that cannot be sent, were refused, or cannot be shown, with the reason.
/// - `_conflict`: the conflicts, as the server decided them.
/// - `_file`: the files to which rows refer, by scope, with the progress of sending and fetching them.
///
/// Each table is a `Record`. A statement is written in SQL if queries of records cannot express
/// it, such as one with the columns of a journal that depend on the app's tables, or if it runs so
/// often that composing it would take a noticeable time.
enum DeviceTables {
  /// The version of this layout. A file with a later one is not changed.
  static let version = 1

  /// Creates the tables.
  static func create(_ writer: Writer) throws {
    try writer.create(StateRow.table)
    try writer.create(JournalRow.table)
    try writer.create(TransactionEnd.table)
    try writer.create(SealedBatch.table)
    try writer.create(VersionRow.table)
    try writer.create(ShadowRow.table)
    try SQL("CREATE INDEX _shadow_hidden ON _shadow (reason) WHERE reason IS NOT NULL").run(writer)
    try writer.create(ScopeCursor.table)
    try writer.create(StagedPage.table)
    try writer.create(StoredRefusal.table)
    try writer.create(StoredConflict.table)
  }

  /// Creates what files of former versions lack, apart from the table of files.
  static func complete(_ writer: Writer) throws {
    try ScopeArrival.createIfAbsent(writer)
    let hasSent = try SQL(
      "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = \(SentBatch.table.name))"
    ).first(writer, as: Bool.self)
    if hasSent != true {
      try writer.create(SentBatch.table)
      // The batches that were sent before count as deleted.
      try SQL(
        """
        INSERT INTO _sent (scope, device, number, ops, made, at, bytes, numbered, parts, content)
        SELECT scope, device, sent, 0, 0, 0, 0, 0, x'', x'' FROM _cursor
        WHERE device IS NOT NULL AND sent > 0
        """
      ).run(writer)
    }
    let hasOffered = try SQL(
      "SELECT EXISTS (SELECT 1 FROM pragma_table_info('_cursor') WHERE name = 'offered')"
    ).first(writer, as: Bool.self)
    if hasOffered != true {
      try SQL("ALTER TABLE _cursor ADD COLUMN offered INTEGER NOT NULL DEFAULT 0").run(writer)
      try SQL("ALTER TABLE _cursor ADD COLUMN wanted BLOB").run(writer)
      // Each of the former batches may have been part of a request.
      try SQL("UPDATE _cursor SET offered = sent").run(writer)
    }
    let hasDue = try SQL(
      "SELECT EXISTS (SELECT 1 FROM pragma_table_info('_batch') WHERE name = 'due')"
    ).first(writer, as: Bool.self)
    if hasDue != true {
      try SQL("ALTER TABLE _batch ADD COLUMN due INTEGER NOT NULL DEFAULT 0").run(writer)
      try SQL("ALTER TABLE _batch ADD COLUMN rejection BLOB").run(writer)
    }
    try SQL(
      "CREATE INDEX IF NOT EXISTS _batch_postponed ON _batch (due) WHERE \(SealedBatch.isPostponed)"
    ).run(writer)
    try SQL(
      "CREATE INDEX IF NOT EXISTS _cursor_wanted ON _cursor (scope) WHERE \(ScopeCursor.hasWantedRole)"
    ).run(writer)
    try SQL(
      "CREATE INDEX IF NOT EXISTS _cursor_ended ON _cursor (role) WHERE \(ScopeCursor.isEnded)"
    ).run(writer)
    try SQL("CREATE INDEX IF NOT EXISTS _row_absent ON _row (tbl) WHERE \(VersionRow.isAbsent)")
      .run(writer)
    // NB: A condition of the form `tbl = '_members'` would make SQLite compile each statement with
    // `tbl = ?` again whenever the value is bound, to find out whether the index serves it.
    try SQL(
      "CREATE INDEX IF NOT EXISTS _row_members ON _row (scope) WHERE \(Member.condition)"
    ).run(writer)
    let hasRedone = try SQL(
      "SELECT EXISTS (SELECT 1 FROM pragma_table_info('_dead') WHERE name = 'redone')"
    ).first(writer, as: Bool.self)
    if hasRedone != true { try SQL("ALTER TABLE _dead ADD COLUMN redone BLOB").run(writer) }
    let hasAttempts = try SQL(
      "SELECT EXISTS (SELECT 1 FROM pragma_table_info('_dead') WHERE name = 'attempts')"
    ).first(writer, as: Bool.self)
    if hasAttempts != true {
      try SQL("ALTER TABLE _dead ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0").run(writer)
    }
    try SQL("CREATE INDEX IF NOT EXISTS _dead_row ON _dead (tbl, id)").run(writer)
    // The index of a former version, whose condition had that form.
    try SQL("DROP INDEX IF EXISTS _dead_lost").run(writer)
    try SQL(
      "CREATE INDEX IF NOT EXISTS _dead_restored ON _dead (tbl, id) WHERE \(StoredRefusal.isLost)"
    ).run(writer)
  }

  /// Returns the version of a file's layout, or `nil` if the file does not have these tables.
  /// - Throws: `DatabaseError`.
  static func version(_ reader: Reader) throws -> Int? {
    let hasTables = try SQL(
      "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = \(StateRow.table.name))"
    ).first(reader, as: Bool.self)
    return hasTables == true ? try StateRow.all.select { $0.version }.first(reader) : nil
  }
}
