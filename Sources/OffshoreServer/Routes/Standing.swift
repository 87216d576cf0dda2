import OffshoreWire

/// What scopes have come to, for one of those who may read them.
struct Standing: Sendable {
  let heads: [ScopeID: Int64]
  /// In how many of the scopes the account was ever granted anything.
  let grants: Int

  init(of account: AccountID, in scopes: [ScopeID], _ log: some ChangeLogReader) throws {
    heads = Dictionary(
      uniqueKeysWithValues: try scopes.map { ($0, try log.scope($0).head) })
    grants = try scopes.filter { try log.grant(of: account, in: $0) != nil }.count
  }

  /// What has changed.
  func hints(since before: Standing) -> [Hint] {
    heads.filter { $0.value > before.heads[$0.key] ?? 0 }.map { Hint($0.key, head: $0.value) }
      .sorted { $0.scope < $1.scope }
  }
}
