package import OffshoreWire

/// The terms of an invitation that its author chooses.
struct InvitationTerms: Sendable {
  /// The role of a new member: editor or viewer.
  let role: Role
  /// The number of accounts that can use the code: 1 to 100.
  var uses = 1
  /// A note for owners, to tell invitations apart: at most 80 characters.
  var label: String?
  /// The name of the scope, for a preview: at most 200 characters.
  var title: String?
  /// The time until it expires, in milliseconds, or `nil` for the usual one.
  var lifetime: Int64?

  /// Checks the terms.
  /// - Throws: ``AccountError`` with the code `malformed`.
  fileprivate func check() throws {
    func fail(_ message: String) -> AccountError { AccountError(.malformed, message) }
    guard Role.invited.contains(role) else {
      throw fail("An invitation makes an editor or a viewer.")
    }
    guard 1...100 ~= uses else { throw fail("An invitation is for 1 to 100 accounts.") }
    guard 60_000...90 * 86_400_000 ~= lifetime ?? 60_000 else {
      throw fail("An invitation is valid for a minute to 90 days.")
    }
    guard label?.count ?? 0 <= 80, title?.count ?? 0 <= 200 else {
      throw fail("A label has at most 80 characters, a title 200. Make it shorter.")
    }
  }
}

/// The rules for invitations.
extension MembershipRules {
  /// Creates an invitation, whose code makes accounts members.
  /// - Parameters:
  ///   - code: a new secret.
  ///   - scope: the scope of the membership.
  ///   - terms: the role of new members, and the limits of the code.
  ///   - inviter: an owner of the scope.
  ///   - now: the server's clock, in milliseconds since 1970.
  ///   - transaction: the transaction that stores the invitation.
  /// - Throws: ``AccountError``: `forbidden` if the inviter is not an owner, `malformed` for other
  ///   terms, `limitReached` if too many invitations are open; any error of the storage.
  func invite(
    by code: Secret, to scope: ScopeID, _ terms: InvitationTerms, inviter: AccountID, at now: Int64,
    in transaction: inout some StorageTransaction
  ) throws -> Invitation {
    try terms.check()
    try checkOwner(inviter, of: scope, transaction)
    try transaction.removeExpired(at: now)
    guard try transaction.invitations(to: scope).count < maximumInvitations else {
      throw AccountError(
        .limitReached,
        "There are \(maximumInvitations) open invitations here. Withdraw one, or wait until some end."
      )
    }
    let invitation = Invitation(
      hash: code.hash, scope: scope, role: terms.role, inviter: inviter,
      expires: now + (terms.lifetime ?? invitationLifetime), uses: terms.uses, label: terms.label,
      title: terms.title)
    try transaction.addInvitation(invitation)
    return invitation
  }

  /// Returns the open invitations to a scope, for an owner.
  /// - Throws: ``AccountError`` with the code `forbidden` if the account is not an owner; any error
  ///   of the storage.
  func invitations(
    to scope: ScopeID, for owner: AccountID, at now: Int64,
    from transaction: some StorageTransaction
  ) throws -> [Invitation] {
    try checkOwner(owner, of: scope, transaction)
    return try transaction.invitations(to: scope).filter { now < $0.expires }
  }

  /// Withdraws an invitation, so that its code is not valid any more.
  /// - Throws: ``AccountError``: `forbidden` if the account is not an owner, `notFound` if the
  ///   invitation was used or removed; any error of the storage.
  func withdraw(
    _ hash: ContentHash, to scope: ScopeID, by owner: AccountID,
    in transaction: inout some StorageTransaction
  ) throws {
    try checkOwner(owner, of: scope, transaction)
    guard try transaction.invitation(hash)?.scope == scope else {
      throw AccountError(.notFound, "There is no such invitation any more.")
    }
    try transaction.removeInvitation(hash)
  }

  /// Returns the preview of an invitation by its code.
  /// - Throws: ``AccountError`` with the code `invalidInvitation`; any error of the storage.
  func preview(
    _ code: Secret, at now: Int64, from transaction: some StorageTransaction
  ) throws -> InvitationPreview {
    let invitation = try invitation(code, at: now, transaction)
    let members = try transaction.members(of: invitation.scope).filter(\.role.canRead)
    return InvitationPreview(
      invitation: invitation, members: members.count,
      inviter: members.first { $0.account == invitation.inviter }?.name)
  }

  /// Makes an account a member by the code of an invitation.
  ///
  /// If the account already has a role with the same rights or more, it keeps that role, and the
  /// code can be used as often as before.
  /// - Returns: the account's grant.
  /// - Throws: ``AccountError``: `invalidInvitation`; `scopeFull` or `accountFull` if the scope or the
  ///   account cannot have another membership; `unauthorized` if the account was deleted meanwhile; any
  ///   error of the storage.
  func accept(
    _ code: Secret, by account: AccountID, at now: Int64,
    in transaction: inout some StorageTransaction
  ) throws -> Grant {
    try transaction.checkIsNotRemoved(account)
    let invitation = try invitation(code, at: now, transaction)
    let grant = try transaction.grant(of: account, in: invitation.scope)
    if let grant, grant.role.canRead, grant.role.canWrite || !invitation.role.canWrite {
      return grant
    }
    if grant?.role.canRead != true {
      try checkRoom(for: account, in: invitation.scope, transaction)
    }
    try transaction.removeInvitation(invitation.hash)
    if let next = invitation.used { try transaction.addInvitation(next) }
    return try rows(at: now).grant(
      invitation.role, to: account, in: invitation.scope, on: &transaction)
  }

  /// Returns the invitation of a code, if it is valid.
  private func invitation(
    _ code: Secret, at now: Int64, _ transaction: some StorageTransaction
  ) throws -> Invitation {
    guard let invitation = try transaction.invitation(code.hash), now < invitation.expires,
      !personalKinds.contains(invitation.scope.kind),
      // An invitation ends when its inviter is not an owner any more, or is disabled.
      try transaction.grant(of: invitation.inviter, in: invitation.scope)?.role == .owner,
      try transaction.account(invitation.inviter)?.isDisabled != true
    else {
      throw AccountError(
        .invalidInvitation,
        "This invitation was used, was withdrawn or has expired. Ask for another one.")
    }
    return invitation
  }
}

/// An invitation to a scope as a server stores it.
package struct Invitation: Hashable, Sendable {
  /// The hash of the code.
  package let hash: ContentHash
  /// The scope of the membership.
  package let scope: ScopeID
  /// The role of a new member.
  package let role: Role
  /// The owner who invites.
  package let inviter: AccountID
  /// The time at which the invitation expires, in milliseconds since 1970.
  package let expires: Int64
  /// The number of accounts that can still use the code.
  package let uses: Int
  /// A note for owners.
  package let label: String?
  /// The name of the scope when the invitation was created.
  package let title: String?

  /// Creates an invitation.
  package init(
    hash: ContentHash, scope: ScopeID, role: Role, inviter: AccountID, expires: Int64,
    uses: Int = 1, label: String? = nil, title: String? = nil
  ) {
    self.hash = hash
    self.scope = scope
    self.role = role
    self.inviter = inviter
    self.expires = expires
    (self.uses, self.label, self.title) = (uses, label, title)
  }

  /// The invitation after another use, or `nil` if there is none left.
  fileprivate var used: Invitation? {
    uses < 2
      ? nil
      : Invitation(
        hash: hash, scope: scope, role: role, inviter: inviter, expires: expires, uses: uses - 1,
        label: label, title: title)
  }
}

/// The preview of an invitation.
struct InvitationPreview {
  let invitation: Invitation
  /// The number of members.
  let members: Int
  /// The name of the owner who invites.
  let inviter: AccountName?
}
