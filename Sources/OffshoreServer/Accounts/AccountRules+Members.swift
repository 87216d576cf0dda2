public import OffshoreWire

/// Who is let into a scope, by whom.
extension AccountRules {
  /// The members of a scope, for one of them.
  /// - Throws: ``AccountError`` with the code `forbidden`; what the log throws.
  public func members(
    of scope: ScopeID, for account: AccountID, from log: some AccountReader & ChangeLogReader
  ) throws -> [Member] {
    guard try log.grant(of: account, in: scope)?.role.canRead == true else { throw Self.forbidden }
    return try log.members(of: scope).filter(\.role.canRead)
  }

  /// Makes a code by which one account can become a member.
  /// - Parameters:
  ///   - code: a new secret.
  ///   - scope: where to.
  ///   - role: what the member will be: an editor or a viewer.
  ///   - inviter: who invites, an owner.
  ///   - now: the server's clock, in milliseconds since 1970.
  ///   - log: where it is stored.
  /// - Throws: ``AccountError``: `forbidden`, `malformed` for another role, or `limitReached`; what the
  ///   log throws.
  public func invite(
    by code: Secret, to scope: ScopeID, as role: Role, inviter: AccountID, at now: Int64,
    in log: inout some AccountWriter & ChangeLogWriter
  ) throws -> Invitation {
    guard role == .editor || role == .viewer else {
      throw AccountError(.malformed, "An invitation makes an editor or a viewer.")
    }
    try checkOwner(inviter, of: scope, log)
    try log.removeExpired(at: now)
    guard try log.invitations(to: scope).count < maximumInvitations else {
      throw AccountError(
        .limitReached,
        "There are \(maximumInvitations) open invitations here. Withdraw one, or wait until some end."
      )
    }
    let invitation = Invitation(
      hash: code.hash, scope: scope, role: role, inviter: inviter,
      expires: now + invitationLifetime)
    try log.addInvitation(invitation)
    return invitation
  }

  /// The open invitations to a scope, for an owner.
  /// - Throws: ``AccountError`` with the code `forbidden`; what the log throws.
  public func invitations(
    to scope: ScopeID, for owner: AccountID, at now: Int64,
    from log: some AccountReader & ChangeLogReader
  ) throws -> [Invitation] {
    try checkOwner(owner, of: scope, log)
    return try log.invitations(to: scope).filter { now < $0.expires }
  }

  /// Takes an invitation back, so that its code lets nobody in.
  /// - Throws: ``AccountError``: `forbidden`, or `notFound` where it was used or has ended; what the log
  ///   throws.
  public func withdraw(
    _ hash: ContentHash, to scope: ScopeID, by owner: AccountID,
    in log: inout some AccountWriter & ChangeLogWriter
  ) throws {
    try checkOwner(owner, of: scope, log)
    guard try log.invitation(hash)?.scope == scope else {
      throw AccountError(.notFound, "There is no such invitation any more.")
    }
    try log.removeInvitation(hash)
  }

  /// Makes an account a member by a code, which is used up with it.
  ///
  /// A member who may as much already stays what it is, and the code can still be used by another.
  /// - Returns: what the account may do now.
  /// - Throws: ``AccountError`` with the code `invalidInvitation`; what the log throws.
  public func accept(
    _ code: Secret, by account: AccountID, at now: Int64,
    in log: inout some AccountWriter & ChangeLogWriter
  ) throws -> Grant {
    guard let invitation = try log.invitation(code.hash), now < invitation.expires,
      // Who is no owner any more lets nobody in.
      try log.grant(of: invitation.inviter, in: invitation.scope)?.role == .owner
    else {
      throw AccountError(
        .invalidInvitation, "This invitation was used or has expired. Ask for another one.")
    }
    if let grant = try log.grant(of: account, in: invitation.scope), grant.role.canRead,
      grant.role.canWrite || !invitation.role.canWrite
    {
      return grant
    }
    try log.removeInvitation(invitation.hash)
    return try log.grant(invitation.role, to: account, in: invitation.scope)
  }

  /// Gives a member another role, or ends its membership by the role `revoked`.
  ///
  /// Where the member may less from then on, all open invitations end: it may have one of them.
  /// - Throws: ``AccountError``: `forbidden` for who is no owner, and where the account is no member;
  ///   `lastOwner`; `malformed` for the role `left`, which only the member itself takes; what the log
  ///   throws.
  public func setRole(
    _ role: Role, of account: AccountID, in scope: ScopeID, by owner: AccountID,
    log: inout some AccountWriter & ChangeLogWriter
  ) throws -> Grant {
    guard role != .left else {
      throw AccountError(.malformed, "Only a member itself can leave.")
    }
    try checkOwner(owner, of: scope, log)
    guard let grant = try log.grant(of: account, in: scope), grant.role.canRead else {
      throw Self.forbidden
    }
    guard grant.role != role else { return grant }
    if grant.role == .owner { try checkOtherOwner(than: account, of: scope, log) }
    if !role.canRead || grant.role.canWrite && !role.canWrite {
      try log.removeInvitations(to: scope)
    }
    return try log.grant(role, to: account, in: scope)
  }

  /// Ends an account's own membership: a copy stays on its devices.
  /// - Throws: ``AccountError``: `forbidden` where it is no member, `lastOwner` where others would be
  ///   left without an owner; what the log throws.
  public func leave(
    _ scope: ScopeID, by account: AccountID, in log: inout some AccountWriter & ChangeLogWriter
  ) throws -> Grant {
    guard !personalKinds.contains(scope.kind), let grant = try log.grant(of: account, in: scope),
      grant.role.canRead
    else { throw Self.forbidden }
    if grant.role == .owner,
      try log.members(of: scope).contains(where: { $0.role.canRead && $0.account != account })
    {
      try checkOtherOwner(than: account, of: scope, log)
    }
    return try log.grant(.left, to: account, in: scope)
  }

  // MARK: - Checks

  private func checkOwner(
    _ account: AccountID, of scope: ScopeID, _ log: some ChangeLogReader
  ) throws {
    // Nobody else gets into a scope of somebody's own.
    guard !personalKinds.contains(scope.kind), try log.grant(of: account, in: scope)?.role == .owner
    else { throw Self.forbidden }
  }

  private func checkOtherOwner(
    than account: AccountID, of scope: ScopeID, _ log: some AccountReader
  ) throws {
    guard
      try log.members(of: scope).contains(where: { $0.role == .owner && $0.account != account })
    else {
      throw AccountError(
        .lastOwner, "Somebody has to own this. Make another member the owner first.")
    }
  }

  /// NB: The same for what is there and what is not.
  private static var forbidden: AccountError {
    AccountError(.forbidden, "You may not do this here. Ask an owner to.")
  }
}
