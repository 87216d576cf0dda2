import OffshoreHTTP

extension Operation {
  private static let credentials = Schema.object(
    [
      "name": Schema.text, "password": Schema.text,
      "account": [
        "type": "string", "format": "uuid", "description": "Whom the data is of so far.",
      ],
      "device": ["type": "string", "description": "What the person calls the device."],
    ], optional: ["account", "device"])

  /// The operations for signing up, in and out.
  static let accounts = [
    Operation(
      method: .post, pattern: "v1/accounts", summary: "Creates an account.",
      body: .json(credentials),
      answers: [
        Answer(201, "The account, and a token for it.", .json(Schema.named("Token"))),
        .problem(403, "Only the server's operator creates accounts."),
        .problem(409, "Another account has the name, or the id."),
        .problem(422, "The name or the password cannot be one."),
      ], isOpen: true),
    Operation(
      method: .post, pattern: "v1/tokens", summary: "Signs an account in.",
      body: .json(credentials),
      answers: [
        Answer(201, "A token.", .json(Schema.named("Token"))),
        .problem(401, "Name and password do not belong together."),
        .problem(422, "There can be no such name."),
      ], isOpen: true),
    Operation(
      method: .delete, pattern: "v1/tokens/current", summary: "Signs out.",
      answers: [Answer(204, "The token is not valid any more.")]),
    Operation(
      method: .post, pattern: "v1/password",
      summary: "Changes the password, and signs all other devices out.",
      body: .json(Schema.object(["password": Schema.text, "newPassword": Schema.text])),
      answers: [
        Answer(204, "It is changed."), .problem(403, "That is not the password."),
        .problem(422, "The password cannot be one."),
      ]),
    Operation(
      method: .get, pattern: "v1/account", summary: "Tells whose the token is.",
      answers: [Answer(200, "The account.", .json(Schema.named("Account")))]),
  ]
}
