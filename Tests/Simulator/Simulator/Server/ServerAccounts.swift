import OffshoreServer
import OffshoreWire
import ServerSupport

/// The deletion of accounts.
extension SimulatedServer {
  /// Deletes an account, and checks the remaining data.
  mutating func deleteAccount(
    _ account: AccountID, at now: Int64, _ breach: Breach?
  ) throws -> [Violation] {
    let boards = history.scopes(of: account).filter { $0.kind == "board" }
    let heads = boards.map { log.scope($0).head }
    if breach != .keptAccount {
      let members = MembershipRules(personalKinds: pushRules.manifest.personalKinds)
      _ = try AccountDeletion(of: account, members, at: now).run(on: &log)
    }
    var removed = boards.filter { isLeftAlone($0, by: account) }
    for kind in ["desk", "person"] {
      removed.append(try ScopeID(kind: kind, value: account.description))
    }
    if let violation = remains(of: account, removed) { return [violation] }
    for board in boards where !removed.contains(board) {
      if let violation = noteHeir(of: account, in: board) { return [violation] }
    }
    for scope in removed { remove(scope) }
    history.forget(account)
    let access = try settleAccess(breach)
    return access + zip(boards, heads).flatMap { check($0, after: $1) }
  }

  /// Whether a board has no other member than an account, or the account owns it and no other member may write it.
  private func isLeftAlone(_ board: ScopeID, by account: AccountID) -> Bool {
    let others = history.members(of: board).filter { $0.key != account }
    return others.isEmpty && history.role(of: account, in: board)?.canRead == true
      || history.role(of: account, in: board) == .owner
        && !others.values.contains(where: \.canWrite)
  }

  /// Returns the violation if something of a deleted account or of its removed scopes is still there.
  private func remains(of account: AccountID, _ removed: [ScopeID]) -> Violation? {
    let granted = history.scopes(of: account).filter { log.grant(of: account, in: $0) != nil }
    if log.account(account) != nil || !granted.isEmpty {
      return Violation(.accounts, "\(account) was deleted, and is still there: \(granted).")
    }
    let rest = removed.filter { scope in
      !log.rows(in: scope, after: 0, limit: 1).isEmpty
        || history.members(of: scope).keys.contains {
          log.grant(of: $0, in: scope)?.role.canRead == true
        }
    }
    return rest.first.map {
      Violation(.accounts, "\(account) was deleted, and \($0) is still there.")
    }
  }

  /// Records the member who owns a board after the account of its last owner was deleted.
  private mutating func noteHeir(of account: AccountID, in board: ScopeID) -> Violation? {
    let others = history.members(of: board).filter { $0.key != account }
    guard history.role(of: account, in: board) == .owner, !others.values.contains(.owner) else {
      return nil
    }
    let heirs = others.filter { log.grant(of: $0.key, in: board)?.role == .owner }
    guard heirs.count == 1, let heir = heirs.first, heir.value.canWrite else {
      return Violation(.accounts, "\(board) has the owners \(heirs.keys.sorted()).")
    }
    history.note(.owner, of: heir.key, in: board, after: log.scope(board).conflicts)
    return nil
  }

  /// Records that a scope was removed for good.
  mutating func remove(_ scope: ScopeID) {
    for (member, role) in history.roles(in: scope) where role.canRead {
      history.note(.revoked, of: member, in: scope, after: 0)
    }
    model.remove(scope)
    history.remove(scope)
    files.remove(scope)
    removedScopes.insert(scope)
  }
}
