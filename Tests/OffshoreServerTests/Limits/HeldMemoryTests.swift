import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Requests of devices when the memory of bodies and answers is used up.
struct HeldMemoryTests {
  private let service: TestService

  init() throws { service = try TestService() }

  /// Sends a body with a number of bytes of memory.
  private func send(
    _ path: String, _ token: String, _ body: [UInt8], encoding: String? = nil, memory: Int
  ) async -> Response {
    let budget = MemoryBudget(bytes: memory, bytesPerClient: memory)
    let reservation = budget.reservation(for: "client")
    #expect(reservation.resize(to: body.count))
    var headers = Headers()
    headers["Content-Encoding"] = encoding
    return await service.send(
      .post, path, token: token, headers: headers, body: body, reservation: reservation)
  }

  private func expectUnavailable(
    _ response: Response, location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(response.status == .serviceUnavailable, sourceLocation: location)
    #expect(response.headers["Retry-After"] == "2", sourceLocation: location)
    let problem = try WireProblem(body: response.bytes)
    #expect(problem.code == .unavailable, sourceLocation: location)
  }

  @Test func `A push is refused if its decoded form does not fit, and applied if it does`()
    async throws
  {
    let ida = try await service.signUp("ida")
    let body = try PushRequest.list(tasks: 100).body
    try expectUnavailable(
      await send("/v1/push", ida.token, body, memory: 2 * body.count))
    let response = await send("/v1/push", ida.token, body, memory: 3 * body.count)
    #expect(try PushResponse(body: response.bytes).results.first?.outcome.range?.count == 101)
  }

  @Test(arguments: ["/v1/push", "/v1/pull"])
  func `A compressed body is refused if the length that it announces does not fit`(path: String)
    async throws
  {
    let ida = try await service.signUp("ida")
    let body = try #require(Gzip.compress([UInt8](repeating: 0, count: 1 << 20)))
    try expectUnavailable(
      await send(path, ida.token, body, encoding: "gzip", memory: 1 << 20))
    let response = await send(path, ida.token, body, encoding: "gzip", memory: 8 << 20)
    #expect(response.status == .badRequest)
  }

  @Test func `A pull is refused if its answer does not fit`() async throws {
    let ida = try await service.signUp("ida")
    #expect(
      await send("/v1/push", ida.token, try PushRequest.list(tasks: 100).body, memory: 1 << 20)
        .status == .ok)
    let pull = try PullRequest.firstOfList()
    try expectUnavailable(await send("/v1/pull", ida.token, pull.body, memory: 1_000))
    #expect(await send("/v1/pull", ida.token, pull.body, memory: 1 << 20).status == .ok)
  }
}
