import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The requests and responses of devices over HTTP.
struct SyncRouteTests {
  private let service: TestService

  init() throws { service = try TestService() }

  @Test
  func `A device claims a scope by its first push, and the account's other devices receive it`()
    async throws
  {
    let ida = try await service.signUp("ida")
    let outcome = try await service.push(
      1, device: 1, token: ida.token, [.list(at: 900), .task("a", at: 901)])
    #expect(outcome?.range?.count == 2)
    #expect(try await service.tasks(device: 2, token: ida.token) == ["a"])
    let grants = try await service.pull([], device: 2, token: ida.token).grants
    #expect(grants.map(\.scope.text) == ["person/\(ida.id)", "list/1"])
    #expect(grants.map(\.role) == [.owner, .owner])
  }

  @Test func `A request that is sent again takes effect once and gets the same answer`()
    async throws
  {
    let ida = try await service.signUp("ida")
    let ops = [Op.list(at: 900), .task("a", at: 901)]
    let first = try await service.push(1, device: 1, token: ida.token, ops)
    #expect(try await service.push(1, device: 1, token: ida.token, ops) == first)
    #expect(
      try await service.pull(["1"], device: 1, token: ida.token).scopes.first?.content.page?.head
        == 3, "Two rows, and that of the member")
  }

  @Test func `A scope with an owner cannot be claimed, read or written by another account`()
    async throws
  {
    let (ida, eve) = (try await service.signUp("ida"), try await service.signUp("eve"))
    _ = try await service.push(1, device: 1, token: ida.token, [.list(at: 900)])
    let outcome = try await service.push(
      1, device: 9, token: eve.token, [.task("x", at: 901, by: 9)])
    #expect(outcome?.rejection == .forbidden)
    #expect(try await service.tasks(device: 9, token: eve.token) == nil)
    #expect(try await service.tasks(device: 1, token: ida.token) == [])
    // A scope whose last member has left cannot be claimed.
    let scope = try Lists.scope("1")
    try await service.log.write { _ = try $0.grant(.left, to: AccountID(ida.id), in: scope) }
    #expect(
      try await service.push(2, device: 9, token: eve.token, [.task("x", at: 902, by: 9)])?
        .rejection == .forbidden)
  }

  @Test func `A refused push claims no scope, and nothing of it is stored`() async throws {
    let ida = try await service.signUp("ida")
    let late = try await service.push(7, device: 1, token: ida.token, [.list(at: 900)])
    #expect(late == .gap(expected: 1))
    let refused = try await service.push(1, device: 1, token: ida.token, [.task("a", at: 901)])
    #expect(refused?.rejection != nil)
    let scope = try Lists.scope("1")
    #expect(try await !service.log.read { try $0.hasGrants(in: scope) })
    let (state, result) = try await service.log.read { log in
      (try log.device(.sample(1), in: scope), try log.result(of: 1, by: .sample(1), in: scope))
    }
    #expect(state == StoredDevice() && result == nil)
    let next = try await service.push(2, device: 1, token: ida.token, [.list(at: 902)])
    #expect(next == .gap(expected: 1))
    #expect(try await service.push(1, device: 1, token: ida.token, [.list(at: 902)])?.range != nil)
    #expect(try await service.log.read { try $0.hasGrants(in: scope) })
  }

  @Test func `Another account's personal scope cannot be claimed`() async throws {
    let eve = try await service.signUp("eve")
    let batch = Batch(
      try ScopeID("person/\(UUID())"), number: 1, id: .sample(1), ops: [.list(at: 900)])
    let request = PushRequest(
      device: .sample(1), epoch: 0, manifestVersion: 1, batches: [batch])
    let response = await service.send(.post, "/v1/push", token: eve.token, body: request.body)
    let outcome = try PushResponse(body: response.bytes).results.first?.outcome
    #expect(outcome?.rejection != nil)
    let isClaimed = try await service.log.read { try $0.hasGrants(in: batch.scope) }
    #expect(!isClaimed)
  }

  @Test(arguments: ["/v1/push", "/v1/pull", "/v1/events"])
  func `A request without a valid token is refused`(path: String) async throws {
    let ida = try await service.signUp("ida")
    let method = path == "/v1/events" ? Request.Method.get : .post
    let strange = [
      nil, "Bearer", "Bearer x", "Basic \(ida.token)", "Bearer \(ida.token)x",
      "Bearer \(Secret.sample(1).text)", ida.token,
    ]
    for authorization in strange {
      let response = await service.send(
        method, path, headers: authorization.map { ["Authorization": $0] } ?? [:])
      #expect(response.status == .unauthorized)
      #expect(response.headers["WWW-Authenticate"] == "Bearer")
      #expect(try WireProblem(body: response.bytes).code == .unauthorized)
    }
    service.clock.now += AccountRules().tokenLifetime
    #expect(await service.send(method, path, token: ida.token).status == .unauthorized)
  }

  @Test(arguments: ["/v1/push", "/v1/pull"])
  func `A malformed body is refused and changes nothing`(path: String) async throws {
    let ida = try await service.signUp("ida")
    for (body, status, code) in [
      ([UInt8](), 400, WireProblem.Code.malformed), (Array("{}".utf8), 400, .malformed),
      (Array("OFSW".utf8) + [9, 1, 0], 426, .upgradeRequired),
      ([UInt8](repeating: 0, count: WireLimits.bodyBytes + 1), 413, .tooLarge),
    ] {
      let response = await service.send(.post, path, token: ida.token, body: body)
      #expect(response.status.rawValue == status)
      if status != 413 { #expect(try WireProblem(body: response.bytes).code == code) }
    }
  }

  @Test func `A stream receives a hint for each scope that changes`() async throws {
    let ida = try await service.signUp("ida")
    _ = try await service.push(1, device: 1, token: ida.token, [.list(at: 900)])
    let response = await service.send(.get, "/v1/events", token: ida.token)
    guard case .events(let channel) = response.body else {
      Issue.record("No stream: \(response.status)")
      return
    }
    _ = try await service.push(2, device: 1, token: ida.token, [.task("a", at: 901)])
    _ = try await service.push(2, device: 1, token: ida.token, [.task("a", at: 901)])
    _ = try await service.push(3, device: 1, token: ida.token, [.task("b", at: 902)])
    var heads: [Int64] = []
    for _ in 0..<2 {
      let event = try #require(await channel.next())
      #expect(event.event == "hint")
      let hint = try Hint(event.data)
      #expect(hint.scope == (try Lists.scope("1")))
      heads.append(hint.head)
    }
    #expect(heads == [3, 4], "A repeated push changes nothing and causes no hints.")
  }

  @Test func `A stream receives hints of a new scope without reconnecting`() async throws {
    let ida = try await service.signUp("ida")
    let channel = try #require(
      await service.send(.get, "/v1/events", token: ida.token).channel)
    for number in 1...10 {
      let scope = try Lists.scope("\(number)")
      _ = try await service.push(
        1, to: "\(number)", device: 1, token: ida.token,
        [.list("\(number)", at: 900)])
      #expect(try await channel.nextHint() == Hint(scope, head: WireLimits.number))
      _ = try await service.push(
        2, to: "\(number)", device: 1, token: ida.token,
        [.task("a\(number)", in: "\(number)", at: 901)])
      #expect(try await channel.nextHint() == Hint(scope, head: 3))
    }
    #expect(service.server.hub.count == 1)
  }

  @Test func `A stream receives a hint when the account's membership or role changes`() async throws
  {
    let (ida, ole) = (try await service.signUp("ida"), try await service.signUp("ole"))
    _ = try await service.push(1, device: 1, token: ida.token, [.list(at: 900)])
    let channel = try #require(
      await service.send(.get, "/v1/events", token: ole.token).channel)
    let (scope, news) = (try Lists.scope("1"), try Hint(Lists.scope("1"), head: WireLimits.number))
    try await service.join(scope, by: ida.token, as: "viewer", ole.token)
    #expect(try await channel.nextHint() == news)
    let member = "/v1/scopes/list/1/members/\(ole.id)"
    _ = try await service.send(.put, member, token: ida.token, ["role": "editor"])
    #expect(try await channel.nextHint() == news)
    _ = try await service.push(2, device: 1, token: ida.token, [.task("a", at: 901)])
    // Each change of a role has changed the row of the member.
    #expect(try await channel.nextHint() == Hint(scope, head: 5))
    _ = await service.send(.delete, member, token: ida.token)
    #expect(try await channel.nextHint() == news)
    _ = try await service.push(3, device: 1, token: ida.token, [.task("b", at: 902)])
    service.server.hub.close()
    #expect(await channel.next() == nil, "Hints of a scope that may not be read any more")
  }

  @Test func `A stream receives no hints of other accounts' scopes`() async throws {
    let (ida, eve) = (try await service.signUp("ida"), try await service.signUp("eve"))
    _ = try await service.push(1, device: 1, token: ida.token, [.list(at: 900)])
    let response = await service.send(.get, "/v1/events", token: eve.token)
    let channel = try #require(response.channel)
    _ = try await service.push(2, device: 1, token: ida.token, [.task("a", at: 901)])
    service.server.hub.close()
    #expect(await channel.next() == nil)
  }

  @Test func `A client that sends too many requests receives a time to retry`() async throws {
    let ida = try await service.signUp("ida")
    var refused: Response?
    for _ in 0..<2_100 where refused == nil {
      let response = await service.send(.get, "/v1/account", token: ida.token)
      if response.status != .ok { refused = response }
    }
    #expect(refused?.status == .tooManyRequests && refused?.headers["Retry-After"] == "1")
    service.clock.now += 1_000
    #expect(await service.send(.get, "/v1/account", token: ida.token).status == .ok)
  }

  @Test(arguments: [("/nowhere", 404), ("/healthz", 405), ("/v1/openapi.json", 405)])
  func `A request without a route is refused before its body is received`(path: String, status: Int)
    async throws
  {
    guard case .refused(let response) = await service.router.admit(Request(.post, path)) else {
      Issue.record("It is applied.")
      return
    }
    #expect(response.status.rawValue == status && response.headers["X-Request-ID"] != nil)
  }

  @Test func `The health routes report the server's state without details`() async throws {
    #expect(await service.send(.get, "/healthz").text == "ok")
    #expect(await service.send(.get, "/readyz").status == .ok)
    await service.log.close()
    #expect(await service.send(.get, "/healthz").text == "ok")
    #expect(await service.send(.get, "/readyz").status == .serviceUnavailable)
    let push = await service.send(.get, "/v1/events", token: Secret.sample(1).text)
    #expect(push.status.rawValue >= 500)
    #expect(!push.text.contains("sqlite") && !push.text.contains("/"))
  }
}
