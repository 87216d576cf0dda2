import Foundation
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

  /// Returns the entries of a row, by scope.
  func all(of row: RowID) throws -> [ScopeID: RowEntry] {
    let found = try writer.connection.fetch(
      """
      SELECT r.scope, r.state, r.hash, s.id IS NOT NULL, s.state, s.reason
      FROM _row r LEFT JOIN _shadow s ON s.tbl = r.tbl AND s.id = r.id AND s.scope = r.scope
      WHERE r.tbl = \(row.table) AND r.id = \(row.id)
      """
    ) { row in
      let scope = try row.value(String.self)
      let version = try RowVersion(decoding: try row.bytes())
      let hash = UInt64(bitPattern: try row.value(Int64.self))
      let hasShadow = try row.value(Bool.self)
      let confirmed = try row.value(Data?.self).map { try RowState(decoding: Array($0)) }
      let reason = try row.value(String?.self)
      return (
        try ScopeID(scope),
        RowEntry(
          version: version, hash: hash,
          shadow: hasShadow ? RowEntry.Shadow(confirmed: confirmed, reason: reason) : nil)
      )
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the rows that a condition on `_row` or `_shadow` selects, in order.
  func rows(in table: SQL, where condition: SQL) throws -> [RowID] {
    try SQL("SELECT tbl, id FROM \(table) WHERE \(condition) ORDER BY tbl, id")
      .all(writer, as: String.self, String.self).map { RowID(table: $0, id: $1) }
  }

  func save(_ version: RowVersion, hash: UInt64, of row: RowID, in scope: ScopeID) throws {
    try writer.run(
      """
      INSERT INTO _row (tbl, id, scope, state, hash) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (tbl, id, scope) DO UPDATE SET state = excluded.state, hash = excluded.hash
      """
    ) { binder in
      StringCodec.bind(row.table, &binder, 1)
      StringCodec.bind(row.id, &binder, 2)
      StringCodec.bind(scope.text, &binder, 3)
      version.encoded().withUnsafeBytes { binder.bind(blob: $0, 4) }
      binder.bind(Int64(bitPattern: hash), 5)
    }
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
    try SQL(
      """
      INSERT INTO _row (tbl, id, scope, state)
      VALUES (\(row.table), \(row.id), \(scope.text), \(Data(version.encoded())))
      ON CONFLICT (tbl, id, scope) DO UPDATE SET state = excluded.state
      """
    ).run(writer)
  }

  func save(_ shadow: RowEntry.Shadow, of row: RowID, in scope: ScopeID) throws {
    try SQL(
      """
      INSERT INTO _shadow (tbl, id, scope, state, reason)
      VALUES (\(row.table), \(row.id), \(scope.text),
        \(shadow.confirmed.map { Data($0.encoded()) }), \(shadow.reason))
      ON CONFLICT (tbl, id, scope) DO UPDATE SET state = excluded.state, reason = excluded.reason
      """
    ).run(writer)
  }

  /// Stores a row of a table that this version of the app does not know, for a later version.
  /// - Returns: the hash of the former confirmed state, or 0.
  func keepUnknown(
    _ row: RowID, _ state: RowState?, hash: UInt64, in scope: ScopeID
  ) throws -> UInt64 {
    let before = try all(of: row)[scope]?.hash ?? 0
    try remove(row, in: scope)
    if let state { try save(RowVersion(state, in: nil), hash: hash, of: row, in: scope) }
    return before
  }

  func removeShadow(of row: RowID, in scope: ScopeID) throws {
    try SQL(
      """
      DELETE FROM _shadow WHERE tbl = \(row.table) AND id = \(row.id) AND scope = \(scope.text)
      """
    ).run(writer)
  }

  func remove(_ row: RowID, in scope: ScopeID) throws {
    try removeShadow(of: row, in: scope)
    try SQL(
      "DELETE FROM _row WHERE tbl = \(row.table) AND id = \(row.id) AND scope = \(scope.text)"
    ).run(writer)
  }
}

extension RowReader {
  /// Reads the next column, a BLOB.
  /// - Throws: ``SyncError`` with the code `damaged` if the value is of another type.
  mutating func bytes() throws -> [UInt8] {
    guard case .blob(let bytes) = try value(StoredValue.self).value else {
      throw SyncError(.damaged, "A column that is written as bytes has none. Restore a backup.")
    }
    return bytes
  }
}
