package import OffshoreWire

/// The deletion of an account with everything that belongs to it alone, for any kind of storage.
///
/// It ends the memberships of the account as leaving does. It removes the personal scopes of the
/// account, the scopes that it owns and no other member may write, and those without another member. Rows that
/// the account wrote in other scopes stay.
///
/// Access that follows from the changes is derived by ``AccessRules/settle(on:)``.
package struct AccountDeletion {
  private let account: AccountID
  private let members: MembershipRules
  private let now: Int64

  /// Files that may not be needed any more.
  package struct Files: Sendable {
    /// The blobs of the removed scopes. Other scopes may have them, too.
    package var blobs: Set<ContentHash> = []
    /// The unfinished uploads of the account.
    var uploads: [ContentHash] = []
  }

  /// Creates the deletion of an account that exists.
  package init(of account: AccountID, _ members: MembershipRules, at now: Int64) {
    (self.account, self.members, self.now) = (account, members, now)
  }

  /// Deletes the account.
  /// - Returns: the files that can be deleted after the transaction, if no scope has them.
  /// - Throws: any error of the storage.
  package func run(on transaction: inout some StorageTransaction) throws -> Files {
    var files = Files()
    let shared = try transaction.grants(of: account, after: 0)
      .filter { $0.role.canRead && !members.personalKinds.contains($0.scope.kind) }
    for grant in shared { try leave(grant, &files, on: &transaction) }
    for kind in members.personalKinds.sorted() {
      let own = try AccountRules.personalScope(kind, of: account)
      try remove(own, &files, on: &transaction)
    }
    files.uploads = try transaction.uploads(of: account).map(\.hash)
    try transaction.removeAccount(account)
    return files
  }

  /// Ends a membership. A scope that would have no owner, or no member, is removed.
  private func leave(
    _ grant: Grant, _ files: inout Files, on transaction: inout some StorageTransaction
  ) throws {
    let others = try transaction.members(of: grant.scope)
      .filter { $0.account != account && $0.role.canRead }
    let isKept = grant.role == .owner ? others.contains(where: \.role.canWrite) : !others.isEmpty
    guard isKept else {
      return try remove(grant.scope, &files, on: &transaction)
    }
    try members.leave(grant.scope, by: account, as: .revoked, at: now, in: &transaction)
  }

  /// Ends the access of all accounts to a scope, and removes the scope.
  private func remove(
    _ scope: ScopeID, _ files: inout Files, on transaction: inout some StorageTransaction
  ) throws {
    for member in try transaction.members(of: scope) where member.role.canRead {
      try transaction.grant(.revoked, to: member.account, in: scope)
    }
    files.blobs.formUnion(try transaction.removeScope(scope))
  }
}
