import Offshore

/// The tables that a device keeps beside the app's, so that they commit together.
///
/// - `_state`, one row: the layout's version, whether changes from elsewhere are being applied, the
///   number of the transaction that is being captured, the device, its clock, and where columns are
///   in `_outbox`.
/// - `_outbox`: the journal of captured changes that are not sealed yet; see ``CaptureTriggers``.
/// - `_batch`: the bytes of sealed batches until they are answered and pulled.
/// - `_row`: life, scope and versions of each synced row, with all sealed changes counted in.
/// - `_shadow`: of rows in sealed batches, what was confirmed before the first of them.
/// - `_cursor`: by scope, the number of the last sealed batch and what has been pulled.
/// - `_dead`: changes that cannot be sent or were refused, with the reason.
enum DeviceTables {
  /// The version of this layout. A file of a later one is left alone.
  static let version = 1

  static let creation: SQL = """
    CREATE TABLE _state (
      k INTEGER PRIMARY KEY CHECK (k = 1), version INTEGER NOT NULL,
      applying INTEGER NOT NULL DEFAULT 0, batch INTEGER NOT NULL DEFAULT 1,
      device BLOB NOT NULL, clock BLOB NOT NULL, ahead INTEGER, epoch INTEGER NOT NULL DEFAULT 0,
      layout TEXT NOT NULL);
    CREATE TABLE _outbox (seq INTEGER PRIMARY KEY, batch, tbl, id, kind, mask);
    CREATE TABLE _batch (
      scope TEXT NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, ops INTEGER NOT NULL,
      sealed INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (scope, number));
    CREATE TABLE _row (
      tbl TEXT NOT NULL, id TEXT NOT NULL, scope TEXT NOT NULL, state BLOB NOT NULL,
      PRIMARY KEY (tbl, id, scope)) WITHOUT ROWID;
    CREATE TABLE _shadow (
      tbl TEXT NOT NULL, id TEXT NOT NULL, scope TEXT NOT NULL, state BLOB, fields BLOB NOT NULL,
      PRIMARY KEY (tbl, id, scope)) WITHOUT ROWID;
    CREATE TABLE _cursor (
      scope TEXT PRIMARY KEY NOT NULL, sent INTEGER NOT NULL DEFAULT 0,
      seq INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE _dead (
      number INTEGER PRIMARY KEY, at INTEGER NOT NULL, tbl TEXT NOT NULL, id TEXT NOT NULL,
      scope TEXT, code TEXT NOT NULL, message TEXT NOT NULL, op BLOB);
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
