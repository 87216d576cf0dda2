import Foundation
import OffshoreHTTP
import OffshoreWire

/// The routes for the access tokens of an account: its signed-in devices.
struct TokenRoutes: Sendable {
  let server: SyncServer

  var routes: [ServerRoute] {
    [
      ServerRoute(
        .get, "v1/tokens", "Lists the valid tokens of the account, the oldest first.",
        answers: [
          .answer(
            200, "The tokens, without their secrets.",
            .json(JSONSchema.object(["tokens": JSONSchema.list(Self.token)])))
        ], handler: list),
      ServerRoute(
        .delete, "v1/tokens/:id", "Ends a token of the account, and so signs a device out.",
        parameters: [.path("id", "The id of the token, as in the list.")],
        answers: [
          .answer(204, "It is not valid any more."),
          .problem(404, "The account has no such token."),
        ], handler: end),
    ]
  }

  private static let token = JSONSchema.object([
    "id": JSONSchema.text, "device": JSONSchema.text, "created": JSONSchema.milliseconds,
    "expires": JSONSchema.milliseconds, "isCurrent": ["type": "boolean"],
  ])

  // MARK: - Bodies

  private struct TokenBody: Encodable {
    /// The identifier of the token, which is not its secret.
    let id: String
    let device: String
    let created: Int64
    let expires: Int64
    /// Whether the request was made with the token.
    let isCurrent: Bool

    init(_ token: AccessToken, isCurrent: Bool) {
      id = token.hash.description
      device = token.label
      (created, expires, self.isCurrent) = (token.created, token.expires, isCurrent)
    }
  }

  private struct TokensBody: Encodable { let tokens: [TokenBody] }

  // MARK: - Handlers

  private func list(_ request: Request, _ caller: Caller) async throws -> Response {
    let now = server.clock()
    let tokens = try await server.storage.read { try $0.tokens(of: caller.account) }
    return try .private(
      TokensBody(
        tokens: tokens.filter { now < $0.expires }
          .map { TokenBody($0, isCurrent: $0.hash == caller.token) }))
  }

  private func end(_ request: Request, _ caller: Caller) async throws -> Response {
    let hash = try request.parameter("id", as: SecretID.self).hash
    try await server.storage.write { transaction in
      guard try transaction.token(hash)?.account == caller.account else {
        throw AccountError(.notFound, "This device is signed out already.")
      }
      try transaction.removeToken(hash)
    }
    server.hub.closeStreams(of: caller.account)
    return .noContent
  }
}
