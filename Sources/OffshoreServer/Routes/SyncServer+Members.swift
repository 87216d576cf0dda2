import Foundation
import OffshoreHTTP
import OffshoreWire

/// Routes for members and invitations.
extension SyncServer {
  func addMembers(to router: inout Router) {
    let scope = "v1/scopes/:kind/:value"
    router.get("\(scope)/members") { try await members($0) }
    router.on(.put, "\(scope)/members/:account", bodyLimit: Self.formLimit) {
      try await setRole($0)
    }
    router.on(.delete, "\(scope)/members/:account") { try await removeMember($0) }
    router.post("\(scope)/invitations", bodyLimit: Self.formLimit) { try await invite($0) }
    router.get("\(scope)/invitations") { try await invitations($0) }
    router.on(.delete, "\(scope)/invitations/:id") { try await withdraw($0) }
    router.post("v1/invitations", bodyLimit: Self.formLimit) { try await accept($0) }
  }

  private struct RoleBody: Codable { let role: String }

  private struct MemberBody: Encodable {
    let account: UUID
    let name: String
    let role: String
    /// The devices with which the member has changed the scope, to name the authors of conflicting
    /// values.
    let devices: [UUID]
  }

  private struct MembersBody: Encodable { let members: [MemberBody] }

  private struct InvitationBody: Encodable {
    /// The identifier of the invitation for owners, which is not its code.
    let id: String
    let code: String?
    let role: String
    let expires: Int64

    init(_ invitation: Invitation, code: Secret? = nil) {
      id = invitation.hash.description
      self.code = code?.text
      role = invitation.role.name
      expires = invitation.expires
    }
  }

  private struct CodeBody: Decodable { let code: String }

  private struct GrantBody: Encodable {
    let scope: String
    let role: String
  }

  // MARK: - Members

  private func members(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let scope = try Self.scope(request)
    let (members, devices) = try await log.read { [accounts] in
      (try accounts.members(of: scope, for: account, from: $0), try $0.devices(in: scope))
    }
    return try .private(
      MembersBody(
        members: members.map { member in
          MemberBody(
            account: member.account.uuid, name: member.name.text, role: member.role.name,
            devices: devices.filter { $0.value == member.account }.keys.sorted().map(\.uuid))
        }))
  }

  private func setRole(_ request: Request) async throws -> Response {
    let owner = try await authenticate(request).account
    let (scope, member) = (try Self.scope(request), try Self.member(request))
    let role = try Self.role(try Self.decoded(RoleBody.self, request).role)
    guard role.canRead else {
      throw AccountError(.malformed, "A member is an owner, an editor or a viewer.")
    }
    let grant = try await log.write { [accounts] transaction in
      try accounts.setRole(role, of: member, in: scope, by: owner, log: &transaction)
    }
    apply(grant, of: member)
    return try .private(RoleBody(role: grant.role.name))
  }

  /// Ends a membership: that of the account itself by leaving, another one by revoking it.
  private func removeMember(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let (scope, member) = (try Self.scope(request), try Self.member(request))
    let grant = try await log.write { [accounts] transaction in
      member == account
        ? try accounts.leave(scope, by: account, in: &transaction)
        : try accounts.setRole(.revoked, of: member, in: scope, by: account, log: &transaction)
    }
    apply(grant, of: member)
    return .noContent
  }

  /// Sends a hint about a changed grant to its account, and about the changed members to the
  /// others.
  private func apply(_ grant: Grant, of account: AccountID) {
    hub.apply(grant, of: account)
    hub.announceMembers(of: grant.scope, besides: account)
  }

  // MARK: - Invitations

  private func invite(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let scope = try Self.scope(request)
    let role = try Self.role(try Self.decoded(RoleBody.self, request).role)
    let (code, now) = (makeSecret(), clock())
    let invitation = try await log.write { [accounts] transaction in
      try accounts.invite(
        by: code, to: scope, as: role, inviter: account, at: now, in: &transaction)
    }
    return try .private(
      InvitationBody(invitation, code: code), status: .created)
  }

  private struct InvitationsBody: Encodable { let invitations: [InvitationBody] }

  private func invitations(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let (scope, now) = (try Self.scope(request), clock())
    let open = try await log.read { [accounts] in
      try accounts.invitations(to: scope, for: account, at: now, from: $0)
    }
    return try .private(InvitationsBody(invitations: open.map { InvitationBody($0) }))
  }

  private func withdraw(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let scope = try Self.scope(request)
    let hash = try request.parameter("id", as: InvitationID.self).hash
    try await log.write { [accounts] transaction in
      try accounts.withdraw(hash, to: scope, by: account, in: &transaction)
    }
    return .noContent
  }

  /// NB: The code is in the body, because addresses are written to logs.
  private func accept(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let now = clock()
    try limit(limits.addresses, network(of: request), at: now)
    guard let code = Secret(try Self.decoded(CodeBody.self, request).code) else {
      throw AccountError(.invalidInvitation, "This is not an invitation. Copy the whole code.")
    }
    let grant = try await log.write { [accounts] transaction in
      try accounts.accept(code, by: account, at: now, in: &transaction)
    }
    apply(grant, of: account)
    return try .private(GrantBody(scope: grant.scope.text, role: grant.role.name))
  }

  // MARK: - Parameters

  private static func scope(_ request: Request) throws -> ScopeID {
    let (kind, value): (String, String) = (
      try request.parameter("kind"), try request.parameter("value")
    )
    do throws(WireError) {
      return try ScopeID(kind: kind, value: value)
    } catch {
      throw AccountError(.malformed, error.message)
    }
  }

  private static func member(_ request: Request) throws -> AccountID {
    AccountID(try request.parameter("account", as: UUID.self))
  }

  private static func role(_ name: String) throws -> Role {
    guard let role = Role(name: name), Role.granted.contains(role) else {
      throw AccountError(.malformed, "A role is “owner”, “editor” or “viewer”.")
    }
    return role
  }
}

/// An invitation's identifier in a path: the 64 hexadecimal digits of its hash.
private struct InvitationID: PathParameter {
  let hash: ContentHash

  init?(pathParameter text: String) {
    guard let hash = ContentHash(hexadecimal: text) else { return nil }
    self.hash = hash
  }
}
