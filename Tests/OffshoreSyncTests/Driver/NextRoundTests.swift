import OffshoreServer
import OffshoreWire
import ServerSupport
import Synchronization
import Testing

@testable import OffshoreSync

/// Rounds of a pull that are requested while others are stored.
@Suite(.timeLimit(.minutes(2)))
struct NextRoundTests {
  /// Starts a server with scopes that Ben's account may edit.
  private func server(_ count: Int) async throws -> (server: LoopbackServer, scopes: [ScopeID]) {
    let server = try await LoopbackServer.fleet()
    let scopes = try (2...count).map { try ScopeID(kind: "charter", value: "c\($0)") }
    try await server.storage.write { log in
      for scope in scopes {
        try log.grant(.editor, to: AccountID(Ship.uuid(2, 2)), in: scope)
      }
    }
    return (server, scopes)
  }

  @Test func `The next round is requested once, before the previous one is stored`() async throws {
    let (server, _) = try await server(1_100)
    let transport = HoldingTransport(
      HTTPTransport(server.url), holding: { $0.scopes.count == 375 && $0.isLast })
    let ben = try await LoopbackDevice(2, of: server.url, over: transport)
    transport.hold(ben.database)
    await ben.driver.start()
    await transport.waitForNext()
    let last = transport.traffic.withLock(\.requests.last)
    let ahead = try #require(last)
    #expect(try PullRequest(body: ahead).cursors.count == 600)
    transport.letGo()
    await ben.wait { $0.phase == .idle }
    let requests = transport.traffic.withLock(\.requests)
    #expect(requests.filter { $0 == ahead }.count == 1)
    await ben.end()
    await server.stop()
  }

  @Test func `Two rounds are requested while the one before them is stored`() async throws {
    let (server, _) = try await server(1_600)
    let transport = HoldingTransport(
      HTTPTransport(server.url), holding: { $0.scopes.count == 125 && $0.isLast })
    let ben = try await LoopbackDevice(2, of: server.url, over: transport)
    transport.hold(ben.database)
    await ben.driver.start()
    await transport.waitForNext(2)
    let ahead = transport.traffic.withLock { Array($0.requests.suffix(2)) }
    #expect(try ahead.map { try PullRequest(body: $0).cursors.count } == [375, 1_000])
    transport.letGo()
    await ben.wait { $0.phase == .idle }
    let requests = transport.traffic.withLock(\.requests)
    for request in ahead { #expect(requests.filter { $0 == request }.count == 1) }
    await ben.end()
    await server.stop()
  }

  @Test func `A scope with a hint during the first of three rounds comes before the third`()
    async throws
  {
    let (server, scopes) = try await server(2_100)
    let isArmed = Mutex(false)
    let transport = HoldingTransport(
      HTTPTransport(server.url),
      holding: { answer in isArmed.withLock(\.self) && answer.scopes.count > 500 })
    let ben = try await LoopbackDevice(2, of: server.url, over: transport)
    await ben.driver.start()
    await ben.wait { $0.phase == .idle && $0.isListening }
    transport.hold(ben.database)
    isArmed.withLock { $0 = true }
    await ben.driver.syncNow()
    // Both rounds that are requested ahead.
    await transport.waitForNext(2)
    let last = try #require(scopes.max())
    let other = try #require(scopes.sorted().dropLast().last)
    await ben.driver.handle(.hint(Hint(last, head: 1)))
    // The rounds that were requested ahead of the hint do not count: it has cancelled them.
    let before = transport.traffic.withLock(\.requests.count)
    transport.letGo()
    await ben.wait { $0.phase == .idle }
    let pulls = try transport.traffic.withLock(\.requests).dropFirst(before).map {
      Set(try PullRequest(body: $0).cursors.map(\.scope))
    }
    let hinted = try #require(pulls.firstIndex { $0.contains(last) })
    let third = try #require(pulls.firstIndex { $0.contains(other) })
    #expect(hinted < third && pulls[hinted] == [last])
    await ben.end()
    await server.stop()
  }
}
