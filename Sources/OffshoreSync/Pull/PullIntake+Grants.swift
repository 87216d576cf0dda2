import Offshore
import OffshoreWire

/// The grants of an answer, and the epoch of the server's data.
extension PullIntake {
  /// Stores the granted roles.
  /// - Returns: whether the account may now read scopes that the request did not include.
  mutating func applyGrants(_ grants: [Grant]) throws -> Bool {
    guard let last = grants.map(\.seq).max() else { return false }
    var hasNewScopes = false
    for grant in grants.sorted(by: { $0.seq < $1.seq }) {
      var cursor = cursors[grant.scope] ?? ScopeCursor(grant.scope)
      if grant.role.canRead, cursor.role?.canRead != true {
        hasNewScopes = true
        if cursor.epoch == 0 { cursor.restart(epoch: 0) }
      }
      cursor.role = grant.role
      if grant.role == .revoked { ended.insert(grant.scope) } else { ended.remove(grant.scope) }
      if grant.role == .left { left.insert(grant.scope) } else { left.remove(grant.scope) }
      try set(cursor)
    }
    var state = try ReplicaState(writer)
    report.hasAdvanced = last > state.grants
    state.grants = max(state.grants, last)
    try state.save(writer)
    return hasNewScopes
  }

  /// Revokes a scope that the server no longer grants.
  mutating func end(_ scope: ScopeID) throws {
    guard var cursor = cursors[scope], cursor.role?.canRead == true else { return }
    cursor.role = .revoked
    try set(cursor)
    ended.insert(scope)
    // The server may have been restored to a state with other grants.
    var state = try ReplicaState(writer)
    state.grants = 0
    try state.save(writer)
  }

  /// Requests all grants again if the server's epoch changed, because it may have granted other
  /// roles.
  mutating func recordEpochs(_ response: PullResponse) throws {
    var state = try ReplicaState(writer)
    let epochs = [response.epoch] + response.scopes.map(\.epoch)
    let isOtherData = try epochs.contains { try isOther($0, than: nil) }
    if isOtherData { state.grants = 0 }
    if response.scopes.isEmpty {
      // Only pages store their epoch when they are applied, and this answer has none.
      state.epoch = response.epoch
      if isOtherData { report.hasMore = true }
    }
    try state.save(writer)
  }

  /// Returns whether an epoch differs from the last one known in a scope or, if the scope has none,
  /// on the device. An epoch of 0 is unknown and never differs.
  func isOther(_ epoch: UInt64, than cursor: ScopeCursor?) throws -> Bool {
    var known = cursor?.epoch ?? 0
    if known == 0 { known = try ReplicaState(writer).epoch }
    return known != 0 && epoch != 0 && known != epoch
  }
}
