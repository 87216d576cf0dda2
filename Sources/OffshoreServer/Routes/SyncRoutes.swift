import OffshoreHTTP
import OffshoreWire

/// The routes of devices.
struct SyncRoutes: Sendable {
  let server: SyncServer

  var routes: [ServerRoute] {
    [
      ServerRoute(
        .post, "v1/push", "Applies the changes of a device.", body: .message,
        bodyLimit: WireLimits.bodyBytes,
        answers: [.answer(200, "What became of each batch.", .message), Self.tooOld],
        errors: .message, handler: push),
      ServerRoute(
        .post, "v1/pull", "Returns the changes that a device lacks.", body: .message,
        bodyLimit: WireLimits.bodyBytes,
        answers: [.answer(200, "A page of each scope.", .message), Self.tooOld],
        errors: .message, handler: pull),
      ServerRoute(
        .get, "v1/events", "Tells which scopes have changed, as server-sent events.",
        answers: [.answer(200, "Hints, until the client goes.", .events)],
        errors: .message, handler: listen),
    ]
  }

  private static let tooOld = ServerRoute.Answer.answer(
    426, "The device's protocol or manifest is too old.", .message)

  // MARK: - Handlers

  private func push(_ request: Request, _ caller: Caller) async throws -> Response {
    let account = caller.account
    try request.reserve(Self.decodedSize * request.body.count)
    let verified = try server.push.verified(try Self.message(PushRequest.self, request))
    let now = server.clock()
    let scopes = Set(verified.request.batches.flatMap(\.scopes)).sorted()
    let (answer, ahead) = try await server.write(to: scopes) {
      [rules = server.push] transaction in
      let answer = try rules.apply(verified, of: account, at: now, to: &transaction)
      return (
        answer, try rules.scopesAhead(verified.request, answer, of: account, from: transaction)
      )
    }
    server.metrics.countPush(verified.request, answer)
    report(ahead, request, at: now)
    return .message(answer)
  }

  private func pull(_ request: Request, _ caller: Caller) async throws -> Response {
    let message = try Self.message(PullRequest.self, request)
    let now = server.clock()
    let (answer, ahead) = try await server.storage.read { [rules = server.pull] in
      let answer = try rules.answer(message, of: caller.account, at: now, from: $0)
      return (answer, try rules.scopesAhead(message, answer, from: $0))
    }
    server.metrics.countPull(answer)
    report(ahead, request, at: now)
    let response = Response.message(answer)
    try request.reserve(response.byteCount)
    return response
  }

  /// Counts and logs the scopes in which a device has seen changes that the data lacks.
  private func report(_ scopes: [ScopeID], _ request: Request, at now: Int64) {
    guard let scope = scopes.first, server.metrics.countDevicesAhead(scopes.count, at: now) else {
      return
    }
    RequestLog(server).writeDeviceAhead(scope, of: request)
  }

  /// About how many times the bytes of its body a decoded push has in memory, with the body.
  private static let decodedSize = 3

  private func listen(_ request: Request, _ caller: Caller) async throws -> Response {
    let lifetime = min(max(caller.expires - server.clock(), 0), Self.longestStream)
    let channel = server.hub.listen(
      caller.account, with: caller.token, lifetime: .milliseconds(lifetime))
    server.tokenWatch.start()
    if let grants = try? await grants(of: caller) {
      server.hub.setGrants(grants, of: caller.account)
    } else {
      channel.close()
    }
    return .events(channel)
  }

  /// The longest lifetime of a stream, in milliseconds: a day.
  private static let longestStream: Int64 = 86_400_000

  /// Returns the account's grants, or `nil` if the token is not valid any more.
  private func grants(of caller: Caller) async throws -> [Grant]? {
    try await server.storage.read { transaction in
      guard try transaction.token(caller.token) != nil else { return nil }
      return try transaction.grants(of: caller.account, after: 0)
    }
  }

  private static func message<Message: WireMessage>(
    _: Message.Type, _ request: Request
  ) throws -> Message {
    do throws(WireError) {
      return try Message(body: request.body)
    } catch {
      throw WireProblem(error)
    }
  }
}

extension Response {
  /// Creates a response with a message as its body.
  static func message(
    _ message: some WireMessage, status: Status = .ok
  ) -> Response {
    Response(
      status, headers: ["Content-Type": WireProtocol.contentType, "Cache-Control": "no-store"],
      body: .bytes(message.body))
  }
}

extension Batch {
  /// The scopes that the batch may change.
  fileprivate var scopes: Set<ScopeID> {
    ops.reduce(into: [scope]) { scopes, op in
      if case .move(let other) = op.kind { scopes.insert(other) }
    }
  }
}
