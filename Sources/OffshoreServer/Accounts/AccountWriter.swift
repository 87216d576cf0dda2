public import OffshoreWire

/// Write access to the accounts of a log. Each function throws the errors of its storage.
public protocol AccountWriter: AccountReader {
  /// Adds or replaces an account.
  mutating func setAccount(_ account: Account) throws

  /// Adds a token.
  mutating func addToken(_ token: AccessToken) throws

  /// Removes a token, if it exists.
  mutating func removeToken(_ hash: ContentHash) throws

  /// Adds an invitation.
  mutating func addInvitation(_ invitation: Invitation) throws

  /// Removes an invitation, if it exists.
  mutating func removeInvitation(_ hash: ContentHash) throws

  /// Removes all invitations to a scope.
  mutating func removeInvitations(to scope: ScopeID) throws

  /// Removes the tokens and invitations that have expired by a time, in milliseconds since 1970.
  mutating func removeExpired(at now: Int64) throws
}
