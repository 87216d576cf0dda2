public import OffshoreWire

/// An invitation to a scope as a server stores it. Its code can be used once.
public struct Invitation: Hashable, Sendable {
  /// The hash of the code.
  public let hash: ContentHash
  /// The scope of the membership.
  public let scope: ScopeID
  /// The role of the new member.
  public let role: Role
  /// The owner who invites.
  public let inviter: AccountID
  /// The time at which the invitation expires, in milliseconds since 1970.
  public let expires: Int64

  /// Creates an invitation.
  public init(
    hash: ContentHash, scope: ScopeID, role: Role, inviter: AccountID, expires: Int64
  ) {
    self.hash = hash
    self.scope = scope
    self.role = role
    self.inviter = inviter
    self.expires = expires
  }
}
