import Foundation
import OffshoreHTTP
import OffshoreWire

/// Routes for signing up, in and out.
extension SyncServer {
  func addAccounts(to router: inout Router) {
    router.post("v1/accounts", bodyLimit: Self.formLimit) { try await signUp($0) }
    router.post("v1/tokens", bodyLimit: Self.formLimit) { try await signIn($0) }
    router.on(.delete, "v1/tokens/current") { try await signOut($0) }
    router.post("v1/password", bodyLimit: Self.formLimit) { try await changePassword($0) }
    router.get("v1/account") { request in
      let id = try await authenticate(request).account
      return try .private(try await described(id))
    }
  }

  static var formLimit: Int { 16 << 10 }

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

  private struct SignedIn: Encodable {
    let account: UUID
    let name: String
    let token: String
    let expires: Int64
  }

  private struct Described: Encodable {
    let account: UUID
    let name: String
  }

  private func signUp(_ request: Request) async throws -> Response {
    let credentials = try Self.decoded(Credentials.self, request)
    guard configuration.opensSignUp else {
      throw AccountError(.signUpClosed, "Ask the server's operator for an account.")
    }
    let now = clock()
    let name = try AccountName(credentials.name)
    let password = try await hasher.hash(credentials.password)
    let id = AccountID(credentials.account ?? UUID())
    let secret = makeSecret()
    let token = try await log.write { [accounts] transaction in
      try accounts.signUp(name, password, as: id, at: now, in: &transaction)
      return try accounts.addToken(
        secret, for: id, label: credentials.device ?? "", at: now, in: &transaction)
    }
    return try .private(Self.signedIn(name, secret, token), status: .created)
  }

  private func signIn(_ request: Request) async throws -> Response {
    let credentials = try Self.decoded(Credentials.self, request)
    let now = clock()
    let name = try AccountName(credentials.name)
    try limitGuesses(name, request, at: now)
    let account = try await log.read { try $0.account(named: name) }
    guard try await hasher.matches(credentials.password, account?.password), let account else {
      throw AccountError(.wrongPassword, "Name and password do not belong together. Try again.")
    }
    let secret = makeSecret()
    let (token, hasEnded) = try await log.write { [accounts] transaction in
      // The password may have been changed during the comparison.
      guard try transaction.account(account.id)?.password == account.password else {
        throw AccountError(.wrongPassword, "The password was changed. Sign in with the new one.")
      }
      let count = try transaction.tokens(of: account.id).count
      let token = try accounts.addToken(
        secret, for: account.id, label: credentials.device ?? "", at: now, in: &transaction)
      return (token, try transaction.tokens(of: account.id).count <= count)
    }
    // The oldest token was removed to make room, so its streams have to end.
    if hasEnded { hub.end(account.id) }
    return try .private(Self.signedIn(account.name, secret, token), status: .created)
  }

  private func signOut(_ request: Request) async throws -> Response {
    let bearer = try await authenticate(request)
    try await log.write { try $0.removeToken(bearer.token) }
    hub.end(bearer.account)
    return .noContent
  }

  private func changePassword(_ request: Request) async throws -> Response {
    let bearer = try await authenticate(request)
    let passwords = try Self.decoded(NewPassword.self, request)
    let account = try await log.read { try $0.account(bearer.account) }
    if let name = account?.name { try limitGuesses(name, request, at: clock()) }
    guard try await hasher.matches(passwords.password, account?.password) else {
      throw AccountError(.wrongCurrentPassword, "That is not the password. Try again.")
    }
    let password = try await hasher.hash(passwords.newPassword)
    try await log.write { [accounts] transaction in
      // Another device may have changed the password meanwhile, and signed out this one.
      guard try transaction.token(bearer.token) != nil,
        try transaction.account(bearer.account)?.password == account?.password
      else {
        throw AccountError(.unauthorized, "The password was changed meanwhile. Sign in again.")
      }
      try accounts.setPassword(
        password, of: bearer.account, keeping: bearer.token, in: &transaction)
    }
    hub.end(bearer.account)
    return .noContent
  }

  private func described(_ id: AccountID) async throws -> Described {
    guard let account = try await log.read({ try $0.account(id) }) else {
      throw AccountError(.unauthorized, "There is no such account. Sign in again.")
    }
    return Described(account: id.uuid, name: account.name.text)
  }

  private static func signedIn(
    _ name: AccountName, _ secret: Secret, _ token: AccessToken
  ) -> SignedIn {
    SignedIn(
      account: token.account.uuid, name: name.text, token: secret.text, expires: token.expires)
  }

  // MARK: - JSON

  static func decoded<Value: Decodable>(_: Value.Type, _ request: Request) throws -> Value {
    guard request.mediaType == "application/json" else {
      throw HTTPError(.unsupportedMediaType, "Send JSON, as application/json.")
    }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(request.body))
    } catch {
      throw AccountError(.malformed, "The body is not the JSON that is expected here.")
    }
  }
}

extension Response {
  /// Creates a JSON response that no cache may store.
  static func `private`(_ value: some Encodable, status: Status = .ok) throws -> Response {
    let encoder = JSONEncoder()
    // Equal values are encoded as equal bytes.
    encoder.outputFormatting = .sortedKeys
    var response = try json(value, status: status, encoder: encoder)
    response.headers["Cache-Control"] = "no-store"
    return response
  }
}
