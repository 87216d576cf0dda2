import OffshoreWire

/// The rules for accounts, for any kind of storage.
///
/// They read no clock and create no secrets.
package struct AccountRules: Sendable {
  /// The kinds of personal scopes: each account owns one of each, with its id as the value.
  let personalKinds: Set<String>
  /// The lifetime of a token, in milliseconds.
  var tokenLifetime: Int64 = 90 * 86_400_000
  /// The largest number of tokens of an account, one for each sign-in.
  var maximumTokens = 100

  /// Creates the default rules, for the kinds of personal scopes of a manifest.
  package init(personalKinds: Set<String> = []) { self.personalKinds = personalKinds }

  /// Returns the personal scope of an account.
  /// - Throws: `WireError` with the code `invalidName` if the kind is not a valid name.
  static func personalScope(_ kind: String, of account: AccountID) throws(WireError)
    -> ScopeID
  {
    try ScopeID(kind: kind, value: account.description)
  }

  // MARK: - Signing up

  /// Creates an account with its personal scopes.
  /// - Parameters:
  ///   - name: the name that the user signs in with.
  ///   - password: the hash of the password.
  ///   - id: the id of the account, such as that of a local user who has used the app without an
  ///     account.
  ///   - now: the server's clock, in milliseconds since 1970.
  ///   - transaction: the transaction that stores the account.
  /// - Throws: ``AccountError``: `taken` if an account has the name or the id, or if scopes of the id
  ///   have data or grants, `deleted` if the account with the id was deleted; any error of the storage.
  package func signUp(
    _ name: AccountName, _ password: PasswordHash, as id: AccountID, at now: Int64,
    in transaction: inout some StorageTransaction
  ) throws {
    // NB: Rows of other accounts name the id as their author.
    guard try !transaction.isRemoved(id) else {
      throw AccountError(
        .deleted, "The account of this data was deleted. Erase the data before you sign up again.")
    }
    guard try transaction.account(named: name) == nil else {
      throw AccountError(.taken, "There is an account with this name. Sign in, or choose another.")
    }
    guard try transaction.account(id) == nil else {
      throw AccountError(.taken, "The data of this device belongs to an account. Sign in to it.")
    }
    // NB: An account with the id of existing scopes would own their content.
    guard try transaction.grants(of: id, after: 0).isEmpty, try !hasOwnScopes(id, transaction)
    else {
      throw AccountError(.taken, "The data of this device belongs to an account. Sign in to it.")
    }
    try transaction.setAccount(Account(id: id, name: name, password: password, created: now))
    try grantOwnScopes(to: id, in: &transaction)
  }

  /// Grants an account its personal scopes, if they have no grants yet.
  private func grantOwnScopes(
    to id: AccountID, in transaction: inout some StorageTransaction
  ) throws {
    for kind in personalKinds.sorted() {
      let scope = try Self.personalScope(kind, of: id)
      if try !transaction.hasGrants(in: scope) { try transaction.grant(.owner, to: id, in: scope) }
    }
  }

  private func hasOwnScopes(_ id: AccountID, _ transaction: some StorageTransaction) throws -> Bool
  {
    try personalKinds.contains { kind in
      let scope = try Self.personalScope(kind, of: id)
      return try transaction.hasGrants(in: scope) || transaction.scope(scope).head > 0
    }
  }

  // MARK: - Tokens

  /// Adds an access token to an account.
  ///
  /// If the account has the largest number of tokens, the oldest ones are removed: otherwise a user
  /// who has signed in that often would be locked out. The account is also granted the personal
  /// scopes of kinds that are newer than itself.
  /// - Throws: ``AccountError`` with the code `disabled` if the account is; any error of the storage.
  package func addToken(
    _ secret: Secret, for account: AccountID, label: String, at now: Int64,
    in transaction: inout some StorageTransaction
  ) throws -> AccessToken {
    guard try transaction.account(account)?.isDisabled != true else {
      throw AccountError(.disabled, "The account is disabled. Ask the server's operator.")
    }
    try transaction.removeExpired(at: now)
    try grantOwnScopes(to: account, in: &transaction)
    let tokens = try transaction.tokens(of: account)
    for token in tokens.prefix(max(tokens.count - maximumTokens + 1, 0)) {
      try transaction.removeToken(token.hash)
    }
    let token = AccessToken(
      hash: secret.hash, account: account, label: String(label.prefix(100)), created: now,
      expires: now + tokenLifetime)
    try transaction.addToken(token)
    return token
  }

  /// Returns the token of a secret, which is `nil` if the client sent a malformed one.
  /// - Throws: ``AccountError`` with the code `unauthorized` if the token does not exist or has
  ///   expired; any error of the storage.
  func token(
    bearing secret: Secret?, at now: Int64, from transaction: some StorageTransaction
  ) throws -> AccessToken {
    guard let secret, let token = try transaction.token(secret.hash), now < token.expires else {
      throw AccountError(.unauthorized, "This device is signed out. Sign in again.")
    }
    return token
  }

  /// Disables an account, which signs out all of its devices, or enables it again.
  /// - Throws: any error of the storage.
  func setDisabled(
    _ isDisabled: Bool, _ account: Account, in transaction: inout some StorageTransaction
  ) throws {
    var account = account
    account.isDisabled = isDisabled
    try transaction.setAccount(account)
    guard isDisabled else { return }
    for token in try transaction.tokens(of: account.id) { try transaction.removeToken(token.hash) }
  }

  /// Changes the password of an account, and signs out all other devices.
  /// - Parameter kept: the hash of the token that stays valid.
  /// - Throws: ``AccountError`` with the code `unauthorized` if the account does not exist; any
  ///   error of the storage.
  func setPassword(
    _ password: PasswordHash, of id: AccountID, keeping kept: ContentHash?,
    in transaction: inout some StorageTransaction
  ) throws {
    guard var account = try transaction.account(id) else {
      throw AccountError(.unauthorized, "There is no such account. Sign in again.")
    }
    account.password = password
    try transaction.setAccount(account)
    for token in try transaction.tokens(of: id) where token.hash != kept {
      try transaction.removeToken(token.hash)
    }
  }
}
