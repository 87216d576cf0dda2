import OffshoreWire

extension SyncServer {
  /// Runs a write, derives the access that follows from it, and sends hints about its changes once it is
  /// committed.
  /// - Parameter scopes: the scopes that the write may change, without duplicates.
  /// - Throws: the error of the closure, or an error of the storage.
  func write<Result: Sendable>(
    to scopes: [ScopeID] = [],
    _ body: @escaping @Sendable (inout any StorageTransaction) throws -> Result
  ) async throws -> Result {
    let access = push.access
    let (result, hints, grants) = try await storage.write { transaction in
      let heads = try scopes.map { (scope: $0, head: try transaction.scope($0).head) }
      let result = try body(&transaction)
      try access.settle(on: &transaction)
      let hints = try heads.compactMap { scope, before in
        let head = try transaction.scope(scope).head
        return head > before ? Hint(scope, head: head) : nil
      }
      return (result, hints, transaction.changes.grants)
    }
    // No hint is about a scope whose access has ended, or one that a device does not know yet.
    announce(grants.filter { !$0.grant.role.canRead })
    hub.send(hints)
    announce(grants.filter(\.grant.role.canRead))
    return result
  }

  private func announce(_ grants: [ChangedGrant]) {
    for changed in grants {
      // Readers by a rule are not announced to others.
      if push.access.isDerived(changed.grant, of: changed.account) {
        hub.apply(changed.grant, of: changed.account)
      } else {
        hub.announce(changed.grant, of: changed.account)
      }
    }
  }
}
