public import Foundation
public import OffshoreWire

/// Asks a server about accounts, and about who may take part in scopes.
///
/// ```swift
/// let accounts = AccountClient(HTTPTransport(server))
/// let account = try await accounts.signIn("skipper", password)
/// await driver.setToken(account.token)
/// ```
public struct AccountClient: Sendable {
  /// How many characters a password may have.
  public static let passwordLength = 8...256

  private let transport: HTTPTransport
  private let gate: RequestGate

  /// Takes how the server is reached.
  /// - Parameter gate: says whether anything is asked at all; where it is shut, every call throws
  ///   ``Failure`` with the code `unreachable`.
  public init(_ transport: HTTPTransport, through gate: RequestGate = RequestGate()) {
    self.transport = transport
    self.gate = gate
  }

  // MARK: - Signing in and out

  /// Makes an account, and signs this device in to it.
  /// - Parameters:
  ///   - name: what its person signs in with.
  ///   - password: of a length in ``passwordLength``.
  ///   - owner: the id that the device's data belongs to, which becomes the account's.
  /// - Throws: ``Failure``: `invalidName`, `weakPassword`, `taken`, and why there is no answer.
  public func signUp(
    _ name: String, _ password: String, as owner: UUID
  ) async throws(Failure) -> SignedInAccount {
    try await ask(
      "POST", "v1/accounts",
      Credentials(name: name, password: password, account: owner))
  }

  /// Signs this device in.
  /// - Throws: ``Failure``: `wrongPassword`, `tooManyRequests`, and why there is no answer.
  public func signIn(
    _ name: String, _ password: String
  ) async throws(Failure) -> SignedInAccount {
    try await ask(
      "POST", "v1/tokens",
      Credentials(name: name, password: password, account: nil))
  }

  /// Has the server forget a token.
  /// - Throws: ``Failure``: why there is no answer. A token that the server does not know is forgotten.
  public func signOut(_ token: String) async throws(Failure) {
    do throws(Failure) {
      try await tell("DELETE", "v1/tokens/current", token: token)
    } catch  where error.code == .unauthorized {}
  }

  /// Changes the password, and signs all other devices out.
  /// - Throws: ``Failure``: `wrongPassword`, `weakPassword`, `unauthorized`, and why there is no answer.
  public func changePassword(
    from old: String, to new: String, token: String
  ) async throws(Failure) {
    try await tell(
      "POST", "v1/password", token: token, NewPassword(password: old, newPassword: new))
  }

  // MARK: - Scopes

  /// Who takes part in a scope.
  /// - Throws: ``Failure``: `forbidden` where the account does not, and why there is no answer.
  public func members(
    of scope: ScopeID, token: String
  ) async throws(Failure) -> [ScopeMember] {
    let answer: Members = try await ask("GET", "\(path(of: scope))/members", token: token)
    return answer.members
  }

  /// Gives a member another role.
  /// - Throws: ``Failure``: `forbidden`, `lastOwner`, and why there is no answer.
  public func setRole(
    _ role: ScopeMember.Role, of account: UUID, in scope: ScopeID, token: String
  ) async throws(Failure) {
    try await tell(
      "PUT", "\(path(of: scope))/members/\(account)", token: token, Role(role: role))
  }

  /// Ends a membership: one's own by leaving, another's by revoking it.
  /// - Throws: ``Failure``: `forbidden`, `lastOwner`, and why there is no answer.
  public func remove(
    _ account: UUID, from scope: ScopeID, token: String
  ) async throws(Failure) {
    try await tell("DELETE", "\(path(of: scope))/members/\(account)", token: token)
  }

  /// Makes a code that lets one other account in.
  /// - Throws: ``Failure``: `forbidden`, and why there is no answer.
  public func invite(
    to scope: ScopeID, as role: ScopeMember.Role, token: String
  ) async throws(Failure) -> ScopeInvitation {
    try await ask("POST", "\(path(of: scope))/invitations", token: token, Role(role: role))
  }

  /// The invitations to a scope that nobody has accepted yet.
  /// - Throws: ``Failure``: `forbidden` where the account does not own the scope, and why there is no
  ///   answer.
  public func invitations(
    to scope: ScopeID, token: String
  ) async throws(Failure) -> [OpenInvitation] {
    let answer: Invitations = try await ask(
      "GET", "\(path(of: scope))/invitations", token: token)
    return answer.invitations
  }

  /// Takes an invitation back, so that its code lets nobody in.
  /// - Throws: ``Failure``: `forbidden`, `notFound` where it was used or has ended, and why there is no
  ///   answer.
  public func withdraw(
    _ invitation: OpenInvitation.ID, to scope: ScopeID, token: String
  ) async throws(Failure) {
    try await tell("DELETE", "\(path(of: scope))/invitations/\(invitation)", token: token)
  }

  /// Takes part in the scope that a code is for. The next pull brings it.
  /// - Returns: the scope.
  /// - Throws: ``Failure``: `invalidInvitation`, and why there is no answer.
  public func accept(_ code: String, token: String) async throws(Failure) -> ScopeID {
    let grant: GrantedScope = try await ask(
      "POST", "v1/invitations", token: token, Code(code: code))
    guard let scope = try? ScopeID(grant.scope) else {
      throw Failure(.malformed, "The server's answer cannot be read.")
    }
    return scope
  }

  // MARK: - Messages

  private struct Credentials: Encodable {
    let name: String
    let password: String
    let account: UUID?
  }

  private struct NewPassword: Encodable {
    let password: String
    let newPassword: String
  }

  private struct Role: Encodable { let role: ScopeMember.Role }
  private struct Code: Encodable { let code: String }
  private struct Members: Decodable { let members: [ScopeMember] }
  private struct Invitations: Decodable { let invitations: [OpenInvitation] }
  private struct GrantedScope: Decodable { let scope: String }
  private struct Nothing: Encodable {}

  private func path(of scope: ScopeID) -> String { "v1/scopes/\(scope.kind)/\(scope.value)" }

  private func tell(
    _ method: String, _ path: String, token: String?, _ body: (some Encodable)? = Nothing?.none
  ) async throws(Failure) {
    _ = try await bytes(method, path, token, body)
  }

  private func ask<Answer: Decodable>(
    _ method: String, _ path: String, token: String? = nil,
    _ body: (some Encodable)? = Nothing?.none
  ) async throws(Failure) -> Answer {
    let bytes = try await bytes(method, path, token, body)
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)) else {
      throw Failure(.malformed, "The server's answer cannot be read.")
    }
    return answer
  }

  private func bytes(
    _ method: String, _ path: String, _ token: String?, _ body: (some Encodable)?
  ) async throws(Failure) -> [UInt8] {
    guard gate.isOpen else { throw .switchedOff }
    let answer: (status: Int, bytes: [UInt8])
    do throws(SyncEngine.Failure) {
      answer = try await transport.send(
        method, path, token: token, json: body.flatMap { try? JSONEncoder().encode($0) })
    } catch {
      throw Failure(error)
    }
    guard (200..<300).contains(answer.status) else {
      throw Failure(status: answer.status, body: answer.bytes)
    }
    return answer.bytes
  }
}
