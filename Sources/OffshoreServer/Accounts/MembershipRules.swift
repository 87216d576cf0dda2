import Foundation
import OffshoreWire

/// The rules for members of scopes and their invitations, for any kind of storage.
///
/// They read no clock and create no secrets.
package struct MembershipRules: Sendable {
  /// The kinds of personal scopes, which have no other members.
  let personalKinds: Set<String>
  /// The kinds of scopes to which an owner may add accounts without an invitation.
  private let admittingKinds: Set<String>
  /// The maximum number of members of a scope, by kind.
  private let memberLimits: [String: Int]
  /// The maximum number of scopes of which an account is a member, by kind.
  private let membershipLimits: [String: Int]
  /// The lifetime of an invitation without another one, in milliseconds.
  var invitationLifetime: Int64 = 7 * 86_400_000
  /// The largest number of open invitations to a scope.
  var maximumInvitations = 50

  /// Creates the default rules, for the kinds of scopes of a manifest.
  package init(
    personalKinds: Set<String> = [], admittingKinds: Set<String> = [],
    memberLimits: [String: Int] = [:], membershipLimits: [String: Int] = [:]
  ) {
    (self.personalKinds, self.admittingKinds) = (personalKinds, admittingKinds)
    (self.memberLimits, self.membershipLimits) = (memberLimits, membershipLimits)
  }

  // MARK: - Members

  /// Returns the members of a scope, for one of them.
  /// - Throws: ``AccountError`` with the code `forbidden` if the account is not a member; any error
  ///   of the storage.
  func members(
    of scope: ScopeID, for account: AccountID, from transaction: some StorageTransaction
  ) throws -> [Member] {
    guard let role = try transaction.grant(of: account, in: scope)?.role, role.canRead,
      role == .owner || !personalKinds.contains(scope.kind)
    else { throw Self.forbidden }
    // An account that reads a personal scope by a rule is not a member.
    return try transaction.members(of: scope).filter { member in
      member.role.canRead && (member.account == account || !personalKinds.contains(scope.kind))
    }
  }

  /// Changes the role of a member, or ends the membership by the role `revoked`.
  ///
  /// If the member loses the right to read or write, all open invitations to the scope are removed,
  /// because the member may have one of their codes.
  /// - Throws: ``AccountError``: `forbidden` if `owner` is not an owner or `account` is not a
  ///   member, `lastOwner` if no other owner is left, `malformed` for the role `left`, which only
  ///   ``leave(_:by:as:at:in:)`` grants; any error of the storage.
  @discardableResult
  func setRole(
    _ role: Role, of account: AccountID, in scope: ScopeID, by owner: AccountID, at now: Int64,
    on transaction: inout some StorageTransaction
  ) throws -> Grant {
    guard role != .left else {
      throw AccountError(.malformed, "Only a member itself can leave.")
    }
    try checkOwner(owner, of: scope, transaction)
    guard let grant = try transaction.grant(of: account, in: scope), grant.role.canRead else {
      throw Self.forbidden
    }
    guard grant.role != role else { return grant }
    if grant.role == .owner { try checkOtherOwner(than: account, of: scope, transaction) }
    if !role.canRead || grant.role.canWrite && !role.canWrite {
      try transaction.removeInvitations(to: scope)
    }
    return try rows(at: now).grant(role, to: account, in: scope, on: &transaction)
  }

  /// Adds an account to a scope of an admitting kind. It has to share another scope with the owner, and
  /// must not have been a member of this one: a former member joins again by an invitation.
  private func add(
    _ account: AccountID, as role: Role, to scope: ScopeID, by owner: AccountID, at now: Int64,
    on transaction: inout some StorageTransaction
  ) throws {
    try checkOwner(owner, of: scope, transaction)
    guard role.canRead, admittingKinds.contains(scope.kind),
      try transaction.grant(of: account, in: scope) == nil
    else { throw Self.forbidden }
    // A personal scope is not a shared one, although others may read it by a rule.
    let own = Set(
      try transaction.grants(of: owner, after: 0)
        .filter { $0.role.canRead && !personalKinds.contains($0.scope.kind) }.map(\.scope))
    let isKnown = try transaction.grants(of: account, after: 0)
      .contains { $0.role.canRead && own.contains($0.scope) }
    guard isKnown else { throw Self.forbidden }
    try checkRoom(for: account, in: scope, transaction)
    try rows(at: now).grant(role, to: account, in: scope, on: &transaction)
  }

  /// Performs a command of an account.
  ///
  /// A member leaves by the role `left` or `revoked`. An owner adds an account, gives a member another
  /// role, or removes it by `revoked`. An account that is not a member is removed already.
  /// - Throws: as ``setRole(_:of:in:by:at:on:)`` and ``leave(_:by:as:at:in:)``. Nothing has changed
  ///   then.
  func perform(
    _ command: MemberCommand, by account: AccountID, in scope: ScopeID, at now: Int64,
    on transaction: inout some StorageTransaction
  ) throws {
    let member = AccountID(command.account)
    guard member != account || command.role.canRead else {
      return try leave(scope, by: account, as: command.role, at: now, in: &transaction)
    }
    let former = try transaction.grant(of: member, in: scope)
    let isMember = former?.role.canRead == true
    if command.role == .revoked, !isMember {
      try checkOwner(account, of: scope, transaction)
      // A former member may have the code of an invitation.
      if former != nil { try transaction.removeInvitations(to: scope) }
    } else if command.isAddition, !isMember {
      try add(member, as: command.role, to: scope, by: account, at: now, on: &transaction)
    } else {
      try setRole(command.role, of: member, in: scope, by: account, at: now, on: &transaction)
    }
  }

  /// Ends an account's own membership.
  ///
  /// With the role `left` its devices retain a copy of the scope, with `revoked` they retain nothing. If
  /// the last owner leaves, the member who may write and became a member first becomes an owner. If the last
  /// member leaves and retains nothing, the scope is removed.
  /// - Throws: ``AccountError``: `forbidden` if the account is not a member or the scope is
  ///   personal, `lastOwner` if the other members may only read; any error of the storage.
  func leave(
    _ scope: ScopeID, by account: AccountID, as role: Role = .left, at now: Int64,
    in transaction: inout some StorageTransaction
  ) throws {
    guard !personalKinds.contains(scope.kind),
      let grant = try transaction.grant(of: account, in: scope),
      grant.role.canRead
    else { throw Self.forbidden }
    let (rows, others) = (rows(at: now), try others(than: account, in: scope, transaction))
    if grant.role == .owner, !others.isEmpty, !others.contains(where: { $0.role == .owner }) {
      guard let heir = try heir(of: scope, among: others, transaction) else {
        throw Self.lastOwner
      }
      try rows.grant(.owner, to: heir, in: scope, on: &transaction)
    }
    try rows.grant(role, to: account, in: scope, on: &transaction)
    // NB: The contents of blobs that no scope has then are removed by the sweep.
    if role == .revoked, others.isEmpty {
      _ = try transaction.removeScope(scope, retainingResults: true)
    }
  }

  /// Returns the account that may write and became a member first. Members from before the times were
  /// recorded come first.
  private func heir(
    of scope: ScopeID, among members: [Member], _ transaction: some StorageTransaction
  ) throws -> AccountID? {
    try members.filter(\.role.canWrite).map { member in
      let id = MemberRow.id(of: member.account.uuid)
      let row = try transaction.row(id, in: scope)
      let since = row.flatMap { MemberRow(id: id.id, fields: $0.state.fields)?.since }
      return (since ?? 0, member.account)
    }.min { ($0.0, $0.1.uuid.uuidString) < ($1.0, $1.1.uuid.uuidString) }?.1
  }

  private func others(
    than account: AccountID, in scope: ScopeID, _ transaction: some StorageTransaction
  ) throws -> [Member] {
    try transaction.members(of: scope).filter { $0.role.canRead && $0.account != account }
  }

  /// Checks that a scope can have another member, and the account another membership.
  /// - Throws: ``AccountError``: `scopeFull`, `accountFull`; any error of the storage.
  func checkRoom(
    for account: AccountID, in scope: ScopeID, _ transaction: some StorageTransaction
  ) throws {
    if let limit = memberLimits[scope.kind],
      try transaction.members(of: scope).count(where: \.role.canRead) >= limit
    {
      throw AccountError(
        .scopeFull,
        "There are \(limit) members already, and no more are allowed. Ask an owner to remove one.")
    }
    try checkMemberships(of: account, scope.kind, transaction)
  }

  /// Checks that an account can have another membership in scopes of a kind.
  /// - Throws: ``AccountError`` with the code `accountFull`; any error of the storage.
  func checkMemberships(
    of account: AccountID, _ kind: String, _ transaction: some StorageTransaction
  ) throws {
    guard let limit = membershipLimits[kind] else { return }
    guard try transaction.membershipCount(of: account, ofKind: kind) < limit else {
      throw AccountError(
        .accountFull,
        "An account has at most \(limit) memberships of this kind. Leave one, and try again.")
    }
  }

  func rows(at now: Int64) -> MemberRows {
    MemberRows(personalKinds: personalKinds, at: now)
  }

  // MARK: - Checks

  func checkOwner(
    _ account: AccountID, of scope: ScopeID, _ transaction: some StorageTransaction
  ) throws {
    // A personal scope has no other members.
    guard !personalKinds.contains(scope.kind),
      try transaction.grant(of: account, in: scope)?.role == .owner
    else { throw Self.forbidden }
  }

  private func checkOtherOwner(
    than account: AccountID, of scope: ScopeID, _ transaction: some StorageTransaction
  ) throws {
    guard try others(than: account, in: scope, transaction).contains(where: { $0.role == .owner })
    else { throw Self.lastOwner }
  }

  private static var lastOwner: AccountError {
    AccountError(
      .lastOwner, "A shared thing needs an owner. Make another member the owner first.")
  }

  /// NB: The same error for scopes that exist and scopes that do not.
  static var forbidden: AccountError {
    AccountError(.forbidden, "You may not do this here. Ask an owner to.")
  }
}
