package import OffshoreServer
package import OffshoreWire

/// The removal of scopes and accounts.
extension MemoryState {
  package mutating func removeContents(
    of scope: ScopeID, retainingResults retainsResults: Bool
  ) -> Set<ContentHash> {
    (rows[scope], order[scope], referrers[scope]) = (nil, nil, nil)
    (allConflicts[scope], conflictTimes[scope]) = (nil, nil)
    marks.removeAll { $0.scope == scope }
    histories.remove(scope, retainingResults: retainsResults)
    removeInvitations(to: scope)
    blobReferences = blobReferences.filter { $0.key.scope != scope }
    defer { blobs.removeAll { $0.scope == scope } }
    return Set(blobs.filter { $0.scope == scope }.map(\.hash))
  }

  package mutating func removeAccount(_ id: AccountID) {
    for scope in scopes.keys where scopes[scope]?.payer == id { scopes[scope]?.payer = nil }
    (grants[id], starts[id], claims[id], accounts[id]) = (nil, nil, nil, nil)
    tokens = tokens.filter { $0.value.account != id }
    invitations = invitations.filter { $0.value.inviter != id }
    uploads.removeAll { $0.account == id }
    removedAccounts.insert(id)
  }

  package func isRemoved(_ id: AccountID) -> Bool { removedAccounts.contains(id) }
}
