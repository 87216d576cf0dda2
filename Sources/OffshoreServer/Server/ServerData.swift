public import Foundation
public import OffshoreWire

/// The data of a server, in an SQLite file with a folder of blobs beside it.
///
/// It also has the commands of the server's operator, which work whether or not the server runs:
///
/// ```swift
/// let data = try ServerData("server.sqlite")
/// try await data.addAccount(named: "ida", password: "correct horse")
/// await data.close()
/// ```
public struct ServerData: Sendable {
  let storage: any ServerStorage
  /// The folder of the contents of blobs, or `nil` if the server stores none.
  let blobFolder: String?

  /// Opens a file, and creates it if it does not exist.
  /// - Throws: `DatabaseError` as `Database` does.
  public init(_ path: String) throws {
    storage = try SQLiteStorage(path, epoch: .random(in: 1...(.max)))
    blobFolder = BlobStore.folder(beside: path)
  }

  /// Completes the pending work and closes the file. Later work is refused.
  public func close() async { await storage.close() }

  // MARK: - Commands of the operator

  /// Creates an account.
  ///
  /// - Parameters:
  ///   - name: the name that the user signs in with.
  ///   - password: the password, of 8 to 256 characters. Without one, only the tokens of
  ///     ``makeToken(forAccount:)`` authenticate the account.
  ///   - id: the id of the account, for one that the data lacks because it was restored from a copy: its
  ///     devices sign in to this id only. By default a new one.
  /// - Returns: the id of the account.
  /// - Throws: ``AccountError``: `invalidName`, `weakPassword`, `taken` if an account has the name or the
  ///   id, or `deleted` if the account with the id was deleted; `DatabaseError`.
  @discardableResult
  public func addAccount(
    named name: String, password: String?, id: UUID = UUID()
  ) async throws -> UUID {
    let name = try AccountName(name)
    let hash =
      if let password { try await PasswordHasher().hash(password) } else { PasswordHash.none }
    try await storage.write { transaction in
      guard try transaction.account(AccountID(id)) == nil else {
        throw AccountError(
          .taken, "There is an account with this id. Set another password for it instead.")
      }
      try AccountRules(personalKinds: transaction.personalKinds())
        .signUp(name, hash, as: AccountID(id), at: SystemClock.now(), in: &transaction)
      try transaction.settleAccess()
    }
    return id
  }

  /// Creates an access token for an account, as a sign-in does.
  /// - Returns: the text of the token. Only its hash is stored.
  /// - Throws: ``AccountError``: `invalidName`, `notFound` if the account does not exist, or `disabled`;
  ///   `DatabaseError`.
  public func makeToken(forAccount name: String) async throws -> String {
    let (name, secret) = (try AccountName(name), Secret.random())
    try await storage.write { transaction in
      let account = try transaction.existingAccount(named: name)
      _ = try AccountRules(personalKinds: transaction.personalKinds()).addToken(
        secret, for: account.id, label: "offshore token", at: SystemClock.now(),
        in: &transaction)
      try transaction.settleAccess()
    }
    return secret.text
  }

  /// Changes the password of an account, for a user who has forgotten it, and signs out all of its
  /// devices. A running server ends their event streams.
  /// - Throws: ``AccountError``: `invalidName`, `weakPassword`, or `notFound` if the account does not
  ///   exist; `DatabaseError`.
  public func setPassword(_ password: String, ofAccount name: String) async throws {
    let (name, hash) = (try AccountName(name), try await PasswordHasher().hash(password))
    try await storage.write { transaction in
      let account = try transaction.existingAccount(named: name)
      try AccountRules().setPassword(hash, of: account.id, keeping: nil, in: &transaction)
    }
  }

  /// Disables an account, or enables it again. While it is disabled, no device can sign in to it. All of
  /// its access tokens end; its data and memberships stay.
  ///
  /// Invitations by the account are invalid while it is disabled. A running server ends the event streams
  /// of the account.
  /// - Throws: ``AccountError``: `invalidName`, or `notFound` if the account does not exist;
  ///   `DatabaseError`.
  public func setDisabled(_ isDisabled: Bool, ofAccount name: String) async throws {
    let name = try AccountName(name)
    try await storage.write { transaction in
      let account = try transaction.existingAccount(named: name)
      try AccountRules().setDisabled(isDisabled, account, in: &transaction)
    }
  }

  /// Deletes an account, which signs out all of its devices. Its name can be used again, its id cannot.
  ///
  /// Its memberships end as if it left: if it is the last owner, the member who may write and became a
  /// member first becomes an owner. Its personal scopes are deleted, and so are the scopes that it owns and
  /// no other member may write, and those without another member. Rows that it wrote in other scopes stay.
  ///
  /// A running server deletes the files of blobs that no scope has by ``SyncServer/sweepBlobs()``, after 7
  /// days, and ends the event streams of the account. The devices of others receive no hints about the
  /// changes, and find them with their next pulls.
  /// - Throws: ``AccountError``: `invalidName`, or `notFound` if the account does not exist;
  ///   `DatabaseError`.
  public func deleteAccount(named name: String) async throws {
    let name = try AccountName(name)
    try await storage.write { transaction in
      let account = try transaction.existingAccount(named: name)
      let members = MembershipRules(personalKinds: try transaction.personalKinds())
      _ = try AccountDeletion(of: account.id, members, at: SystemClock.now())
        .run(on: &transaction)
      try transaction.settleAccess()
    }
  }

  /// Grants an account a role in scopes, in one transaction, for example to import them. The account
  /// has only the new role in a scope then.
  /// - Throws: ``AccountError``: `invalidName`, `notFound` if the account does not exist, or `forbidden`
  ///   for a personal scope of another account that is read by a rule; `DatabaseError`. Nothing has
  ///   changed then.
  public func grant(
    _ role: Role, inScopes scopes: [ScopeID], toAccount name: String
  ) async throws {
    let name = try AccountName(name)
    try await storage.write { transaction in
      let account = try transaction.existingAccount(named: name)
      let rows = MemberRows(
        personalKinds: try transaction.personalKinds(), at: SystemClock.now())
      let access = try transaction.manifest().map { AccessRules($0) }
      for scope in scopes {
        let grant = try rows.grant(role, to: account.id, in: scope, on: &transaction)
        guard access?.isDerived(grant, of: account.id) != true else {
          throw AccountError(
            .forbidden, "The rules of the manifest decide who reads \(scope). Change them there.")
        }
      }
      try access?.settle(on: &transaction)
    }
  }

  /// The access that the beginning of an epoch has ended.
  public struct EndedAccess: Hashable, Sendable {
    /// The number of access tokens.
    public internal(set) var tokens = 0
    /// The number of invitations.
    public internal(set) var invitations = 0
  }

  /// Begins a new epoch, after the file was restored from a copy. Call it while no server uses the
  /// file.
  ///
  /// Devices may have seen changes that the copy lacks, so they fetch their scopes again.
  ///
  /// The copy has secrets that may have ended since: the tokens of devices that were signed out, and
  /// used and withdrawn invitations. So all of them end. Passwords and memberships are those of the
  /// copy.
  /// - Parameters:
  ///   - keepingTokens: whether access tokens stay valid, so that devices need not sign in again.
  ///   - keepingInvitations: whether invitations stay valid.
  /// - Throws: `DatabaseError`.
  @discardableResult
  public func beginEpoch(
    keepingTokens: Bool = false, keepingInvitations: Bool = false
  ) async throws -> EndedAccess {
    try await storage.write { transaction in
      let former = try transaction.epoch()
      var epoch = former
      while epoch == former { epoch = .random(in: 1...(.max)) }
      try transaction.beginEpoch(epoch)
      // Rows that devices send again may refer to blobs that are unused in the copy.
      try transaction.renewUnused(at: SystemClock.now())
      var ended = EndedAccess()
      if !keepingTokens { ended.tokens = try transaction.removeAllTokens() }
      if !keepingInvitations { ended.invitations = try transaction.removeAllInvitations() }
      return ended
    }
  }
}

extension StorageTransaction {
  /// Returns the kinds of personal scopes of the manifest that the data is served under.
  fileprivate func personalKinds() throws -> Set<String> { try manifest()?.personalKinds ?? [] }

  /// - Throws: ``AccountError`` with the code `notFound` if the account does not exist.
  fileprivate func existingAccount(named name: AccountName) throws -> Account {
    guard let account = try account(named: name) else {
      throw AccountError(.notFound, "There is no account “\(name.text)”. Add it first.")
    }
    return account
  }

  /// Derives the access that follows from the changes so far.
  fileprivate mutating func settleAccess() throws {
    try manifest().map { AccessRules($0) }?.settle(on: &self)
  }
}
