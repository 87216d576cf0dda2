import Offshore
import OffshoreWire

/// The stored state of a row in one scope, from `_row` and `_shadow`.
struct RowEntry: Hashable {
  /// The confirmed state of a row that shows something else.
  struct Shadow: Hashable {
    /// The state on the server, or `nil` if the server does not have the row.
    var confirmed: RowState?
    /// The reason why the row is hidden, or `nil` if it is not.
    var reason: String?
  }

  /// The version of the row, including all sealed changes.
  var version: RowVersion
  /// The hash of the confirmed state, or 0 if the row does not exist on the server.
  var hash: UInt64 = 0
  var shadow: Shadow?
}

/// The stored entries of rows.
struct RowEntries {
  let writer: Writer

  fileprivate static let damaged = ReplicaError(
    .damaged, "“_row” or “_shadow” is not readable. Restore the file from a backup.")

  /// Returns the entries of a row, by scope.
  /// - Throws: ``ReplicaError`` with the code `damaged`; `DatabaseError`.
  func all(of row: RowID) throws -> [ScopeID: RowEntry] {
    // NB: SQL, because it runs for many rows of a page, and composing the join of two records would
    // take longer than fetching it.
    let found = try writer.connection.fetch(
      """
      SELECT r.scope, r.state, r.hash, s.id IS NOT NULL, s.state, s.reason
      FROM _row r LEFT JOIN _shadow s ON s.tbl = r.tbl AND s.id = r.id AND s.scope = r.scope
      WHERE r.tbl = \(row.table) AND r.id = \(row.id)
      """
    ) { row in
      let scope = try row.value(String.self)
      guard let version = try row.message(RowVersion.self) else { throw RowEntries.damaged }
      let hash = UInt64(bitPattern: try row.value(Int64.self))
      let hasShadow = try row.value(Bool.self)
      let confirmed = try row.message(RowState.self)
      let reason = try row.value(String?.self)
      guard let scope = try? ScopeID(scope) else { throw RowEntries.damaged }
      return (
        scope,
        RowEntry(
          version: version, hash: hash,
          shadow: hasShadow ? RowEntry.Shadow(confirmed: confirmed, reason: reason) : nil)
      )
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  /// Returns all rows, in order. A row that is in several scopes is returned for each of them.
  func rows() throws -> [RowID] { try rows(VersionRow.all) }

  /// Returns the rows of a scope, in order.
  func rows(of scope: ScopeID) throws -> [RowID] {
    try rows(VersionRow.where { $0.scope == scope })
  }

  /// Returns the rows of some scopes, in order. A scope without rows is left out.
  func rows(of scopes: [ScopeID]) throws -> [ScopeID: [RowID]] {
    if scopes.isEmpty { return [:] }
    // No index has the scopes of rows, so all of them are read at once.
    let rows = try VersionRow.where { $0.scope.in(scopes) }
      .order { [$0.tableName.ascending, $0.id.ascending] }
      .select({ (scope: $0, row: RowID(table: $1, id: $2)) }) {
        $0.scope
        $0.tableName
        $0.id
      }.all(writer)
    return Dictionary(grouping: rows, by: \.scope).mapValues { $0.map(\.row) }
  }

  /// Returns the hidden rows that may be shown again, in order, except those of scopes that the account
  /// leaves. A row that is hidden in several scopes is returned for each of them.
  func hiddenRows() throws -> [RowID] {
    try Self.hidden.all(writer)
  }

  private static let hidden = ShadowRow.where {
    $0.reason != nil && $0.reason != Resolution.isLeaving
  }
  .order { [$0.tableName.ascending, $0.id.ascending] }
  .select(RowID.init) {
    $0.tableName
    $0.id
  }

  private func rows(_ stored: Query<VersionRow>) throws -> [RowID] {
    try stored.order { [$0.tableName.ascending, $0.id.ascending] }.select(RowID.init) {
      $0.tableName
      $0.id
    }.all(writer)
  }

  func save(_ version: RowVersion, hash: UInt64, of row: RowID, in scope: ScopeID) throws {
    try VersionRow(tableName: row.table, id: row.id, scope: scope, version: version, hash: hash)
      .save(writer)
  }

  /// Stores an entry. A stored shadow is deleted if the entry does not have one.
  func save(_ entry: RowEntry, of row: RowID, in scope: ScopeID) throws {
    try save(entry.version, hash: entry.hash, of: row, in: scope)
    if let shadow = entry.shadow {
      try save(shadow, of: row, in: scope)
    } else {
      try removeShadow(of: row, in: scope)
    }
  }

  /// Stores a version that includes further sealed changes. The stored hash stays.
  func save(_ version: RowVersion, of row: RowID, in scope: ScopeID) throws {
    try VersionColumns(tableName: row.table, id: row.id, scope: scope, version: version).save(
      writer)
  }

  /// Stores the version that the server has of a row without pending changes, or deletes the entry if the
  /// server does not have the row.
  func reset(_ row: RowID, in scope: ScopeID, to version: RowVersion?) throws {
    guard let version else { return try remove(row, in: scope) }
    try save(version, of: row, in: scope)
    try removeShadow(of: row, in: scope)
  }

  func save(_ shadow: RowEntry.Shadow, of row: RowID, in scope: ScopeID) throws {
    try ShadowRow(
      tableName: row.table, id: row.id, scope: scope, confirmed: shadow.confirmed,
      reason: shadow.reason
    ).save(writer)
  }

  /// Stores a row of a table that this version of the app does not know, for a later version.
  /// - Returns: the hash of the former confirmed state, or 0.
  func keepUnknown(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID
  ) throws -> UInt64 {
    // NB: Only in this scope, because an account is a member of many. It runs for each new scope, so
    // it is SQL.
    let key: SQL = "tbl = \(row.table) AND id = \(row.id) AND scope = \(scope.text)"
    let known = try SQL(
      "SELECT hash, EXISTS (SELECT 1 FROM _shadow WHERE \(key)) FROM _row WHERE \(key)"
    ).first(writer, as: Int64.self, Bool.self)
    if let state {
      // A file of a newer version of the app may have known the table.
      if known?.1 == true { try removeShadow(of: row, in: scope) }
      try save(RowVersion(state, in: nil), hash: hash, of: row, in: scope)
    } else if known != nil {
      try remove(row, in: scope)
    }
    return known.map { UInt64(bitPattern: $0.0) } ?? 0
  }

  func removeShadow(of row: RowID, in scope: ScopeID) throws {
    try ShadowRow(tableName: row.table, id: row.id, scope: scope).delete(writer)
  }

  func remove(_ row: RowID, in scope: ScopeID) throws {
    try removeShadow(of: row, in: scope)
    try VersionKey(tableName: row.table, id: row.id, scope: scope).delete(writer)
  }
}

extension RowReader {
  /// Reads the next column, a value in the encoding of messages; NULL is `nil`.
  /// - Throws: ``ReplicaError`` with the code `damaged` if the column has another value.
  fileprivate mutating func message<Value: WireCodable>(_: Value.Type) throws -> Value? {
    switch try value(StoredValue.self).value {
    case .null: return nil
    case .blob(let bytes):
      if let value = try? Value(decoding: bytes) { return value }
    default: break
    }
    throw RowEntries.damaged
  }
}
