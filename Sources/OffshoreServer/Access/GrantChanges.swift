package import OffshoreWire

/// The changes of a write from which access by rules follows, and hints about grants.
package struct GrantChanges: Hashable, Sendable {
  /// The changed grants, in their order.
  package private(set) var grants: [ChangedGrant] = []
  /// The personal scopes with changed rows that limit rules.
  package private(set) var owners: Set<ScopeID> = []

  /// Creates no changes.
  package init() {}

  /// Adds a changed grant.
  mutating func add(_ grant: Grant, of account: AccountID) {
    grants.append(ChangedGrant(account: account, grant: grant))
  }

  /// Adds a row that refers to another one since now, or no longer, if it limits rules.
  mutating func add(_ parent: RowID, in scope: ScopeID) {
    if parent.table == AccessFact.table { owners.insert(scope) }
  }
}

/// A grant that a write has changed.
package struct ChangedGrant: Hashable, Sendable {
  let account: AccountID
  let grant: Grant
}
