import OffshoreHTTP
import OffshoreWire

/// The routes for invitations to scopes.
struct InvitationRoutes: Sendable {
  let server: SyncServer

  var routes: [ServerRoute] {
    let invitations = "v1/scopes/:kind/:value/invitations"
    let terms = ServerRoute.Content.json(
      JSONSchema.object(
        [
          "role": JSONSchema.role, "uses": JSONSchema.count, "label": JSONSchema.text,
          "title": JSONSchema.text, "lifetime": JSONSchema.count,
        ], optional: ["uses", "label", "title", "lifetime"]))
    return [
      ServerRoute(
        .post, invitations,
        "Creates an invitation, by whose code up to `uses` accounts can become members.",
        parameters: ServerRoute.Parameter.scope, body: terms, bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(
            201, "The code.",
            .json(
              JSONSchema.object(
                Self.members.merging(["code": JSONSchema.text]) { $1 }, optional: ["label"]))),
          .forbiddenInScope,
          .problem(409, "The scope has as many open invitations as are allowed."),
        ], handler: invite),
      ServerRoute(
        .get, invitations, "Returns the open invitations.",
        parameters: ServerRoute.Parameter.scope,
        answers: [
          .answer(
            200, "The invitations, without their codes.",
            .json(
              JSONSchema.object([
                "invitations": JSONSchema.list(
                  JSONSchema.object(Self.members, optional: ["label"]))
              ]))),
          .forbiddenInScope,
        ], handler: list),
      ServerRoute(
        .delete, "\(invitations)/:id", "Withdraws an invitation.",
        parameters: ServerRoute.Parameter.scope + [.path("id", "The id of the invitation.")],
        answers: [
          .answer(204, "The code is not valid any more."), .forbiddenInScope,
          .problem(404, "There is no open invitation with this id."),
        ], handler: withdraw),
      ServerRoute(
        .post, "v1/invitations", "Makes the account a member by the code of an invitation.",
        body: .json(JSONSchema.object(["code": JSONSchema.text])), bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(
            200, "The scope, and the role of the account in it.",
            .json(JSONSchema.object(["scope": JSONSchema.text, "role": JSONSchema.role]))),
          .problem(404, "The code was used or withdrawn, has expired, or is unknown."), Self.isFull,
        ], handler: accept),
      ServerRoute(
        .post, "v1/invitations/preview", "Describes the invitation of a code, without joining.",
        body: .json(JSONSchema.object(["code": JSONSchema.text])), bodyLimit: ServerRoute.formLimit,
        answers: [
          .answer(
            200, "The scope, the owner who invites, and the number of members.",
            .json(
              JSONSchema.object(
                [
                  "scope": JSONSchema.text, "role": JSONSchema.role, "title": JSONSchema.text,
                  "inviter": JSONSchema.text, "members": JSONSchema.count,
                  "expires": JSONSchema.milliseconds,
                ], optional: ["title", "inviter"]))),
          .problem(404, "The code was used or withdrawn, has expired, or is unknown."),
        ], handler: preview),
    ]
  }

  private static let isFull = ServerRoute.Answer.problem(
    409, "The scope has as many members, or the account as many memberships, as are allowed.")

  /// The members of an invitation's JSON.
  private static let members = [
    "id": JSONSchema.text, "role": JSONSchema.role, "expires": JSONSchema.milliseconds,
    "uses": JSONSchema.count, "label": JSONSchema.text,
  ]

  // MARK: - Bodies

  private struct InvitationBody: Encodable {
    /// The identifier of the invitation for owners, which is not its code.
    let id: String
    let code: String?
    let role: String
    let expires: Int64
    /// The number of accounts that can still use the code.
    let uses: Int
    let label: String?

    init(_ invitation: Invitation, code: Secret? = nil) {
      id = invitation.hash.description
      self.code = code?.text
      role = invitation.role.name
      expires = invitation.expires
      (uses, label) = (invitation.uses, invitation.label)
    }
  }

  private struct InvitationsBody: Encodable { let invitations: [InvitationBody] }

  private struct CodeBody: Decodable { let code: String }

  private struct TermsBody: Decodable {
    let role: String
    let uses: Int?
    let label: String?
    let title: String?
    let lifetime: Int64?

    /// Returns the terms.
    /// - Throws: ``AccountError`` with the code `malformed` if the role is not one that a member can have.
    func terms() throws -> InvitationTerms {
      InvitationTerms(
        role: try RoleBody(role: role).granted(), uses: uses ?? 1, label: label, title: title,
        lifetime: lifetime)
    }
  }

  private struct PreviewBody: Encodable {
    let scope: String
    let role: String
    let title: String?
    let inviter: String?
    let members: Int
    let expires: Int64
  }

  private struct GrantBody: Encodable {
    let scope: String
    let role: String
  }

  // MARK: - Handlers

  private func invite(_ request: Request, _ caller: Caller) async throws -> Response {
    let scope = try request.scope()
    let terms = try request.json(TermsBody.self).terms()
    let (code, now) = (server.makeSecret(), server.clock())
    let invitation = try await server.storage.write { [rules = server.members] transaction in
      try rules.invite(
        by: code, to: scope, terms, inviter: caller.account, at: now, in: &transaction)
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
    let hash = try request.parameter("id", as: SecretID.self).hash
    try await server.storage.write { [rules = server.members] transaction in
      try rules.withdraw(hash, to: scope, by: caller.account, in: &transaction)
    }
    return .noContent
  }

  /// NB: The code is in the body, because addresses are written to logs.
  private func accept(_ request: Request, _ caller: Caller) async throws -> Response {
    let now = server.clock()
    let code = try code(request, caller, at: now)
    let grant = try await server.write { [rules = server.members] transaction in
      try rules.accept(code, by: caller.account, at: now, in: &transaction)
    }
    return try .private(GrantBody(scope: grant.scope.text, role: grant.role.name))
  }

  private func preview(_ request: Request, _ caller: Caller) async throws -> Response {
    let now = server.clock()
    let code = try code(request, caller, at: now)
    let preview = try await server.storage.read { [rules = server.members] in
      try rules.preview(code, at: now, from: $0)
    }
    let invitation = preview.invitation
    return try .private(
      PreviewBody(
        scope: invitation.scope.text, role: invitation.role.name, title: invitation.title,
        inviter: preview.inviter?.text, members: preview.members, expires: invitation.expires))
  }

  /// Returns the code of a request, which counts against the limit of attempts.
  private func code(_ request: Request, _ caller: Caller, at now: Int64) throws -> Secret {
    try server.limits.codes.count(caller.account.description, at: now)
    guard let code = Secret(try request.json(CodeBody.self).code) else {
      throw AccountError(.invalidInvitation, "This is not an invitation. Copy the whole code.")
    }
    return code
  }
}
