public import OffshoreWire

/// Read access to the accounts of one state of a log. Each function throws the errors of its
/// storage.
public protocol AccountReader {
  /// Returns the account with an id, or `nil` if it does not exist.
  func account(_ id: AccountID) throws -> Account?

  /// Returns the account with a name, or `nil` if it does not exist.
  func account(named name: AccountName) throws -> Account?

  /// Returns the token with the hash of a secret, even if it has expired.
  func token(_ hash: ContentHash) throws -> AccessToken?

  /// Returns the tokens of an account in the order of their creation, including expired ones.
  func tokens(of account: AccountID) throws -> [AccessToken]

  /// Returns the invitation with the hash of a code, even if it has expired.
  func invitation(_ hash: ContentHash) throws -> Invitation?

  /// Returns the invitations to a scope in the order in which they expire, including expired ones.
  func invitations(to scope: ScopeID) throws -> [Invitation]

  /// Returns the accounts that have or had a role in a scope, with the current role, in the order
  /// of their names.
  func members(of scope: ScopeID) throws -> [Member]
}
