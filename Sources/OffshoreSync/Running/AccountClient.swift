public import Foundation
public import OffshoreWire

/// The client for a server's accounts, members and invitations.
///
/// ```swift
/// let accounts = AccountClient(HTTPTransport(server))
/// let account = try await accounts.signIn("skipper", password)
/// await driver.setToken(account.token)
/// ```
///
/// Every call can also throw a ``Failure`` of the request itself, such as `unreachable`,
/// `timedOut`, `tooManyRequests` or `malformed`. Calls with an access token throw `unauthorized` if
/// the token is not valid any more.
///
/// If members, roles or the account's own scopes change, the server sends a hint to all devices
/// concerned. A running ``SyncDriver`` with an open event stream then pulls at once; without a
/// stream, the change arrives with the next pull.
public struct AccountClient: Sendable {
  /// The number of characters that a password can have.
  public static let passwordLength = 8...256

  /// The reason why a request failed.
  public typealias Failure = ServerClient.Failure

  private typealias Request = ServerClient.Request

  private let client: ServerClient

  /// Creates a client for the server that a transport connects to.
  /// - Parameter gate: a switch for the requests of this client. While it is closed, every call
  ///   throws ``Failure`` with the code `unreachable`.
  public init(_ transport: HTTPTransport, through gate: RequestGate = RequestGate()) {
    self.init(ServerClient(transport, through: gate))
  }

  /// Creates a client that sends its requests through a server client.
  public init(_ client: ServerClient) { self.client = client }

  // MARK: - Signing in and out

  /// Creates an account, and signs this device in.
  /// - Parameters:
  ///   - name: the name of the account.
  ///   - password: the password, with a length in ``passwordLength``.
  ///   - owner: the id of the user who owns the device's data. It becomes the id of the account.
  ///   - device: the name of this device in the list of ``devices(token:)``, of at most 100 characters.
  /// - Throws: ``Failure``: `invalidName`, `weakPassword`, `taken` if another account has the name
  ///   or the id, `deleted` if the account with the id was deleted, `signUpClosed` if only the operator of
  ///   the server creates accounts.
  public func signUp(
    _ name: String, _ password: String, as owner: UUID, device: String? = nil
  ) async throws(Failure) -> SignedInAccount {
    try await client.fetch(
      Request(
        "POST", "v1/accounts",
        json: Credentials(name: name, password: password, account: owner, device: device)),
      token: nil)
  }

  /// Signs this device in to an account.
  /// - Parameters:
  ///   - name: the name of the account.
  ///   - password: the password.
  ///   - device: the name of this device in the list of ``devices(token:)``, of at most 100 characters.
  /// - Throws: ``Failure``: `wrongPassword` if the name and the password do not match, `disabled` if
  ///   the operator of the server has disabled the account.
  public func signIn(
    _ name: String, _ password: String, device: String? = nil
  ) async throws(Failure) -> SignedInAccount {
    try await client.fetch(
      Request(
        "POST", "v1/tokens",
        json: Credentials(name: name, password: password, account: nil, device: device)),
      token: nil)
  }

  /// Revokes an access token. A token that the server does not know counts as revoked.
  /// - Throws: ``Failure`` if the request fails.
  public func signOut(_ token: String) async throws(Failure) {
    do throws(Failure) {
      try await client.send(Request("DELETE", "v1/tokens/current"), token: token)
    } catch  where error.code == .unauthorized {}
  }

  /// Returns the devices that are signed in to an account, the one with the oldest sign-in first.
  /// - Throws: ``Failure`` if the request fails.
  public func devices(token: String) async throws(Failure) -> [SignedInDevice] {
    let answer: Tokens = try await client.fetch(Request("GET", "v1/tokens"), token: token)
    return answer.tokens
  }

  /// Signs out a device of an account.
  /// - Throws: ``Failure`` with the code `notFound` if the device is signed out already.
  public func endSignIn(of device: SignedInDevice, token: String) async throws(Failure) {
    try await client.send(Request("DELETE", "v1/tokens/\(device.id)"), token: token)
  }

  /// Changes the password of an account, and signs its other devices out.
  /// - Throws: ``Failure``: `wrongPassword` if the old password is wrong, `weakPassword` if the new
  ///   one is too short or too long.
  public func changePassword(
    from old: String, to new: String, token: String
  ) async throws(Failure) {
    try await client.send(
      Request("POST", "v1/password", json: NewPassword(password: old, newPassword: new)),
      token: token)
  }

  /// Deletes an account with everything that belongs to it alone, and signs all of its devices out.
  ///
  /// Its memberships end. If it is the last owner of a scope, the member who may write and became a member
  /// first becomes an owner. Its personal scopes are deleted, and so are the scopes that it owns and no
  /// other member may write, and those without another member. Rows that it wrote in other scopes stay, and so do the rows on its devices.
  /// - Parameters:
  ///   - password: the password of the account.
  ///   - token: the access token of a device of the account. It is not valid any more afterwards.
  /// - Throws: ``Failure`` with the code `wrongPassword`.
  public func deleteAccount(password: String, token: String) async throws(Failure) {
    try await client.send(
      Request("DELETE", "v1/account", json: CurrentPassword(password: password)), token: token)
  }

  // MARK: - Scopes

  /// Returns the members of a scope: the accounts with the role owner, editor or viewer.
  /// - Throws: ``Failure`` with the code `forbidden` if the account is not a member.
  public func members(
    of scope: ScopeID, token: String
  ) async throws(Failure) -> [ScopeMember] {
    let answer: Members = try await client.fetch(
      Request("GET", "\(path(of: scope))/members"), token: token)
    return answer.members
  }

  /// Changes the role of a member.
  /// - Parameters:
  ///   - role: the new role: owner, editor or viewer. A scope can have several owners. To end a
  ///     membership, call ``remove(_:from:token:)``.
  ///   - account: the member, which may be the owner who makes the request.
  ///   - scope: the scope of the membership.
  ///   - token: the access token of an owner.
  /// - Throws: ``Failure``: `forbidden` if the signed-in account does not own the scope or
  ///   `account` is not a member, `lastOwner` if the scope would have no owner left, `malformed`
  ///   for another role.
  public func setRole(
    _ role: Role, of account: UUID, in scope: ScopeID, token: String
  ) async throws(Failure) {
    try await client.send(
      Request("PUT", "\(path(of: scope))/members/\(account)", json: RoleBody(role: role)),
      token: token)
  }

  /// Ends the membership of an account. Each member can leave the scope, and an owner can remove
  /// the other members.
  ///
  /// If `account` is the signed-in account, it leaves the scope, and its devices retain a read-only
  /// copy. If it is the last owner, the member who may write and became a member first becomes an
  /// owner. Otherwise the role of `account` is revoked, and its devices remove the rows of the scope.
  /// An account that is not a member is removed already.
  /// - Throws: ``Failure``: `forbidden` if the signed-in account may not do this, `lastOwner` if the
  ///   other members may only read.
  public func remove(
    _ account: UUID, from scope: ScopeID, token: String
  ) async throws(Failure) {
    try await client.send(
      Request("DELETE", "\(path(of: scope))/members/\(account)"), token: token)
  }

  /// Creates an invitation, whose code makes other accounts members.
  /// - Parameters:
  ///   - scope: the scope of the membership.
  ///   - role: the role of the new member: editor or viewer. To make the member an owner, call
  ///     ``setRole(_:of:in:token:)`` after the invitation was accepted.
  ///   - uses: the number of accounts that can use the code: 1 to 100.
  ///   - label: a note for the owners, by which they tell invitations apart: at most 80 characters.
  ///   - title: the name of the scope, which a preview of the invitation shows: at most 200 characters.
  ///   - lifetime: the time until the invitation expires: a minute to 90 days, by default 7 days.
  ///   - token: the access token of an owner.
  /// - Throws: ``Failure``: `forbidden` if the account does not own the scope, `limitReached` if
  ///   too many invitations are open, `malformed` for another role or number.
  public func invite(
    to scope: ScopeID, as role: Role, uses: Int = 1, label: String? = nil, title: String? = nil,
    lifetime: Duration? = nil, token: String
  ) async throws(Failure) -> ScopeInvitation {
    let terms = Terms(
      role: role, uses: uses, label: label, title: title,
      lifetime: lifetime.map(\.wholeMilliseconds))
    return try await client.fetch(
      Request("POST", "\(path(of: scope))/invitations", json: terms), token: token)
  }

  /// Returns the preview of an invitation by its code, without joining.
  /// - Throws: ``Failure`` with the code `invalidInvitation`.
  public func preview(
    _ code: String, token: String
  ) async throws(Failure) -> InvitationPreview {
    try await client.fetch(
      Request("POST", "v1/invitations/preview", json: Code(code: code)), token: token)
  }

  /// Returns the invitations to a scope that have not been accepted yet.
  /// - Throws: ``Failure`` with the code `forbidden` if the account does not own the scope.
  public func invitations(
    to scope: ScopeID, token: String
  ) async throws(Failure) -> [OpenInvitation] {
    let answer: Invitations = try await client.fetch(
      Request("GET", "\(path(of: scope))/invitations"), token: token)
    return answer.invitations
  }

  /// Withdraws an invitation, so that its code is not valid any more.
  /// - Throws: ``Failure``: `forbidden` if the account does not own the scope, `notFound` if the
  ///   invitation was used or has expired.
  public func withdraw(
    _ invitation: OpenInvitation.ID, to scope: ScopeID, token: String
  ) async throws(Failure) {
    try await client.send(
      Request("DELETE", "\(path(of: scope))/invitations/\(invitation)"), token: token)
  }

  /// Makes the signed-in account a member of a scope by the code of an invitation.
  ///
  /// The next pull fetches the scope. If the account is a member already, with a role that has the
  /// rights of the invitation or more, it retains this role, and another account can still use the
  /// code.
  /// - Returns: the scope.
  /// - Throws: ``Failure`` with the code `invalidInvitation` if the code was used, was withdrawn or
  ///   has expired, or if its author is not an owner of the scope any more; `scopeFull` if the scope has
  ///   as many members, `accountFull` if the account has as many memberships, as the schema allows.
  public func accept(_ code: String, token: String) async throws(Failure) -> ScopeID {
    let grant: GrantedScope = try await client.fetch(
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
    let device: String?
  }

  private struct NewPassword: Encodable {
    let password: String
    let newPassword: String
  }

  private struct CurrentPassword: Encodable { let password: String }
  private struct RoleBody: Encodable { let role: Role }
  private struct Code: Encodable { let code: String }

  private struct Terms: Encodable {
    let role: Role
    let uses: Int
    let label: String?
    let title: String?
    /// In milliseconds.
    let lifetime: Int64?
  }

  private struct Tokens: Decodable { let tokens: [SignedInDevice] }
  private struct Members: Decodable { let members: [ScopeMember] }
  private struct Invitations: Decodable { let invitations: [OpenInvitation] }
  private struct GrantedScope: Decodable { let scope: String }

  private func path(of scope: ScopeID) -> String { "v1/scopes/\(scope.kind)/\(scope.value)" }
}

extension Duration {
  /// The milliseconds, or the nearest number for a duration without one.
  fileprivate var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
    return overflows
      ? (seconds < 0 ? .min : .max) : milliseconds &+ attoseconds / 1_000_000_000_000_000
  }
}
