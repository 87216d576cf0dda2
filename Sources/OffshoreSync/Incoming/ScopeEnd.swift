public import Foundation
package import Offshore
public import OffshoreWire

/// The reason why the rows of a scope are not on this device any more.
public struct ScopeEnd: Hashable, Sendable {
  /// The event by which a scope was removed from this device.
  ///
  /// The date of a deletion is the time of the edit, by the clock of the device that made it.
  public enum Kind: Hashable, Sendable {
    /// The scope's root row was deleted on another device.
    case deletedElsewhere(Date)
    /// The scope's root row was deleted on this device.
    case deletedHere(Date)
    /// The account has no access any more: an owner ended its membership, or it has left the scope
    /// and the copy on this device was removed.
    case revoked
  }

  /// The event by which the scope was removed.
  public let kind: Kind
  /// Whether a deletion has discarded changes of this device: the server reported them as conflicts
  /// with the reason `ended`.
  ///
  /// It is `false` as long as the scope has refused changes: these are listed for the user, who can
  /// restore the rows of the scope if ``RefusedChange/End/isRestorable`` is `true`.
  public let hasLostChanges: Bool

  /// Creates the reason.
  public init(kind: Kind, hasLostChanges: Bool) {
    self.kind = kind
    self.hasLostChanges = hasLostChanges
  }
}

extension SyncedStore {
  /// Returns the reason why a scope is not on this device any more.
  ///
  /// A scope counts as removed if its root row is not on this device. The root row is the row whose
  /// key is the scope's value, such as the list in the scope of a list.
  /// - Returns: `nil` if the root row is on this device, if the reason is not known, or if the file
  ///   has no account.
  /// - Throws: `DatabaseError`.
  public func end(of scope: ScopeID) async throws -> ScopeEnd? {
    try await read { [self] in try end(of: scope, $0) }
  }

  func end(of scope: ScopeID, _ reader: Reader) throws -> ScopeEnd? {
    guard try Self.isLinked(reader), let table = table(of: scope),
      try title(of: scope, reader) == nil
    else { return nil }
    return try end(of: scope, RowID(table: table.sentName, id: scope.value), reader)
  }

  /// Returns the reason why the row with a key, or the scope with this root row, is not on this
  /// device any more.
  /// - Returns: `nil` if a synced table has the row, or if the reason is not known.
  /// - Throws: `DatabaseError`.
  package func end(ofRow id: UUID) async throws -> ScopeEnd? {
    try await read { [self] reader in
      guard try Self.isLinked(reader), try rows(withKey: id, reader).isEmpty else { return nil }
      for table in replica.schema.tables {
        let row = RowID(table: table.sentName, id: id.uuidString)
        let isRoot = table.scopeColumn == table.idColumn
        let scope = isRoot ? try? ScopeID(kind: table.scopeKind, value: row.id) : nil
        let known =
          if let scope { try end(of: scope, row, reader) } else { try deletion(of: row, reader) }
        if let known { return known }
      }
      return nil
    }
  }

  /// Returns the rows with a key that are on this device, in any synced table.
  /// - Throws: `DatabaseError`.
  package func rows(withKey id: UUID, _ reader: Reader) throws -> [RowID] {
    try replica.schema.tables.map { RowID(table: $0.sentName, id: id.uuidString) }.filter { row in
      try titleIfStored(of: row, reader) != nil
    }
  }

  /// Returns the title of a row, empty if its table has no title, or `nil` if the row is not on
  /// this device.
  /// - Throws: `DatabaseError`.
  package func titleIfStored(of row: RowID, _ reader: Reader) throws -> String? {
    guard let table = replica.schema[row.table] else { return nil }
    let title = table.row.title.map { SQL("\(identifier: $0)") } ?? SQL("''")
    return try SQL(
      "SELECT \(title) FROM \(identifier: table.name) WHERE \(identifier: table.idColumn) = \(row.id)"
    ).first(reader, as: String?.self).map { $0 ?? "" }
  }

  private func end(of scope: ScopeID, _ row: RowID, _ reader: Reader) throws -> ScopeEnd? {
    if try replica.role(in: scope, reader) == .revoked {
      return ScopeEnd(kind: .revoked, hasLostChanges: false)
    }
    guard let end = try deletion(of: row, reader) else { return nil }
    guard let stamp = try replica.deletion(of: row, reader) else { return end }
    let hasRefused = try replica.deadLetters(reader).contains { $0.scope == scope }
    let device = try replica.device(reader)
    // Values that lost to the earlier deletion of another row do not count.
    let hasLost = try replica.conflicts(in: scope, reader).contains {
      $0.reason == .ended && $0.losingStamp.device == device
        && $0.winningStamp.milliseconds >= stamp.milliseconds
    }
    return ScopeEnd(kind: end.kind, hasLostChanges: hasLost && !hasRefused)
  }

  /// Returns the deletion of a row, without looking for lost changes.
  private func deletion(of row: RowID, _ reader: Reader) throws -> ScopeEnd? {
    guard let stamp = try replica.deletion(of: row, reader) else {
      return try pendingDeletion(of: row, reader)
        .map { ScopeEnd(kind: .deletedHere($0), hasLostChanges: false) }
    }
    let date = Date(milliseconds: stamp.milliseconds)
    let isOwn = try stamp.device == replica.device(reader)
    return ScopeEnd(
      kind: isOwn ? .deletedHere(date) : .deletedElsewhere(date), hasLostChanges: false)
  }

  /// Returns the time at which this device deleted a row, if the server does not have the deletion
  /// yet.
  private func pendingDeletion(of row: RowID, _ reader: Reader) throws -> Date? {
    let changes = try replica.outbox.changes(reader)
    let deletion = changes.last { $0.row == row && $0.kind == .deleted }
    return deletion.map { $0.date.map { Date(milliseconds: $0) } ?? environment.now() }
  }
}
