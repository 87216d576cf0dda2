import Foundation
import Offshore
import OffshoreWire
import ServerSupport
import Synchronization
import Testing

@testable import OffshoreSync

/// Pages that are requested while others are stored.
@Suite(.timeLimit(.minutes(2)))
struct PullAheadTests {
  private let server: LoopbackServer
  private let anna: LoopbackDevice

  /// Stores more rows on the server than fit into a page.
  init() async throws {
    server = try await LoopbackServer.fleet()
    anna = try await LoopbackDevice(1, of: server.url)
    try await anna.run(
      "INSERT INTO charters VALUES ('c1', 'Alma')",
      """
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 10500)
      INSERT INTO tasks (id, charterID, title, votes) SELECT 't' || n, 'c1', 'Sails', 0 FROM c
      """)
    await anna.driver.start()
    try await waitUntilSent()
  }

  private func waitUntilSent() async throws {
    for try await pending in anna.database.values({ [replica = anna.replica] in
      try replica.status($0).pending
    }) where pending == 0 { return }
  }

  private func ben(_ transport: HoldingTransport) async throws -> LoopbackDevice {
    let ben = try await LoopbackDevice(2, of: server.url, over: transport)
    transport.hold(ben.database)
    return ben
  }

  private static func count(_ reader: Reader) throws -> Int {
    try SQL("SELECT count(*) FROM tasks").first(reader, as: Int.self) ?? 0
  }

  private func end(_ ben: LoopbackDevice) async {
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `The next page is requested once, before the previous one is stored`()
    async throws
  {
    let transport = HoldingTransport(HTTPTransport(server.url))
    let ben = try await ben(transport)
    await ben.driver.start()
    await transport.waitForNext()
    transport.letGo()
    for try await count in ben.database.values({ try Self.count($0) }) where count == 10_500 {
      break
    }
    let cut = transport.traffic.withLock(\.holdable)
    #expect(!cut.isEmpty && Set(cut).count == cut.count)
    await end(ben)
  }

  @Test func `A pull that must be current does not use a page that was requested before`()
    async throws
  {
    let transport = HoldingTransport(HTTPTransport(server.url))
    let ben = try await ben(transport)
    await ben.driver.start()
    await transport.waitForNext()
    while transport.traffic.withLock(\.running) > 0 { await _Concurrency.Task.yield() }
    try await anna.run(
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('late', 'c1', 'Lines', 0)")
    try await waitUntilSent()
    let pull = _Concurrency.Task { try await ben.driver.pullNow() }
    while await ben.driver.pullWaiters.isEmpty { await _Concurrency.Task.yield() }
    transport.letGo()
    try await pull.value
    #expect(try await ben.database.read { try Self.count($0) } == 10_501)
    await end(ben)
  }

  @Test func `A stopped driver sends no more requests, and none is running when stop returns`()
    async throws
  {
    let transport = HoldingTransport(HTTPTransport(server.url))
    let ben = try await ben(transport)
    await ben.driver.start()
    await transport.waitForNext()
    let stop = _Concurrency.Task { await ben.driver.stop() }
    await ben.wait { $0.phase == .stopped }
    transport.letGo()
    await stop.value
    #expect(transport.traffic.withLock(\.running) == 0)
    await end(ben)
  }

  @Test func `An answer that arrives after the stop is not followed by a request`()
    async throws
  {
    let (stopped, continuation) = AsyncStream.makeStream(of: Void.self)
    let transport = HoldingTransport(
      HTTPTransport(server.url), beforeAnswer: { for await _ in stopped {} })
    let ben = try await ben(transport)
    await ben.driver.start()
    for await _ in transport.events { break }
    let stop = _Concurrency.Task { await ben.driver.stop() }
    await ben.wait { $0.phase == .stopped }
    let pulls = transport.traffic.withLock(\.requests.count)
    continuation.finish()
    transport.letGo()
    await stop.value
    #expect(transport.traffic.withLock(\.requests.count) == pulls)
    await end(ben)
  }

  @Test func `A prefetched answer matches only its own request and token, unless it was cancelled`()
    async
  {
    let request = PullRequest(
      device: TestDevice.id, manifestVersion: 1, grantsAfter: 0, cursors: [], limit: 1)
    let other = PullRequest(
      device: TestDevice.id, manifestVersion: 1, grantsAfter: 1, cursors: [], limit: 1)
    let failure = SyncEngine.Failure(.unreachable, "No network.")
    let ahead = PullAhead(
      request: _Concurrency.Task { request }, token: "a", isRound: true,
      response: _Concurrency.Task { .failure(failure) },
      answer: _Concurrency.Task { .failure(failure) })
    #expect(await ahead.answers(request, token: "a"))
    #expect(await !ahead.answers(request, token: "b"))
    #expect(await !ahead.answers(other, token: "a"))
    ahead.cancel()
    #expect(await !ahead.answers(request, token: "a"))
  }
}
