import OffshoreWire

/// The access between an account and those with which it shares scopes.
struct AccountAccess {
  let rules: [AccessRule]
  /// The kinds of scopes of the tables that limit rules.
  let homes: [String: String]
  let account: AccountID
  /// The accounts that read scopes of this one, by kind, unless they are blocked.
  private var readers: [String: Set<AccountID>] = [:]
  /// The accounts whose scopes this one reads, by kind, unless they are blocked.
  private var owners: [String: Set<AccountID>] = [:]

  init(rules: [AccessRule], homes: [String: String], account: AccountID) {
    (self.rules, self.homes, self.account) = (rules, homes, account)
  }

  /// Adds the access that a shared scope of the account gives.
  mutating func add(_ scope: ScopeID, _ transaction: some StorageTransaction) throws {
    let others = try transaction.members(of: scope)
      .filter { $0.role.canRead && $0.account != account }.map(\.account)
    for rule in rules where rule.sharedKind == scope.kind {
      if try shows(rule, of: account, to: scope, transaction) {
        readers[rule.kind, default: []].formUnion(others)
      }
      for other in others where try shows(rule, of: other, to: scope, transaction) {
        owners[rule.kind, default: []].insert(other)
      }
    }
  }

  /// Returns the accounts that read a scope of this one.
  func readers(
    of own: ScopeID, _ transaction: some StorageTransaction
  ) throws -> Set<AccountID> {
    guard let readers = readers[own.kind], try isOwner(account, of: own, transaction) else {
      return []
    }
    return try readers.filter { try !areBlocked(account, $0, own.kind, transaction) }
  }

  /// Returns the scopes of others that the account reads.
  func readableScopes(_ transaction: some StorageTransaction) throws -> Set<ScopeID> {
    var scopes: Set<ScopeID> = []
    for (kind, owners) in owners {
      for owner in owners {
        let scope = try ScopeID(kind: kind, value: owner.description)
        guard try isOwner(owner, of: scope, transaction),
          try !areBlocked(account, owner, kind, transaction)
        else { continue }
        scopes.insert(scope)
      }
    }
    return scopes
  }

  // MARK: - Facts

  /// Returns whether a rule lets the members of a shared scope read a scope of one of them.
  private func shows(
    _ rule: AccessRule, of owner: AccountID, to scope: ScopeID,
    _ transaction: some StorageTransaction
  ) throws -> Bool {
    guard let choice = rule.choice else { return true }
    return try isStored(AccessFact.choice(for: scope, rule), of: owner, choice.table, transaction)
  }

  /// Returns whether one of two accounts blocks the other, by any rule of a kind.
  private func areBlocked(
    _ first: AccountID, _ second: AccountID, _ kind: String,
    _ transaction: some StorageTransaction
  ) throws -> Bool {
    let tables = Set(rules.filter { $0.kind == kind }.compactMap(\.block?.table))
    return try tables.contains { table in
      try [(first, second), (second, first)].contains { owner, blocked in
        try isStored(AccessFact.block(blocked, kind), of: owner, table, transaction)
      }
    }
  }

  /// Returns whether a row of a table in the personal scope of an account has a fact.
  private func isStored(
    _ fact: RowID, of owner: AccountID, _ table: String, _ transaction: some StorageTransaction
  ) throws -> Bool {
    guard let kind = homes[table] else { return false }
    let scope = try ScopeID(kind: kind, value: owner.description)
    return try !transaction.referrers(of: fact, in: scope, after: nil, limit: 1).isEmpty
  }

  private func isOwner(
    _ account: AccountID, of scope: ScopeID, _ transaction: some StorageTransaction
  ) throws -> Bool { try transaction.grant(of: account, in: scope)?.role == .owner }
}
