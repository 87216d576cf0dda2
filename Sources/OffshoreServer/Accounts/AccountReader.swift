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

  /// The accounts that were ever granted something in a scope, with what they may do now, in the order of
  /// their names.
  func members(of scope: ScopeID) throws -> [Member]
}

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

  /// Forgets the tokens and invitations that have ended by a time, in milliseconds since 1970.
  mutating func removeExpired(at now: Int64) throws
}

/// A log that has the accounts of a server too, so that both change together.
public protocol ServerLog: ChangeLog
where Snapshot: AccountReader, Transaction: AccountWriter {}
