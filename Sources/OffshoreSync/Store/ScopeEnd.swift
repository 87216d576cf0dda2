public import Foundation
import Offshore
public import OffshoreWire

/// The way in which a scope ended whose row is not on this device any more.
public struct ScopeEnd: Hashable, Sendable {
  /// The event that ended the scope.
  public enum Kind: Hashable, Sendable {
    /// The row was deleted on another device.
    case deletedElsewhere(Date)
    /// The row was deleted on this device.
    case deletedHere(Date)
    /// An owner ended the account's membership.
    case revoked
  }

  /// The event that ended the scope.
  public let kind: Kind
  /// Whether changes of this device were lost by it.
  public let hasLostChanges: Bool

  /// Describes an end.
  public init(kind: Kind, hasLostChanges: Bool) {
    self.kind = kind
    self.hasLostChanges = hasLostChanges
  }
}

extension SyncedStore {
  /// Returns how a scope ended, or `nil` if its row is on this device or nothing is known of it.
  ///
  /// The row is the one that ``title(of:_:)`` reads.
  /// - Throws: `DatabaseError`.
  public func end(of scope: ScopeID) async throws -> ScopeEnd? {
    try await read { [self] in try end(of: scope, $0) }
  }

  func end(of scope: ScopeID, _ reader: Reader) throws -> ScopeEnd? {
    guard try Self.isLinked(reader), let table = table(of: scope),
      try title(of: scope, reader) == nil
    else { return nil }
    return try end(of: scope, RowID(table: table.name, id: scope.value), reader)
  }

  private func end(of scope: ScopeID, _ row: RowID, _ reader: Reader) throws -> ScopeEnd? {
    if try replica.role(in: scope, reader) == .revoked {
      let hasRefused = try replica.deadLetters(reader).contains { $0.scope == scope }
      return ScopeEnd(kind: .revoked, hasLostChanges: hasRefused)
    }
    guard let stamp = try replica.deletion(of: row, reader) else {
      return try pendingDeletion(of: row, reader)
        .map { ScopeEnd(kind: .deletedHere($0), hasLostChanges: false) }
    }
    let (device, date) = (try replica.device(reader), Date(milliseconds: stamp.milliseconds))
    // Values that were lost to an earlier deletion of a part do not concern the end of the scope.
    let hasLost = try replica.conflicts(in: scope, reader).contains {
      $0.reason == .ended && $0.losingStamp.device == device
        && $0.winningStamp.milliseconds >= stamp.milliseconds
    }
    return ScopeEnd(
      kind: stamp.device == device ? .deletedHere(date) : .deletedElsewhere(date),
      hasLostChanges: hasLost)
  }

  /// The date of a deletion on this device that is not sent yet.
  private func pendingDeletion(of row: RowID, _ reader: Reader) throws -> Date? {
    let changes = try replica.outbox.changes(reader)
    let deletion = changes.last { $0.row == row && $0.kind == .deleted }
    return deletion.map { $0.date.map { Date(milliseconds: $0) } ?? environment.now() }
  }
}
