import Foundation
import OffshoreHTTP
import OffshoreWire

/// The routes for the members of scopes.
struct MemberRoutes: Sendable {
  let server: SyncServer

  var routes: [ServerRoute] {
    let members = "v1/scopes/:kind/:value/members"
    let member = ServerRoute.Parameter.path("account", "The member.")
    return [
      ServerRoute(
        .get, members, "Returns the members of a scope.", parameters: ServerRoute.Parameter.scope,
        answers: [
          .answer(
            200, "The members, in the order of their names.",
            .json(
              JSONSchema.object(["members": JSONSchema.list(JSONSchema.named("Member"))]))),
          .forbiddenInScope,
        ], handler: list),
      ServerRoute(
        .put, "\(members)/:account", "Gives a member another role.",
        parameters: ServerRoute.Parameter.scope + [member],
        body: .json(JSONSchema.object(["role": JSONSchema.role])), bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(200, "The role.", .json(JSONSchema.object(["role": JSONSchema.role]))),
          .forbiddenInScope, Self.noAccount, Self.lastOwner,
        ], handler: setRole),
      ServerRoute(
        .delete, "\(members)/:account",
        """
        Ends a membership, if there is one: one's own by leaving, another's by revoking it. If the last owner leaves, \
        the member who may write and became a member first becomes an owner.
        """,
        parameters: ServerRoute.Parameter.scope + [member],
        answers: [
          .answer(204, "The membership has ended."), .forbiddenInScope, Self.noAccount,
          Self.lastOwner,
        ], handler: remove),
    ]
  }

  private static let noAccount = ServerRoute.Answer.problem(
    404, "The id of the account is not a UUID.")
  private static let lastOwner = ServerRoute.Answer.problem(
    409, "The scope would have no owner.")

  // MARK: - Bodies

  private struct MemberBody: Encodable {
    let account: UUID
    let name: String
    let role: String
    /// The devices with which the member has changed the scope, to name the authors of conflicting
    /// values.
    let devices: [UUID]
  }

  private struct MembersBody: Encodable { let members: [MemberBody] }

  // MARK: - Handlers

  private func list(_ request: Request, _ caller: Caller) async throws -> Response {
    let scope = try request.scope()
    let (members, devices) = try await server.storage.read { [rules = server.members] in
      (try rules.members(of: scope, for: caller.account, from: $0), try $0.devices(in: scope))
    }
    return try .private(
      MembersBody(
        members: members.map { member in
          MemberBody(
            account: member.account.uuid, name: member.name.text, role: member.role.name,
            devices: devices.filter { $0.value == member.account }.keys.sorted().map(\.uuid))
        }))
  }

  private func setRole(_ request: Request, _ caller: Caller) async throws -> Response {
    let (scope, member) = (try request.scope(), try Self.member(request))
    let (role, now) = (try request.json(RoleBody.self).granted(), server.clock())
    let grant = try await server.write { [rules = server.members] transaction in
      try rules.setRole(
        role, of: member, in: scope, by: caller.account, at: now, on: &transaction)
    }
    return try .private(RoleBody(role: grant.role.name))
  }

  /// Ends a membership: that of the account itself by leaving, another one by revoking it.
  private func remove(_ request: Request, _ caller: Caller) async throws -> Response {
    let (account, now) = (caller.account, server.clock())
    let (scope, member) = (try request.scope(), try Self.member(request))
    let command = MemberCommand(member == account ? .left : .revoked, of: member.uuid)
    try await server.write { [rules = server.members] transaction in
      try rules.perform(command, by: account, in: scope, at: now, on: &transaction)
    }
    return .noContent
  }

  private static func member(_ request: Request) throws -> AccountID {
    AccountID(try request.parameter("account", as: UUID.self))
  }
}

/// The JSON with a role.
struct RoleBody: Codable {
  let role: String

  /// Returns the role.
  /// - Throws: ``AccountError`` with the code `malformed` if it is not one that a member can have.
  func granted() throws -> Role {
    guard let role = Role(name: role), Role.granted.contains(role) else {
      throw AccountError(.malformed, "A role is “owner”, “editor” or “viewer”.")
    }
    return role
  }
}

extension Request {
  /// Returns the scope of the path.
  /// - Throws: ``AccountError`` with the code `malformed`.
  func scope() throws -> ScopeID {
    let (kind, value): (String, String) = (try parameter("kind"), try parameter("value"))
    do throws(WireError) {
      return try ScopeID(kind: kind, value: value)
    } catch {
      throw AccountError(.malformed, error.message)
    }
  }
}

extension ServerRoute.Parameter {
  /// The parameters of a scope in the path.
  static let scope: [ServerRoute.Parameter] = [
    .path("kind", "The kind of the scope."), .path("value", "Which scope of the kind it is."),
  ]
}

extension ServerRoute.Answer {
  static let forbiddenInScope = problem(
    403, "The account may not do this here, or there is no such scope.")
}
