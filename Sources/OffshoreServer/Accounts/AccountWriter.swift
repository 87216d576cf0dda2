public import OffshoreWire

/// Changes the accounts of a log. Each function throws what its storage does.
public protocol AccountWriter: AccountReader {
  /// Adds an account, or replaces what is kept of it.
  mutating func setAccount(_ account: Account) throws

  /// Adds a token.
  mutating func addToken(_ token: AccessToken) throws

  /// Forgets a token, where there is one.
  mutating func removeToken(_ hash: ContentHash) throws

  /// Adds an invitation.
  mutating func addInvitation(_ invitation: Invitation) throws

  /// Forgets an invitation, where there is one.
  mutating func removeInvitation(_ hash: ContentHash) throws

  /// Forgets all invitations to a scope.
  mutating func removeInvitations(to scope: ScopeID) throws

  /// Forgets the tokens and invitations that have ended by a time, in milliseconds since 1970.
  mutating func removeExpired(at now: Int64) throws
}
