public import OffshoreWire

/// What a server keeps of a code that makes whoever has it a member of a scope, once.
public struct Invitation: Hashable, Sendable {
  /// The hash of the code.
  public let hash: ContentHash
  /// Where to.
  public let scope: ScopeID
  /// What the member will be.
  public let role: Role
  /// Who invites.
  public let inviter: AccountID
  /// When it ends, in milliseconds since 1970.
  public let expires: Int64

  /// Describes an invitation.
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
