public import OffshoreWire

/// Reads the accounts of one state of a log. Each function throws what its storage does.
public protocol AccountReader {
  /// An account by its id.
  func account(_ id: AccountID) throws -> Account?

  /// An account by what its person signs in with.
  func account(named name: AccountName) throws -> Account?

  /// A token by the hash of its secret, expired or not.
  func token(_ hash: ContentHash) throws -> AccessToken?

  /// The tokens of an account, in the order in which they were given.
  func tokens(of account: AccountID) throws -> [AccessToken]

  /// An invitation by the hash of its code, expired or not.
  func invitation(_ hash: ContentHash) throws -> Invitation?

  /// The invitations to a scope, expired or not, in the order in which they end.
  func invitations(to scope: ScopeID) throws -> [Invitation]

  /// The accounts that were ever granted something in a scope, with what they may do now, in the order of
  /// their names.
  func members(of scope: ScopeID) throws -> [Member]
}
