import Foundation
import OffshoreHTTP
import OffshoreWire

/// The routes for signing up, in and out, and for deleting the account.
struct AccountRoutes: Sendable {
  let server: SyncServer

  var routes: [ServerRoute] {
    [
      ServerRoute(
        .post, "v1/accounts", "Creates an account.", access: .credentials,
        body: .json(Self.credentials), bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(201, "The account, and a token for it.", .json(JSONSchema.named("Token"))),
          .problem(403, "Only the server's operator creates accounts."),
          .problem(409, "Another account has the name or the id, or had the id and was deleted."),
          .problem(422, "The name or the password is not allowed."),
        ], handler: signUp),
      ServerRoute(
        .post, "v1/tokens", "Signs an account in.", access: .credentials,
        body: .json(Self.credentials), bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(201, "A token.", .json(JSONSchema.named("Token"))),
          .problem(401, "The name or the password is wrong."),
          .problem(403, "The server's operator has disabled the account."),
          .problem(422, "The name is not allowed."),
        ], handler: signIn),
      ServerRoute(
        .delete, "v1/tokens/current", "Signs out.",
        answers: [.answer(204, "The token is not valid any more.")], handler: signOut),
      ServerRoute(
        .post, "v1/password", "Changes the password, and signs all other devices out.",
        body: .json(
          JSONSchema.object(["password": JSONSchema.text, "newPassword": JSONSchema.text])),
        bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(204, "The password is changed."), .problem(403, "The current password is wrong."),
          .problem(422, "The new password is not allowed."),
        ], handler: changePassword),
      ServerRoute(
        .get, "v1/account", "Returns the account of the token.",
        answers: [.answer(200, "The account.", .json(JSONSchema.named("Account")))],
        handler: account),
      ServerRoute(
        .delete, "v1/account",
        "Deletes the account with everything that belongs to it alone, and signs all devices out.",
        body: .json(JSONSchema.object(["password": JSONSchema.text])),
        bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(204, "The account is deleted."), .problem(403, "The current password is wrong."),
        ], handler: deleteAccount),
    ]
  }

  private static let credentials = JSONSchema.object(
    [
      "name": JSONSchema.text, "password": JSONSchema.text,
      "account": [
        "type": "string", "format": "uuid",
        "description": "The id of the local user, which the account adopts.",
      ],
      "device": [
        "type": "string", "description": "The name of the device, for the list of tokens.",
      ],
    ], optional: ["account", "device"])

  // MARK: - Bodies

  private struct Credentials: Decodable {
    let name: String
    let password: String
    /// The id of the device's local user, which a new account adopts.
    let account: UUID?
    let device: String?
  }

  private struct NewPassword: Decodable {
    let password: String
    let newPassword: String
  }

  private struct CurrentPassword: Decodable { let password: String }

  private struct SignedIn: Encodable {
    let account: UUID
    let name: String
    let token: String
    let expires: Int64

    init(_ name: AccountName, _ secret: Secret, _ token: AccessToken) {
      account = token.account.uuid
      self.name = name.text
      self.token = secret.text
      expires = token.expires
    }
  }

  private struct AccountBody: Encodable {
    let account: UUID
    let name: String
  }

  // MARK: - Handlers

  private func signUp(_ request: Request) async throws -> Response {
    let credentials = try request.json(Credentials.self)
    guard server.configuration.opensSignUp else {
      throw AccountError(.signUpClosed, "Ask the server's operator for an account.")
    }
    let now = server.clock()
    let name = try AccountName(credentials.name)
    let password = try await server.hasher.hash(credentials.password)
    let id = AccountID(credentials.account ?? UUID())
    let secret = server.makeSecret()
    let token = try await server.write { [rules = server.accounts] transaction in
      try rules.signUp(name, password, as: id, at: now, in: &transaction)
      return try rules.addToken(
        secret, for: id, label: credentials.device ?? "", at: now, in: &transaction)
    }
    return try .private(SignedIn(name, secret, token), status: .created)
  }

  private func signIn(_ request: Request) async throws -> Response {
    let credentials = try request.json(Credentials.self)
    let now = server.clock()
    let name = try AccountName(credentials.name)
    let isKnown = try server.limits.countGuess(of: name.text, from: request.network, at: now)
    let account = try await server.storage.readPromptly { try $0.account(named: name) }
    let matches = try await server.hasher.matches(
      credentials.password, account?.password, isKnown: isKnown)
    guard matches, let account else {
      throw AccountError(.wrongPassword, "Name and password do not belong together. Try again.")
    }
    let secret = server.makeSecret()
    let (token, hasEnded) = try await server.write { [rules = server.accounts] transaction in
      // The password may have been changed during the comparison.
      guard try transaction.account(account.id)?.password == account.password else {
        throw AccountError(.wrongPassword, "The password was changed. Sign in with the new one.")
      }
      let count = try transaction.tokens(of: account.id).count
      let token = try rules.addToken(
        secret, for: account.id, label: credentials.device ?? "", at: now, in: &transaction)
      return (token, try transaction.tokens(of: account.id).count <= count)
    }
    // The oldest token was removed to make room, so its streams have to end.
    if hasEnded { server.hub.closeStreams(of: account.id) }
    server.limits.recordSignIn(of: name.text, from: request.network)
    return try .private(SignedIn(account.name, secret, token), status: .created)
  }

  private func signOut(_ request: Request, _ caller: Caller) async throws -> Response {
    try await server.storage.write { try $0.removeToken(caller.token) }
    server.hub.closeStreams(of: caller.account)
    return .noContent
  }

  private func changePassword(_ request: Request, _ caller: Caller) async throws -> Response {
    let passwords = try request.json(NewPassword.self)
    let account = try await verifiedAccount(of: caller, passwords.password, request)
    let password = try await server.hasher.hash(passwords.newPassword)
    try await server.storage.write { [rules = server.accounts] transaction in
      try Self.check(caller, account, transaction)
      try rules.setPassword(
        password, of: caller.account, keeping: caller.token, in: &transaction)
    }
    server.hub.closeStreams(of: caller.account)
    return .noContent
  }

  private func deleteAccount(_ request: Request, _ caller: Caller) async throws -> Response {
    let password = try request.json(CurrentPassword.self).password
    let account = try await verifiedAccount(of: caller, password, request)
    let deletion = AccountDeletion(of: caller.account, server.members, at: server.clock())
    let files = try await server.write { transaction in
      try Self.check(caller, account, transaction)
      return try deletion.run(on: &transaction)
    }
    server.hub.closeStreams(of: caller.account)
    await remove(files, of: caller.account)
    return .noContent
  }

  /// Deletes files of a deleted account. After a failure, the next sweeps delete them.
  private func remove(_ files: AccountDeletion.Files, of account: AccountID) async {
    guard let blobs = server.blobs else { return }
    do {
      for hash in files.uploads {
        try await blobs.discardEnded(hash, from: account, in: server.storage)
      }
      try await blobs.serialized { [storage = server.storage] in
        for hash in files.blobs { try await blobs.removeUnused(hash, in: storage) }
      }
    } catch {
      RequestLog(server).write(error)
    }
  }

  // MARK: - The current password

  /// Returns the account of a caller who has sent its password.
  /// - Throws: ``AccountError``: `wrongCurrentPassword`, or `unavailable` if too many passwords wait;
  ///   `WireProblem` with the code `tooManyRequests`; any error of the storage.
  private func verifiedAccount(
    of caller: Caller, _ password: String, _ request: Request
  ) async throws -> Account {
    let account = try await server.storage.read { try $0.account(caller.account) }
    if let name = account?.name {
      try server.limits.countGuess(of: name.text, from: request.network, at: server.clock())
    }
    // The user has signed in before, for the token.
    let matches = try await server.hasher.matches(password, account?.password, isKnown: true)
    guard matches, let account else {
      throw AccountError(.wrongCurrentPassword, "That is not the password. Try again.")
    }
    return account
  }

  /// Checks that no other device has changed the password meanwhile, and signed out the caller.
  /// - Throws: ``AccountError`` with the code `unauthorized`; any error of the storage.
  private static func check(
    _ caller: Caller, _ account: Account, _ transaction: some StorageTransaction
  ) throws {
    guard try transaction.token(caller.token) != nil,
      try transaction.account(account.id)?.password == account.password
    else {
      throw AccountError(.unauthorized, "The password was changed meanwhile. Sign in again.")
    }
  }

  private func account(_ request: Request, _ caller: Caller) async throws -> Response {
    guard let account = try await server.storage.read({ try $0.account(caller.account) }) else {
      throw AccountError(.unauthorized, "There is no such account. Sign in again.")
    }
    return try .private(AccountBody(account: account.id.uuid, name: account.name.text))
  }
}
