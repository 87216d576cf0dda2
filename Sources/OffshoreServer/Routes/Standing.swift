import OffshoreWire

/// The heads of some scopes, and an account's grants in them, at one moment.
struct Standing: Sendable {
  let heads: [ScopeID: Int64]
  private let grants: [ScopeID: Grant]

  init(of account: AccountID, in scopes: [ScopeID], _ log: some ChangeLogReader) throws {
    heads = Dictionary(
      uniqueKeysWithValues: try scopes.map { ($0, try log.scope($0).head) })
    grants = Dictionary(
      uniqueKeysWithValues: try scopes.compactMap { scope in
        try log.grant(of: account, in: scope).map { (scope, $0) }
      })
  }

  /// Returns hints about the scopes whose head has advanced.
  func hints(since before: Standing) -> [Hint] {
    heads.filter { $0.value > before.heads[$0.key] ?? 0 }.map { Hint($0.key, head: $0.value) }
      .sorted { $0.scope < $1.scope }
  }

  /// Returns the grants that are new or have changed, in the order of their numbers.
  func newGrants(since before: Standing) -> [Grant] {
    grants.values.filter { $0 != before.grants[$0.scope] }.sorted { $0.seq < $1.seq }
  }
}
