import Offshore
import OffshoreWire

/// What the account may do, and which data the server has.
extension PullIntake {
  /// - Returns: whether there are scopes to be fetched that were not asked for.
  mutating func takeGrants(_ grants: [Grant]) throws -> Bool {
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
    var state = try DeviceState(writer)
    report.hasAdvanced = last > state.grants
    state.grants = max(state.grants, last)
    try state.save(writer)
    return hasNewScopes
  }

  /// Takes a scope away that the server does not show any more.
  mutating func end(_ scope: ScopeID) throws {
    guard var cursor = cursors[scope], cursor.role?.canRead == true else { return }
    cursor.role = .revoked
    try set(cursor)
    ended.insert(scope)
    // The server may have been restored to a state in which it had granted other things.
    var state = try DeviceState(writer)
    state.grants = 0
    try state.save(writer)
  }

  /// Asks for all grants anew where the server has other data: it may have granted other things.
  mutating func noteEpochs(_ response: PullResponse) throws {
    var state = try DeviceState(writer)
    let epochs = [response.epoch] + response.scopes.map(\.epoch)
    let isOtherData = try epochs.contains { try isOther($0, than: nil) }
    if isOtherData { state.grants = 0 }
    if response.scopes.isEmpty {
      // No page is going to tell of the data.
      state.epoch = response.epoch
      if isOtherData { report.hasMore = true }
    }
    try state.save(writer)
  }

  /// Whether data is other than what the device last heard of, in a scope or at all.
  func isOther(_ epoch: UInt64, than cursor: ScopeCursor?) throws -> Bool {
    var known = cursor?.epoch ?? 0
    if known == 0 { known = try DeviceState(writer).epoch }
    return known != 0 && epoch != 0 && known != epoch
  }
}
