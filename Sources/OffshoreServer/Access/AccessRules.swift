import Foundation
package import OffshoreWire

/// The derivation of read access from memberships and rows, by the rules of a manifest, for any kind of
/// storage.
///
/// An account that reads by a rule has the role viewer in a personal scope of another account. No other
/// grant gives it that role there.
package struct AccessRules: Sendable {
  private let rules: [AccessRule]
  /// The kinds of personal scopes that accounts read, or have read, by rules.
  private let kinds: Set<String>
  private let sharedKinds: Set<String>
  /// The kinds of scopes of the tables that limit rules.
  private let homes: [String: String]

  /// No rules.
  package static let none = AccessRules()

  private init() { (rules, kinds, sharedKinds, homes) = ([], [], [], [:]) }

  /// Creates the rules of a manifest.
  /// - Parameter former: the manifest before it, whose access ends if no rule of the new one gives it.
  package init(_ manifest: Manifest, after former: Manifest? = nil) {
    rules = manifest.accessRules
    kinds = Set((rules + (former?.accessRules ?? [])).map(\.kind))
    sharedKinds = Set(rules.map(\.sharedKind))
    homes = rules.flatMap(\.sources).reduce(into: [:]) {
      $0[$1.table] = manifest[$1.table]?.scopeKind
    }
  }

  /// Returns whether access follows from memberships in scopes of a kind.
  func follow(from sharedKind: String) -> Bool { sharedKinds.contains(sharedKind) }

  /// Returns whether a grant is derived.
  func isDerived(_ grant: Grant, of account: AccountID) -> Bool {
    kinds.contains(grant.scope.kind) && grant.scope.value != account.description
  }

  /// Derives the access that follows from the changes of a write. Call it at the end of each write that
  /// may change grants or rows.
  /// - Throws: any error of the storage.
  package func settle(on transaction: inout some StorageTransaction) throws {
    guard !kinds.isEmpty else { return }
    for account in accounts(concernedBy: transaction.changes).sorted() {
      try settle(account, on: &transaction)
    }
  }

  private func accounts(concernedBy changes: GrantChanges) -> Set<AccountID> {
    var accounts = Set(
      changes.grants.filter { changed in
        let scope = changed.grant.scope
        return sharedKinds.contains(scope.kind)
          || kinds.contains(scope.kind) && !isDerived(changed.grant, of: changed.account)
      }.map(\.account))
    accounts.formUnion(changes.owners.compactMap(AccountID.init(owning:)))
    return accounts
  }

  /// Derives all access to the scopes of an account, and all of the account to scopes of others.
  private func settle(
    _ account: AccountID, on transaction: inout some StorageTransaction
  ) throws {
    var access = AccountAccess(rules: rules, homes: homes, account: account)
    let grants = try transaction.grants(of: account, after: 0)
    for grant in grants where grant.role.canRead && sharedKinds.contains(grant.scope.kind) {
      try access.add(grant.scope, transaction)
    }
    for kind in kinds.sorted() {
      let own = try ScopeID(kind: kind, value: account.description)
      let readers = try access.readers(of: own, transaction)
      let former = Set(
        try transaction.members(of: own).filter(\.role.canRead).map(\.account)
      ).subtracting([account])
      for reader in readers.symmetricDifference(former).sorted() {
        try set(readers.contains(reader), reader, own, on: &transaction)
      }
    }
    let read = Set(
      grants.filter { $0.role.canRead && isDerived($0, of: account) }.map(\.scope))
    let readable = try access.readableScopes(transaction)
    for scope in readable.symmetricDifference(read).sorted() {
      try set(readable.contains(scope), account, scope, on: &transaction)
    }
  }

  /// Begins or ends the access of an account to a scope.
  private func set(
    _ reads: Bool, _ account: AccountID, _ scope: ScopeID,
    on transaction: inout some StorageTransaction
  ) throws {
    try transaction.grant(reads ? .viewer : .revoked, to: account, in: scope, isByRule: reads)
  }

  // MARK: - Another manifest

  /// Derives all facts and all access again, after the rules have changed.
  func deriveAll(on transaction: inout some StorageTransaction) throws {
    try transaction.removeReferences(to: AccessFact.table)
    try forEachAccount(&transaction) { account, transaction in
      for (table, kind) in homes.sorted(by: { $0.key < $1.key }) {
        let scope = try ScopeID(kind: kind, value: account.description)
        try addFacts(of: table, in: scope, on: &transaction)
      }
    }
    try forEachAccount(&transaction) { account, transaction in
      try settle(account, on: &transaction)
    }
  }

  private func addFacts(
    of table: String, in scope: ScopeID, on transaction: inout some StorageTransaction
  ) throws {
    var last = ""
    while true {
      let run = try transaction.rows(
        of: table, in: scope, after: last, limit: Self.chunk, bytes: WireLimits.rowBytes)
      for row in run.rows.map(\.syncedRow) {
        for fact in AccessFact.facts(of: row.row, row.state.fields, rules) {
          try transaction.addReference(from: row.row, to: fact, in: scope)
        }
        last = row.row.id
      }
      guard run.isCut else { return }
    }
  }

  private func forEachAccount<Transaction: StorageTransaction>(
    _ transaction: inout Transaction,
    _ body: (AccountID, inout Transaction) throws -> Void
  ) throws {
    var last: AccountID?
    repeat {
      let accounts = try transaction.accounts(after: last, limit: Self.chunk)
      for account in accounts { try body(account, &transaction) }
      last = accounts.count < Self.chunk ? nil : accounts.last
    } while last != nil
  }

  /// The number of accounts or rows that are read at a time.
  private static let chunk = 500
}

extension AccountID {
  /// Creates the id of the account that owns a personal scope, or `nil` if no account can.
  fileprivate init?(owning scope: ScopeID) {
    guard let uuid = UUID(sent: scope.value) else { return nil }
    self.init(uuid)
  }
}

extension AccountID: Comparable {
  /// Compares accounts by the texts of their ids.
  package static func < (left: AccountID, right: AccountID) -> Bool {
    left.description < right.description
  }
}
