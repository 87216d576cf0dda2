public import Offshore
public import OffshoreWire

/// Facts about scopes, rows and conflicts that the device stores besides the rows themselves.
extension Replica {
  /// Returns the role of the account in a scope, or `nil` if none was ever granted.
  ///
  /// To receive each new role, call it in an observation.
  /// - Throws: `DatabaseError`.
  public func role(in scope: ScopeID, _ reader: Reader) throws -> Role? {
    try ScopeCursor.of(scope, reader).role
  }

  /// Returns the roles of the account in the scopes of a kind. Scopes without any grant are left
  /// out.
  /// - Throws: `DatabaseError`.
  public func roles(
    inScopesOf kind: String, _ reader: Reader
  ) throws -> [ScopeID: Role] {
    let granted = try ScopeCursor.where { $0.role != nil && $0.scope.hasPrefix("\(kind)/") }
      .select({ (scope: $0, role: $1) }) { cursor in
        cursor.scope
        cursor.role
      }.all(reader)
    return granted.reduce(into: [:]) { $0[$1.scope] = $1.role }
  }

  /// Returns the id under which this device makes edits.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func device(_ reader: Reader) throws -> DeviceID { try ReplicaState(reader).device }

  /// Returns the stamp of the latest edit that another device made in a table, or `nil` if no other
  /// device made one.
  ///
  /// It reads the versions of all rows of the table.
  /// - Throws: `DatabaseError`.
  package func latestEdit(
    in table: String, notBy device: DeviceID, _ reader: Reader
  ) throws -> Stamp? {
    try VersionRow.where { $0.tableName == table }.select { $0.version }.all(reader)
      .flatMap { [$0.stamp] + $0.versions.values }.filter { $0.device != device }.max()
  }

  /// Returns whether a row is on this device and has a value other than NULL in a column.
  /// - Throws: `DatabaseError`.
  package func hasValue(in column: String, of row: RowID, _ reader: Reader) throws -> Bool {
    guard let table = schema[row.table] else { return false }
    return try SQL(
      """
      SELECT EXISTS (SELECT 1 FROM \(identifier: table.name)
      WHERE \(identifier: table.idColumn) = \(row.id) AND \(identifier: column) IS NOT NULL)
      """
    ).first(reader, as: Bool.self) == true
  }

  /// Returns the stamp of a row's deletion, with its time and device, or `nil` if no deletion is
  /// known.
  /// - Throws: `DatabaseError`.
  public func deletion(of row: RowID, _ reader: Reader) throws -> Stamp? {
    try VersionRow.of(row).select { $0.version }.all(reader)
      .filter { $0.presence == .deleted }.map(\.stamp).max()
  }

  /// Returns the current version of a conflict's field, including sealed changes, or `nil` if the
  /// row is unknown.
  /// - Throws: `DatabaseError`.
  package func currentStamp(
    of conflict: Conflict, in scope: ScopeID, _ reader: Reader
  ) throws -> Stamp? {
    try VersionRow.of(conflict.row).where { $0.scope == scope }.select { $0.version }.first(reader)?
      .version(of: conflict.field)
  }

  /// Returns the scopes that have conflicts, in their order.
  /// - Throws: `DatabaseError`.
  package func scopesWithConflicts(_ reader: Reader) throws -> [ScopeID] {
    try StoredConflict.order { $0.scope }.select { $0.scope }.distinct().all(reader)
  }

  /// Returns the conflicts of a scope, the oldest first.
  /// - Throws: `DatabaseError`.
  public func conflicts(in scope: ScopeID, _ reader: Reader) throws -> [Conflict] {
    try StoredConflict.where { $0.scope == scope }.order { $0.number }.select { $0.conflict }
      .all(reader)
  }
}
