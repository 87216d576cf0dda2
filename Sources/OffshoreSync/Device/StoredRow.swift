import Offshore
import OffshoreWire

/// A row of `_row`: the version of a synced row in one scope, and the hash of its confirmed state.
struct StoredRow {
  let tableName: String
  let id: String
  let scope: ScopeID
  /// The version, including all sealed changes.
  let version: RowVersion
  /// The hash of the confirmed state, or 0 if the row does not exist on the server.
  let hash: UInt64
}

extension StoredRow: Record {
  static let table = Table(
    "_row", StoredRow.init,
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("state", \.version, as: .message),
    Column("hash", \.hash, as: .bits).default(0)
  ).withoutRowID()

  /// Returns the rows about a row of the app, one for each scope.
  static func of(_ row: RowID) -> Query<StoredRow> {
    Self.where { $0.tableName == row.table && $0.id == row.id }
  }
}

/// The columns of ``StoredRow`` without the hash. If the row is already stored, saving them leaves
/// the hash as it is.
struct StoredVersion: Record {
  let tableName: String
  let id: String
  let scope: ScopeID
  let version: RowVersion

  static let table = Table(
    "_row", StoredVersion.init,
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("state", \.version, as: .message)
  ).withoutRowID()
}

/// The key of a ``StoredRow``, to delete the row by it.
struct StoredKey: Record {
  let tableName: String
  let id: String
  let scope: ScopeID

  static let table = Table(
    "_row", StoredKey.init,
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("scope", \.scope, as: .scope).primaryKey()
  ).withoutRowID()
}

/// A row of `_shadow`: the confirmed state of a row that shows something else in a scope.
struct StoredShadow {
  let tableName: String
  let id: String
  let scope: ScopeID
  /// The state on the server, or `nil` if the server does not have the row.
  var confirmed: RowState?
  /// The reason why the row is hidden, or `nil` if it is not.
  var reason: String?
}

extension StoredShadow: Record {
  static let table = Table(
    "_shadow", StoredShadow.init,
    Column("tbl", \.tableName).primaryKey(),
    Column("id", \.id).primaryKey(),
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("state", \.confirmed, as: .message),
    Column("reason", \.reason)
  ).withoutRowID()

  /// Returns the shadows of a row, one for each scope.
  static func of(_ row: RowID) -> Query<StoredShadow> {
    Self.where { $0.tableName == row.table && $0.id == row.id }
  }
}
