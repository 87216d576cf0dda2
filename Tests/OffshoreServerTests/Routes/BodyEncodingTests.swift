import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Bodies that are compressed on the way.
struct BodyEncodingTests {
  private let service: TestService

  init() throws { service = try TestService() }

  private func push(_ count: Int) throws -> [UInt8] {
    let ops = [Op.list(at: 900)] + (0..<count).map { Op.task("task-\($0)", at: 901) }
    return PushRequest(
      device: .sample(1), epoch: 0, manifestVersion: 1, batches: [try TestServer.batch(1, ops)]
    ).body
  }

  @Test
  func `A push that is compressed takes effect, and its answer is compressed for who reads it`()
    async throws
  {
    let ida = try await service.signUp("ida")
    let body = try push(200)
    let compressed = try #require(Gzip.compress(body))
    #expect(compressed.count < body.count)
    let pushed = await service.send(
      .post, "/v1/push", token: ida.token, headers: ["Content-Encoding": "gzip"], body: compressed)
    #expect(try PushResponse(body: pushed.bytes).results.first?.outcome.range?.count == 201)
    #expect(pushed.headers["Content-Encoding"] == nil, "It is short.")

    let pull = PullRequest(
      device: .sample(1), manifestVersion: 1, capabilities: .all, grantsAfter: 0,
      cursors: [
        PullCursor(
          try Lists.scope("1"), epoch: 0, position: .snapshot(head: nil, after: nil),
          acknowledged: 0, conflictsAfter: 0)
      ], limit: 1_000)
    for (accepts, isCompressed) in [
      ("gzip", true), ("br, GZIP;q=0.5", true), ("*", true), ("gzip;q=0", false), ("br", false),
      ("*, gzip;q=0", false), ("", false),
    ] {
      let pulled = await service.send(
        .post, "/v1/pull", token: ida.token, headers: ["Accept-Encoding": accepts], body: pull.body)
      #expect((pulled.headers["Content-Encoding"] == "gzip") == isCompressed, "\(accepts)")
      #expect(pulled.headers["Vary"] == "Accept-Encoding")
      let bytes =
        isCompressed
        ? try Gzip.decompress(pulled.bytes, limit: WireLimits.bodyBytes) : pulled.bytes
      #expect(try PullResponse(body: bytes).scopes.first?.content.page?.rows.rows.count == 201)
    }
  }

  @Test func `A bomb, what is no gzip, and what is encoded otherwise are refused`() async throws {
    let ida = try await service.signUp("ida")
    let bomb = try #require(
      Gzip.compress([UInt8](repeating: 0, count: WireLimits.bodyBytes + 1)))
    for (encoding, body, status) in [
      ("gzip", bomb, 413), ("gzip", try push(3), 400), ("br", bomb, 415), ("gzip, gzip", bomb, 415),
      ("identity", [UInt8](), 400),
    ] {
      let response = await service.send(
        .post, "/v1/push", token: ida.token, headers: ["Content-Encoding": encoding], body: body)
      #expect(response.status.rawValue == status)
      #expect(response.headers["Accept-Encoding"] == (status == 415 ? "gzip" : nil))
      #expect(try !WireProblem(body: response.bytes).message.isEmpty)
    }
    let form = try #require(Gzip.compress([UInt8](repeating: 0x20, count: 20_000)))
    let response = await service.send(
      .post, "/v1/password", token: ida.token,
      headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"], body: form)
    #expect(response.status == .contentTooLarge, "The limit is the route's.")
  }
}
