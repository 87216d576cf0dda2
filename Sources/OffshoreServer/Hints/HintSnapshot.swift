import OffshoreWire

/// The heads of some scopes, and an account's grants in them, at one moment. The difference of two
/// snapshots tells which hints a write causes.
struct HintSnapshot: Sendable {
  private let heads: [ScopeID: Int64]
  private let grants: [ScopeID: Grant]

  init(of scopes: [ScopeID], for account: AccountID, _ transaction: some StorageTransaction) throws
  {
    heads = Dictionary(
      uniqueKeysWithValues: try scopes.map { ($0, try transaction.scope($0).head) })
    grants = Dictionary(
      uniqueKeysWithValues: try scopes.compactMap { scope in
        try transaction.grant(of: account, in: scope).map { (scope, $0) }
      })
  }

  /// Returns hints about the scopes whose head has advanced.
  func hints(since before: HintSnapshot) -> [Hint] {
    heads.filter { $0.value > before.heads[$0.key] ?? 0 }.map { Hint($0.key, head: $0.value) }
      .sorted { $0.scope < $1.scope }
  }

  /// Returns the grants that are new or have changed, in the order of their numbers.
  func newGrants(since before: HintSnapshot) -> [Grant] {
    grants.values.filter { $0 != before.grants[$0.scope] }.sorted { $0.seq < $1.seq }
  }
}

extension SyncServer {
  /// Runs a write to some scopes, and sends hints about its changes once it is committed.
  /// - Throws: the error of the closure, or an error of the storage.
  func writeWithHints<Result: Sendable>(
    to scopes: [ScopeID], for account: AccountID,
    _ body: @escaping @Sendable (inout any StorageTransaction) throws -> Result
  ) async throws -> Result {
    let (result, before, after) = try await storage.write { transaction in
      let before = try HintSnapshot(of: scopes, for: account, transaction)
      let result = try body(&transaction)
      return (result, before, try HintSnapshot(of: scopes, for: account, transaction))
    }
    hub.send(after.hints(since: before))
    for grant in after.newGrants(since: before) { hub.apply(grant, of: account) }
    return result
  }
}
