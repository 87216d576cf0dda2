import Offshore
import OffshoreWire

/// A row of `_row`: the version of a synced row in one scope, and the hash of its confirmed state.
struct VersionRow {
  let tableName: String
  let id: String
  let scope: ScopeID
  /// The version, including all sealed changes.
  let version: RowVersion
  /// The hash of the confirmed state, or 0 if the row does not exist on the server.
  let hash: UInt64
}

extension VersionRow: Record {
  static let table = Table(
    "_row", VersionRow.init,
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("state", \.version, as: .message),
    Column("hash", \.hash, as: .bits).default(0)
  ).ofLibrary().withoutRowID()

  /// The condition of rows that do not exist on the server, for the index on them.
  static let isAbsent: SQL = "hash = 0"

  /// Returns the rows about a row of the app, one for each scope.
  static func of(_ row: RowID) -> Query<VersionRow> {
    Self.where { $0.tableName == row.table && $0.id == row.id }
  }

  /// Stores rows of a table, with their encoded versions.
  // NB: SQL, because one use of the statement for all rows is faster than saving each record.
  static func store(
    _ rows: some Sequence<(id: String, scope: String, version: [UInt8], hash: UInt64)>,
    of table: String, _ writer: Writer
  ) throws {
    try writer.run(
      """
      INSERT INTO _row (tbl, id, scope, state, hash) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (tbl, id, scope) DO UPDATE SET state = excluded.state, hash = excluded.hash
      """, each: rows
    ) { row, binder in
      StringCodec.bind(table, &binder, 1)
      StringCodec.bind(row.id, &binder, 2)
      StringCodec.bind(row.scope, &binder, 3)
      row.version.withUnsafeBytes { binder.bind(blob: $0, 4) }
      binder.bind(Int64(bitPattern: row.hash), 5)
    }
  }
}

/// The columns of ``VersionRow`` without the hash. If the row is already stored, saving them leaves
/// the hash as it is.
struct VersionColumns: Record {
  let tableName: String
  let id: String
  let scope: ScopeID
  let version: RowVersion

  static let table = Table(
    "_row", VersionColumns.init,
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("state", \.version, as: .message)
  ).ofLibrary().withoutRowID()
}

/// The key of a ``VersionRow``, to delete the row by it.
struct VersionKey: Record {
  let tableName: String
  let id: String
  let scope: ScopeID

  static let table = Table(
    "_row", VersionKey.init,
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("scope", \.scope, as: .scope).primaryKey()
  ).ofLibrary().withoutRowID()
}

/// A row of `_shadow`: the confirmed state of a row that shows something else in a scope.
struct ShadowRow {
  let tableName: String
  let id: String
  let scope: ScopeID
  /// The state on the server, or `nil` if the server does not have the row.
  var confirmed: RowState?
  /// The reason why the row is hidden, or `nil` if it is not.
  var reason: String?
}

extension ShadowRow: Record {
  static let table = Table(
    "_shadow", ShadowRow.init,
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("state", \.confirmed, as: .message),
    Column("reason", \.reason)
  ).ofLibrary().withoutRowID()

  var row: RowID { RowID(table: tableName, id: id) }

  /// Returns the shadows of a row, one for each scope.
  static func of(_ row: RowID) -> Query<ShadowRow> {
    Self.where { $0.tableName == row.table && $0.id == row.id }
  }
}
