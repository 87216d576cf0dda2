import Foundation
public import Offshore
public import OffshoreWire

/// What a device knows besides the rows themselves.
extension Replica {
  /// What the account may do in a scope, or `nil` where nothing was ever granted.
  ///
  /// Ask for it in an observation: it changes with the file.
  /// - Throws: `DatabaseError`.
  public func role(in scope: ScopeID, _ reader: Reader) throws -> Role? {
    try ScopeCursor.of(scope, reader).role
  }

  /// What the account may do in the scopes of a kind of which anything was ever granted.
  /// - Throws: `DatabaseError`.
  public func roles(
    inScopesOf kind: String, _ reader: Reader
  ) throws -> [ScopeID: Role] {
    let rows = try SQL("SELECT scope, role FROM _cursor WHERE role IS NOT NULL")
      .all(reader, as: String.self, Int64.self)
    var roles: [ScopeID: Role] = [:]
    for (text, role) in rows {
      let scope = try ScopeID(text)
      if scope.kind == kind { roles[scope] = Role(rawValue: UInt8(clamping: role)) }
    }
    return roles
  }

  /// The name under which this device makes edits.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func device(_ reader: Reader) throws -> DeviceID { try DeviceState(reader).device }

  /// The stamp of the latest edit of a table's rows that other devices made, or `nil` if there is none.
  ///
  /// It reads the versions of all rows of the table.
  /// - Throws: `DatabaseError`; `WireError` if a version is damaged.
  package func latestEdit(
    in table: String, notBy device: DeviceID, _ reader: Reader
  ) throws -> Stamp? {
    try SQL("SELECT state FROM _row WHERE tbl = \(table)").all(reader, as: Data.self)
      .map { try RowVersion(decoding: Array($0)) }
      .flatMap { [$0.stamp] + $0.versions.values }.filter { $0.device != device }.max()
  }

  /// Whether a row is on this device and has a value other than NULL in a column.
  /// - Throws: `DatabaseError`.
  package func hasValue(in column: String, of row: RowID, _ reader: Reader) throws -> Bool {
    guard let table = schema[row.table] else { return false }
    return try SQL(
      """
      SELECT EXISTS (SELECT 1 FROM \(identifier: table.name)
      WHERE \(identifier: table.idColumn) = \(row.id) AND \(identifier: column) IS NOT NULL)
      """
    ).one(reader, as: Bool.self) == true
  }

  /// When a row was deleted, and by which device, or `nil` where it was not as far as is known.
  /// - Throws: `DatabaseError`.
  public func deletion(of row: RowID, _ reader: Reader) throws -> Stamp? {
    try SQL("SELECT state FROM _row WHERE tbl = \(row.table) AND id = \(row.id)")
      .all(reader, as: Data.self).map { try RowVersion(decoding: Array($0)) }
      .filter { $0.presence == .deleted }.map(\.stamp).max()
  }

  /// The version that the field of a conflict has now, as far as it is sealed, or `nil` if the row is unknown.
  /// - Throws: `DatabaseError`.
  package func currentStamp(
    of conflict: Conflict, in scope: ScopeID, _ reader: Reader
  ) throws -> Stamp? {
    try SQL(
      """
      SELECT state FROM _row
      WHERE tbl = \(conflict.row.table) AND id = \(conflict.row.id) AND scope = \(scope.text)
      """
    ).one(reader, as: Data.self)
      .map { try RowVersion(decoding: Array($0)).version(of: conflict.field) }
  }

  /// The scopes that have conflicts, in their order.
  /// - Throws: `DatabaseError`.
  package func scopesWithConflicts(_ reader: Reader) throws -> [ScopeID] {
    try SQL("SELECT DISTINCT scope FROM _conflict ORDER BY scope").all(reader, as: String.self)
      .map { try ScopeID($0) }
  }

  /// The values of a scope's rows that were written and did not stay, as they were decided, oldest
  /// first.
  /// - Throws: `DatabaseError`.
  public func conflicts(in scope: ScopeID, _ reader: Reader) throws -> [Conflict] {
    try SQL("SELECT content FROM _conflict WHERE scope = \(scope.text) ORDER BY number")
      .all(reader, as: Data.self).map { try Conflict(decoding: Array($0)) }
  }
}
