public import OffshoreWire

/// What accounts may do, whatever they are stored in.
///
/// It reads no clock and makes no secrets.
public struct AccountRules: Sendable {
  /// The kinds of scopes of which each account has one of its own, with its id as value.
  let personalKinds: Set<String>
  /// How long a token lets in, in milliseconds.
  public var tokenLifetime: Int64 = 90 * Self.day
  /// How long an invitation can be accepted, in milliseconds.
  public var invitationLifetime: Int64 = 7 * Self.day

  /// How many tokens an account has at the most: on so many devices somebody is signed in.
  public var maximumTokens = 100
  /// How many invitations to a scope may be open.
  public var maximumInvitations = 50

  private static let day: Int64 = 86_400_000

  /// Takes the rules that are usual, for the scopes of a manifest.
  public init(_ manifest: Manifest? = nil) {
    self.init(personalKinds: manifest?.personalKinds ?? [])
  }

  init(personalKinds: Set<String>) { self.personalKinds = personalKinds }

  /// The scope of a kind that is an account's own.
  /// - Throws: `WireError` with the code `invalidName` for a kind that is not allowed.
  public static func personalScope(_ kind: String, of account: AccountID) throws(WireError)
    -> ScopeID
  {
    try ScopeID(kind: kind, value: account.description)
  }

  // MARK: - Signing up

  /// Makes an account, with the scopes that are its own.
  /// - Parameters:
  ///   - name: what its person signs in with.
  ///   - password: the hash of the password.
  ///   - id: the id, which may be that of a person who has used the app without an account.
  ///   - now: the server's clock, in milliseconds since 1970.
  ///   - log: where it is stored.
  /// - Throws: ``AccountError`` with the code `taken`; what the log throws.
  public func signUp(
    _ name: AccountName, _ password: PasswordHash, as id: AccountID, at now: Int64,
    in log: inout some AccountWriter & ChangeLogWriter
  ) throws {
    guard try log.account(named: name) == nil else {
      throw AccountError(.taken, "There is an account with this name. Sign in, or choose another.")
    }
    guard try log.account(id) == nil else {
      throw AccountError(.taken, "The data of this device belongs to an account. Sign in to it.")
    }
    // NB: Whoever takes the id of scopes that are there would own what is in them.
    guard try log.grants(of: id, after: 0).isEmpty, try !hasOwnScopes(id, log) else {
      throw AccountError(.taken, "The data of this device belongs to an account. Sign in to it.")
    }
    try log.setAccount(Account(id: id, name: name, password: password, created: now))
    try grantOwnScopes(to: id, in: &log)
  }

  /// Gives an account the scopes of its own that it has not been given yet.
  private func grantOwnScopes(
    to id: AccountID, in log: inout some ChangeLogWriter
  ) throws {
    for kind in personalKinds.sorted() {
      let scope = try Self.personalScope(kind, of: id)
      if try !log.hasGrants(in: scope) { try log.grant(.owner, to: id, in: scope) }
    }
  }

  private func hasOwnScopes(_ id: AccountID, _ log: some ChangeLogReader) throws -> Bool {
    try personalKinds.contains { kind in
      let scope = try Self.personalScope(kind, of: id)
      return try log.hasGrants(in: scope) || log.scope(scope).head > 0
    }
  }

  // MARK: - Tokens

  /// Lets a device in by a secret from now on.
  ///
  /// Where the account has as many tokens as it may, the oldest one ends: else whoever has signed in that
  /// often would be locked out. An account from before a kind of scope was personal gets its own one with
  /// it.
  /// - Throws: what the log throws.
  public func addToken(
    _ secret: Secret, for account: AccountID, label: String, at now: Int64,
    in log: inout some AccountWriter & ChangeLogWriter
  ) throws -> AccessToken {
    try log.removeExpired(at: now)
    try grantOwnScopes(to: account, in: &log)
    let tokens = try log.tokens(of: account)
    for token in tokens.prefix(max(tokens.count - maximumTokens + 1, 0)) {
      try log.removeToken(token.hash)
    }
    let token = AccessToken(
      hash: secret.hash, account: account, label: String(label.prefix(100)), created: now,
      expires: now + tokenLifetime)
    try log.addToken(token)
    return token
  }

  /// The token of a secret; `nil` stands for what is no secret at all.
  /// - Throws: ``AccountError`` with the code `unauthorized`; what the log throws.
  func token(
    bearing secret: Secret?, at now: Int64, from log: some AccountReader
  ) throws -> AccessToken {
    guard let secret, let token = try log.token(secret.hash), now < token.expires else {
      throw AccountError(.unauthorized, "This device is signed out. Sign in again.")
    }
    return token
  }

  /// Makes a password the account's, and signs all other devices out.
  /// - Parameter kept: the hash of the token that stays.
  /// - Throws: ``AccountError`` with the code `unauthorized` where there is no such account; what the
  ///   log throws.
  public func setPassword(
    _ password: PasswordHash, of id: AccountID, keeping kept: ContentHash?,
    in log: inout some AccountWriter
  ) throws {
    guard var account = try log.account(id) else {
      throw AccountError(.unauthorized, "There is no such account. Sign in again.")
    }
    account.password = password
    try log.setAccount(account)
    for token in try log.tokens(of: id) where token.hash != kept {
      try log.removeToken(token.hash)
    }
  }
}
