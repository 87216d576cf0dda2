public import Offshore
public import OffshoreWire

/// The titles of scopes and rows.
extension SyncedStore {
  /// Returns the title of a scope's root row. The root row is the row whose key is the scope's
  /// value: in the scope of a list, the list and not its items.
  /// - Returns: an empty title if the table has none, `nil` if the row is not on this device.
  /// - Throws: `DatabaseError`.
  public func title(of scope: ScopeID, _ reader: Reader) throws -> String? {
    guard let table = table(of: scope) else { return nil }
    return try titleIfStored(of: RowID(table: table.sentName, id: scope.value), reader)
  }

  /// Returns the title of a synced row, or `nil` if it has none or is not on this device.
  /// - Throws: `DatabaseError`.
  package func title(of row: RowID, _ reader: Reader) throws -> String? {
    try names(reader).title(of: row)
  }

  /// Returns the table whose key is the value of a scope.
  func table(of scope: ScopeID) -> SyncTable? {
    replica.schema.tables.first {
      $0.scopeKind == scope.kind && $0.scopeColumn == $0.idColumn
    }
  }

  func names(_ reader: Reader) -> RowNames { RowNames(schema, replica, reader) }
}
