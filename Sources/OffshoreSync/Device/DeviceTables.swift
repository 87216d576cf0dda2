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
/// - `_row`: the generation, scope and versions of each synced row, including all sealed changes,
///   and the hash of its confirmed state.
/// - `_shadow`: the confirmed state of rows that show something else: rows in sealed batches, and
///   hidden rows, with the reason.
/// - `_cursor`: for each scope, the role, the number of the last sealed batch, and the progress of
///   pulls.
/// - `_page`: pulled rows until the pull is complete, so that all are applied at once.
/// - `_dead`: changes that cannot be sent, were refused, or cannot be shown, with the reason.
/// - `_conflict`: the conflicts, as the server decided them.
enum DeviceTables {
  /// The version of this layout. A file with a later one is not changed.
  static let version = 1

  static let creation: SQL = """
    CREATE TABLE _state (
      k INTEGER PRIMARY KEY CHECK (k = 1), version INTEGER NOT NULL,
      applying INTEGER NOT NULL DEFAULT 0, batch INTEGER NOT NULL DEFAULT 1,
      device BLOB NOT NULL, clock BLOB NOT NULL, ahead INTEGER, epoch INTEGER NOT NULL DEFAULT 0,
      grants INTEGER NOT NULL DEFAULT 0, layout TEXT NOT NULL, schema TEXT NOT NULL);
    CREATE TABLE _outbox (seq INTEGER PRIMARY KEY, batch, tbl, id, kind, mask);
    CREATE TABLE _moment (batch INTEGER PRIMARY KEY, at INTEGER NOT NULL);
    CREATE TABLE _batch (
      k INTEGER PRIMARY KEY, scope TEXT NOT NULL, device BLOB NOT NULL, number INTEGER NOT NULL,
      ops INTEGER NOT NULL, made INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
      phase INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0,
      parts BLOB NOT NULL, content BLOB NOT NULL);
    CREATE INDEX _batch_scope ON _batch (scope, device, number);
    CREATE TABLE _row (
      tbl TEXT NOT NULL, id TEXT NOT NULL, scope TEXT NOT NULL, state BLOB NOT NULL,
      hash INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tbl, id, scope)) WITHOUT ROWID;
    CREATE TABLE _shadow (
      tbl TEXT NOT NULL, id TEXT NOT NULL, scope TEXT NOT NULL, state BLOB, reason TEXT,
      PRIMARY KEY (tbl, id, scope)) WITHOUT ROWID;
    CREATE INDEX _shadow_hidden ON _shadow (reason) WHERE reason IS NOT NULL;
    CREATE TABLE _cursor (
      scope TEXT PRIMARY KEY NOT NULL, device BLOB, sent INTEGER NOT NULL DEFAULT 0, role INTEGER,
      epoch INTEGER NOT NULL DEFAULT 0, seq INTEGER NOT NULL DEFAULT 0,
      digest INTEGER NOT NULL DEFAULT 0, conflicts INTEGER NOT NULL DEFAULT 0, fetch BLOB,
      doubt INTEGER NOT NULL DEFAULT 0, repairs INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    CREATE TABLE _page (
      k INTEGER PRIMARY KEY, scope TEXT NOT NULL, content BLOB NOT NULL);
    CREATE TABLE _dead (
      number INTEGER PRIMARY KEY, at INTEGER NOT NULL, tbl TEXT NOT NULL, id TEXT NOT NULL,
      scope TEXT, code TEXT NOT NULL, message TEXT NOT NULL, op BLOB);
    CREATE TABLE _conflict (
      scope TEXT NOT NULL, number INTEGER NOT NULL, tbl TEXT NOT NULL, id TEXT NOT NULL,
      content BLOB NOT NULL, PRIMARY KEY (scope, number)) WITHOUT ROWID;
    CREATE INDEX _conflict_row ON _conflict (tbl, id);
    """

  /// Returns the version of a file's layout, or `nil` if the file does not have these tables.
  /// - Throws: `DatabaseError`.
  static func version(_ reader: Reader) throws -> Int? {
    let isThere = try SQL("SELECT count(*) FROM sqlite_schema WHERE name = '_state'")
      .first(reader, as: Int.self)
    guard isThere == 1 else { return nil }
    return try SQL("SELECT version FROM _state WHERE k = 1").first(reader, as: Int.self)
  }
}
