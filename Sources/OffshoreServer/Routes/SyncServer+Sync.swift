import OffshoreHTTP
import OffshoreWire

/// Routes for devices.
extension SyncServer {
  func addSync(to router: inout Router) {
    router.post("v1/push", bodyLimit: WireLimits.bodyBytes) { try await push($0) }
    router.post("v1/pull", bodyLimit: WireLimits.bodyBytes) { try await pull($0) }
    router.get("v1/events") { try await listen($0) }
  }

  private func push(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let verified = try push.verified(try Self.message(PushRequest.self, request))
    let now = clock()
    let scopes = Set(verified.request.batches.flatMap(\.scopes)).sorted()
    let (answer, before, after) = try await log.write { [push] transaction in
      let before = try Standing(of: account, in: scopes, transaction)
      let answer = try push.apply(verified, of: account, at: now, to: &transaction)
      return (answer, before, try Standing(of: account, in: scopes, transaction))
    }
    metrics.countPush(verified.request, answer)
    hub.send(after.hints(since: before))
    for grant in after.newGrants(since: before) { hub.apply(grant, of: account) }
    return .message(answer)
  }

  private func pull(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let message = try Self.message(PullRequest.self, request)
    let now = clock()
    let answer = try await log.read { [pull] in
      try pull.answer(message, of: account, at: now, from: $0)
    }
    metrics.countPull(answer)
    return .message(answer)
  }

  private func listen(_ request: Request) async throws -> Response {
    let bearer = try await authenticate(request)
    let grants = try await grants(of: bearer) ?? []
    let lifetime = min(max(bearer.expires - clock(), 0), Self.longestStream)
    let channel = hub.listen(
      bearer.account, to: grants.filter(\.role.canRead).map(\.scope),
      lifetime: .milliseconds(lifetime))
    // Changes between the first read of the grants and the opening of the stream have not reached
    // it.
    guard let latest = try? await self.grants(of: bearer) else {
      channel.close()
      return .events(channel)
    }
    for grant in latest where grant.seq > grants.last?.seq ?? 0 {
      hub.apply(grant, of: bearer.account)
    }
    return .events(channel)
  }

  /// The longest lifetime of a stream, in milliseconds: a day.
  private static var longestStream: Int64 { 86_400_000 }

  /// Returns the account's grants, or `nil` if the token is not valid any more.
  private func grants(of bearer: Bearer) async throws -> [Grant]? {
    try await log.read { log in
      guard try log.token(bearer.token) != nil else { return nil }
      return try log.grants(of: bearer.account, after: 0)
    }
  }

  // MARK: - Messages

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
  var scopes: Set<ScopeID> {
    ops.reduce(into: [scope]) { scopes, op in
      if case .move(let other) = op.kind { scopes.insert(other) }
    }
  }
}
