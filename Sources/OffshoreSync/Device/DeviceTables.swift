import Offshore

/// The tables that a device keeps beside the app's, so that they commit together.
///
/// - `_state`, one row: the layout's version, whether changes from elsewhere are being applied, the
///   number of the transaction that is being captured, the device, its clock, the epoch and the last
///   grant that it has heard of, where columns are in `_outbox`, and the schema that the file was
///   prepared for.
/// - `_outbox`: the journal of captured changes that are not sealed yet; see ``CaptureTriggers``.
/// - `_moment`: when each captured transaction ended.
/// - `_batch`: the bytes of sealed batches until they are answered and what they did is pulled.
/// - `_row`: life, scope and versions of each synced row, with all sealed changes counted in, and the
///   hash of what is confirmed.
/// - `_shadow`: what is confirmed of rows that show something else: those in sealed batches, and
///   those that cannot be shown, with the reason.
/// - `_cursor`: by scope, the role, the number of the last sealed batch, and what has been pulled.
/// - `_page`: rows that were pulled and wait for the rest, so that all are applied at once.
/// - `_dead`: changes that cannot be sent, were refused, or cannot be shown, with the reason.
/// - `_conflict`: values that did not stay, as the server has decided.
enum DeviceTables {
  /// The version of this layout. A file of a later one is left alone.
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

  /// The layout's version that a file has, or `nil` where it has none.
  /// - Throws: `DatabaseError`.
  static func version(_ reader: Reader) throws -> Int? {
    let isThere = try SQL("SELECT count(*) FROM sqlite_schema WHERE name = '_state'")
      .one(reader, as: Int.self)
    guard isThere == 1 else { return nil }
    return try SQL("SELECT version FROM _state WHERE k = 1").one(reader, as: Int.self)
  }
}
