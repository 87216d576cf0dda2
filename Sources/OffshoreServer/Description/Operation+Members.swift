import OffshoreHTTP

extension Operation {
  private static let scope: [Parameter] = [
    .path("kind", "The kind of the scope."), .path("value", "Which scope of the kind it is."),
  ]

  private static let forbidden = Answer.problem(
    403, "The account may not do this here, or there is no such scope.")

  private static let invitation = [
    "id": Schema.text, "role": Schema.role, "expires": Schema.milliseconds,
  ]

  /// The operations on members and invitations.
  static let members = [
    Operation(
      method: .get, pattern: "v1/scopes/:kind/:value/members", summary: "Tells who is a member.",
      parameters: scope,
      answers: [
        Answer(
          200, "The members, by name.",
          .json(Schema.object(["members": Schema.list(Schema.named("Member"))]))),
        forbidden,
      ]),
    Operation(
      method: .put, pattern: "v1/scopes/:kind/:value/members/:account",
      summary: "Gives a member another role.",
      parameters: scope + [.path("account", "The member.")],
      body: .json(Schema.object(["role": Schema.role])),
      answers: [
        Answer(200, "The role.", .json(Schema.object(["role": Schema.role]))), forbidden,
        .problem(404, "The account is no UUID."),
        .problem(409, "No member could invite others then."),
      ]),
    Operation(
      method: .delete, pattern: "v1/scopes/:kind/:value/members/:account",
      summary: "Ends a membership: one's own by leaving, another's by revoking it.",
      parameters: scope + [.path("account", "The member.")],
      answers: [
        Answer(204, "It has ended."), forbidden, .problem(404, "The account is no UUID."),
        .problem(409, "No member could invite others then."),
      ]),
    Operation(
      method: .post, pattern: "v1/scopes/:kind/:value/invitations",
      summary: "Makes a code by which one account can become a member.", parameters: scope,
      body: .json(Schema.object(["role": Schema.role])),
      answers: [
        Answer(
          201, "The code.",
          .json(
            Schema.object(invitation.merging(["code": Schema.text]) { $1 }))),
        forbidden, .problem(409, "As many invitations as may be are open."),
      ]),
    Operation(
      method: .get, pattern: "v1/scopes/:kind/:value/invitations",
      summary: "Tells which invitations are open.", parameters: scope,
      answers: [
        Answer(
          200, "The invitations, without their codes.",
          .json(Schema.object(["invitations": Schema.list(Schema.object(invitation))]))),
        forbidden,
      ]),
    Operation(
      method: .delete, pattern: "v1/scopes/:kind/:value/invitations/:id",
      summary: "Withdraws an invitation.",
      parameters: scope + [.path("id", "What names the invitation.")],
      answers: [
        Answer(204, "Its code is invalid now."), forbidden,
        .problem(404, "No such invitation is open."),
      ]),
    Operation(
      method: .post, pattern: "v1/invitations", summary: "Becomes a member by a code.",
      body: .json(Schema.object(["code": Schema.text])),
      answers: [
        Answer(
          200, "Where the account is a member now.",
          .json(Schema.object(["scope": Schema.text, "role": Schema.role]))),
        .problem(404, "The code was used, has expired, or never was."),
      ]),
  ]
}
