import Foundation
public import Offshore
import OffshoreWire

extension SyncedStore {
  /// The numbers of pending and refused changes, and whether the account's own rows have arrived.
  public struct Status: Hashable, Sendable {
    /// The number of pending changes, as ``OutgoingChanges/pending()`` lists them, without files.
    public var pendingCount = 0
    /// The number of rows of which the server has all changes, and lacks a file that this device sends, or
    /// does not accept it. They are not part of ``pendingCount``; ``OutgoingChanges/pending()`` lists them, too.
    public var unsentFileCount = 0
    /// The number of pending changes and of rows whose files were not sent.
    public var unsentCount: Int { pendingCount + unsentFileCount }
    /// Whether there are pending changes, but all are in scopes in which the account has no role yet.
    /// They are sent when the server grants one.
    public var waitsForGrant = false
    /// The number of refused changes.
    public var refusedCount = 0
    /// The number of those refused changes that the server's data lacks because it was restored from
    /// a copy.
    public var lostByRestoreCount = 0
    /// Whether the first sync of all personal scopes of the account was completed. These are the
    /// scopes of the schema's `personalKinds` with the account's id.
    ///
    /// It is `false` without an account, and if the schema has no personal kinds.
    public var hasArrived = false

    /// Creates the status of a store without an account: no changes, and ``hasArrived`` is `false`.
    public init() {}
  }

  /// Observes the numbers of pending and refused changes, and whether the account's own rows have
  /// arrived.
  public func status() -> ObservedValues<Status> {
    values { [self] reader in
      var status = Status()
      guard let account = try Self.account(reader) else { return status }
      let kinds = replica.schema.manifest.personalKinds
      let missing = try kinds.first { kind in
        try !replica.hasArrived(ScopeID(kind: kind, value: account.id.uuidString), reader)
      }
      status.hasArrived = missing == nil && !kinds.isEmpty
      status.refusedCount = try replica.refusedCount(reader)
      status.lostByRestoreCount = try replica.lostCount(reader)
      (status.pendingCount, status.unsentFileCount) = try changes.counts(reader)
      status.waitsForGrant =
        try status.pendingCount > 0 && status.unsentFileCount == 0 && replica.waitsForGrant(reader)
      return status
    }
  }
}
