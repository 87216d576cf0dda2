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

  /// Why a server did not do what it was asked for.
  public typealias Failure = ServerClient.Failure

  private typealias Request = ServerClient.Request

  private let client: ServerClient

  /// Takes how the server is reached.
  /// - Parameter gate: says whether anything is asked at all; where it is shut, every call throws
  ///   ``Failure`` with the code `unreachable`.
  public init(_ transport: HTTPTransport, through gate: RequestGate = RequestGate()) {
    self.init(ServerClient(transport, through: gate))
  }

  /// Takes what asks the server.
  public init(_ client: ServerClient) { self.client = client }

  // MARK: - Signing in and out

  /// Makes an account, and signs this device in to it.
  /// - Parameters:
  ///   - name: what its person signs in with.
  ///   - password: of a length in ``passwordLength``.
  ///   - owner: the id that the device's data belongs to, which becomes the account's.
  /// - Throws: ``Failure``: `invalidName`, `weakPassword`, `taken`, `signUpClosed`, `tooManyRequests`, and why
  ///   there is no answer.
  public func signUp(
    _ name: String, _ password: String, as owner: UUID
  ) async throws(Failure) -> SignedInAccount {
    try await client.ask(
      Request(
        "POST", "v1/accounts", json: Credentials(name: name, password: password, account: owner)),
      token: nil)
  }

  /// Signs this device in.
  /// - Throws: ``Failure``: `wrongPassword`, `tooManyRequests`, and why there is no answer.
  public func signIn(
    _ name: String, _ password: String
  ) async throws(Failure) -> SignedInAccount {
    try await client.ask(
      Request("POST", "v1/tokens", json: Credentials(name: name, password: password, account: nil)),
      token: nil)
  }

  /// Has the server forget a token.
  /// - Throws: ``Failure``: why there is no answer. A token that the server does not know is forgotten.
  public func signOut(_ token: String) async throws(Failure) {
    do throws(Failure) {
      try await client.tell(Request("DELETE", "v1/tokens/current"), token: token)
    } catch  where error.code == .unauthorized {}
  }

  /// Changes the password, and signs all other devices out.
  /// - Throws: ``Failure``: `wrongPassword`, `weakPassword`, `unauthorized`, and why there is no answer.
  public func changePassword(
    from old: String, to new: String, token: String
  ) async throws(Failure) {
    try await client.tell(
      Request("POST", "v1/password", json: NewPassword(password: old, newPassword: new)),
      token: token)
  }

  // MARK: - Scopes

  /// Who takes part in a scope.
  /// - Throws: ``Failure``: `forbidden` where the account does not, and why there is no answer.
  public func members(
    of scope: ScopeID, token: String
  ) async throws(Failure) -> [ScopeMember] {
    let answer: Members = try await client.ask(
      Request("GET", "\(path(of: scope))/members"), token: token)
    return answer.members
  }

  /// Gives a member another role.
  /// - Throws: ``Failure``: `forbidden`, `lastOwner`, and why there is no answer.
  public func setRole(
    _ role: Role, of account: UUID, in scope: ScopeID, token: String
  ) async throws(Failure) {
    try await client.tell(
      Request("PUT", "\(path(of: scope))/members/\(account)", json: RoleBody(role: role)),
      token: token)
  }

  /// Ends a membership: one's own by leaving, another's by revoking it.
  /// - Throws: ``Failure``: `forbidden`, `lastOwner`, and why there is no answer.
  public func remove(
    _ account: UUID, from scope: ScopeID, token: String
  ) async throws(Failure) {
    try await client.tell(
      Request("DELETE", "\(path(of: scope))/members/\(account)"), token: token)
  }

  /// Makes a code that lets one other account in.
  /// - Throws: ``Failure``: `forbidden`, and why there is no answer.
  public func invite(
    to scope: ScopeID, as role: Role, token: String
  ) async throws(Failure) -> ScopeInvitation {
    try await client.ask(
      Request("POST", "\(path(of: scope))/invitations", json: RoleBody(role: role)), token: token)
  }

  /// The invitations to a scope that nobody has accepted yet.
  /// - Throws: ``Failure``: `forbidden` where the account does not own the scope, and why there is no
  ///   answer.
  public func invitations(
    to scope: ScopeID, token: String
  ) async throws(Failure) -> [OpenInvitation] {
    let answer: Invitations = try await client.ask(
      Request("GET", "\(path(of: scope))/invitations"), token: token)
    return answer.invitations
  }

  /// Takes an invitation back, so that its code lets nobody in.
  /// - Throws: ``Failure``: `forbidden`, `notFound` where it was used or has ended, and why there is no
  ///   answer.
  public func withdraw(
    _ invitation: OpenInvitation.ID, to scope: ScopeID, token: String
  ) async throws(Failure) {
    try await client.tell(
      Request("DELETE", "\(path(of: scope))/invitations/\(invitation)"), token: token)
  }

  /// Takes part in the scope that a code is for. The next pull brings it.
  /// - Returns: the scope.
  /// - Throws: ``Failure``: `invalidInvitation`, and why there is no answer.
  public func accept(_ code: String, token: String) async throws(Failure) -> ScopeID {
    let grant: GrantedScope = try await client.ask(
      Request("POST", "v1/invitations", json: Code(code: code)), token: token)
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

  private struct RoleBody: Encodable { let role: Role }
  private struct Code: Encodable { let code: String }
  private struct Members: Decodable { let members: [ScopeMember] }
  private struct Invitations: Decodable { let invitations: [OpenInvitation] }
  private struct GrantedScope: Decodable { let scope: String }

  private func path(of scope: ScopeID) -> String { "v1/scopes/\(scope.kind)/\(scope.value)" }
}
