import Offshore
import OffshoreWire

/// The roles that an answer grants and revokes.
extension PullIntake {
  /// Stores the granted roles.
  /// - Returns: whether the account may now read scopes that the request did not include.
  mutating func applyGrants(_ grants: [Grant]) throws -> Bool {
    guard let last = grants.map(\.seq).max() else { return false }
    var hasNewScopes = false
    for grant in grants.sorted(by: { $0.seq < $1.seq }) {
      var cursor = cursors[grant.scope] ?? ScopeCursor(grant.scope)
      let removesCopy = grant.role == .left && cursor.wanted?.removesCopy == true
      let role = removesCopy ? .revoked : grant.role
      if role.canRead, cursor.role?.canRead != true {
        hasNewScopes = true
        if cursor.epoch == 0 {
          cursor.restart(epoch: 0)
          // The account may have left the scope before its pages were applied.
          if cursor.role == .left { try StagedPage.of(grant.scope).delete(writer) }
        }
        // An account that has joined again does not leave if the server's data is restored later. Restored
        // data has another epoch.
        if cursor.epoch == dataEpoch {
          try SentBatches(writer: writer).removeLeaving(of: grant.scope)
        }
      }
      // NB: After a restore of the server's data all grants arrive again. A scope that has ended already
      // may have stored batches, which a revocation removes.
      if role != .revoked {
        ended.remove(grant.scope)
      } else if cursor.role != .revoked {
        ended.insert(grant.scope)
      }
      let former = cursor.shownRole
      cursor.role = role
      if cursor.shownRole != former { changedMembers.insert(grant.scope) }
      if role == .left { left.insert(grant.scope) } else { left.remove(grant.scope) }
      try set(cursor)
    }
    var state = try ReplicaState(writer)
    report.hasAdvanced = last > state.grants
    state.grants = max(state.grants, last)
    try state.save(writer)
    return hasNewScopes
  }

  /// Revokes a scope that the server no longer grants.
  ///
  /// If the server's data was restored from a copy that lacks the scope, its owner claims it again,
  /// if its kind can be claimed.
  /// - Parameter epoch: the epoch of the server's data.
  mutating func end(_ scope: ScopeID, of epoch: UInt64) throws {
    guard var cursor = cursors[scope], cursor.role?.canRead == true else { return }
    let last = try ReplicaState(writer).epoch
    if cursor.role == .owner, isOther(epoch, than: cursor, or: last),
      replica.schema.manifest.claimableKinds.contains(scope.kind)
    {
      cursor.role = nil
      reclaimed.insert(scope)
    } else {
      cursor.role = .revoked
    }
    try set(cursor)
    changedMembers.insert(scope)
    ended.insert(scope)
    // The server may have been restored to a state with other grants.
    var state = try ReplicaState(writer)
    state.grants = 0
    try state.save(writer)
  }
}
