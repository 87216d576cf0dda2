import OffshoreHTTP
import OffshoreWire

/// The routes for invitations to scopes.
struct InvitationRoutes: Sendable {
  let server: SyncServer

  var routes: [ServerRoute] {
    let invitations = "v1/scopes/:kind/:value/invitations"
    let roleBody = ServerRoute.Content.json(JSONSchema.object(["role": JSONSchema.role]))
    return [
      ServerRoute(
        .post, invitations, "Makes a code by which one account can become a member.",
        parameters: ServerRoute.Parameter.scope, body: roleBody, bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(
            201, "The code.",
            .json(JSONSchema.object(Self.members.merging(["code": JSONSchema.text]) { $1 }))),
          .forbiddenInScope, .problem(409, "As many invitations as may be are open."),
        ], handler: invite),
      ServerRoute(
        .get, invitations, "Tells which invitations are open.",
        parameters: ServerRoute.Parameter.scope,
        answers: [
          .answer(
            200, "The invitations, without their codes.",
            .json(
              JSONSchema.object([
                "invitations": JSONSchema.list(JSONSchema.object(Self.members))
              ]))),
          .forbiddenInScope,
        ], handler: list),
      ServerRoute(
        .delete, "\(invitations)/:id", "Withdraws an invitation.",
        parameters: ServerRoute.Parameter.scope + [.path("id", "What names the invitation.")],
        answers: [
          .answer(204, "Its code is invalid now."), .forbiddenInScope,
          .problem(404, "No such invitation is open."),
        ], handler: withdraw),
      ServerRoute(
        .post, "v1/invitations", "Becomes a member by a code.",
        body: .json(JSONSchema.object(["code": JSONSchema.text])), bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(
            200, "Where the account is a member now.",
            .json(JSONSchema.object(["scope": JSONSchema.text, "role": JSONSchema.role]))),
          .problem(404, "The code was used, has expired, or never was."),
        ], handler: accept),
    ]
  }

  /// The members of an invitation's JSON.
  private static let members = [
    "id": JSONSchema.text, "role": JSONSchema.role, "expires": JSONSchema.milliseconds,
  ]

  // MARK: - Bodies

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

  private struct InvitationsBody: Encodable { let invitations: [InvitationBody] }

  private struct CodeBody: Decodable { let code: String }

  private struct GrantBody: Encodable {
    let scope: String
    let role: String
  }

  /// An invitation's identifier in a path: the 64 hexadecimal digits of its hash.
  private struct InvitationID: PathParameter {
    let hash: ContentHash

    init?(pathParameter text: String) {
      guard let hash = ContentHash(hexadecimal: text) else { return nil }
      self.hash = hash
    }
  }

  // MARK: - Handlers

  private func invite(_ request: Request, _ caller: Caller) async throws -> Response {
    let scope = try request.scope()
    let role = try request.json(RoleBody.self).granted()
    let (code, now) = (server.makeSecret(), server.clock())
    let invitation = try await server.storage.write { [rules = server.members] transaction in
      try rules.invite(
        by: code, to: scope, as: role, inviter: caller.account, at: now, in: &transaction)
    }
    return try .private(InvitationBody(invitation, code: code), status: .created)
  }

  private func list(_ request: Request, _ caller: Caller) async throws -> Response {
    let (scope, now) = (try request.scope(), server.clock())
    let open = try await server.storage.read { [rules = server.members] in
      try rules.invitations(to: scope, for: caller.account, at: now, from: $0)
    }
    return try .private(InvitationsBody(invitations: open.map { InvitationBody($0) }))
  }

  private func withdraw(_ request: Request, _ caller: Caller) async throws -> Response {
    let scope = try request.scope()
    let hash = try request.parameter("id", as: InvitationID.self).hash
    try await server.storage.write { [rules = server.members] transaction in
      try rules.withdraw(hash, to: scope, by: caller.account, in: &transaction)
    }
    return .noContent
  }

  /// NB: The code is in the body, because addresses are written to logs.
  private func accept(_ request: Request, _ caller: Caller) async throws -> Response {
    let now = server.clock()
    try server.limits.countRequest(from: request.network, at: now)
    guard let code = Secret(try request.json(CodeBody.self).code) else {
      throw AccountError(.invalidInvitation, "This is not an invitation. Copy the whole code.")
    }
    let grant = try await server.storage.write { [rules = server.members] transaction in
      try rules.accept(code, by: caller.account, at: now, in: &transaction)
    }
    server.hub.announce(grant, of: caller.account)
    return try .private(GrantBody(scope: grant.scope.text, role: grant.role.name))
  }
}
