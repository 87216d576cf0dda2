import OffshoreServer
import OffshoreWire
import ServerSupport
import Synchronization
import Testing

@testable import OffshoreSync

/// Rounds of a pull that are requested while others are stored.
@Suite(.timeLimit(.minutes(2)))
struct NextRoundTests {
  @Test func `The next round is requested once, before the previous one is stored`() async throws {
    let server = try await LoopbackServer.fleet()
    let scopes = try (2...1_100).map { try ScopeID(kind: "charter", value: "c\($0)") }
    try await server.storage.write { log in
      for scope in scopes {
        try log.grant(.editor, to: AccountID(Ship.uuid(2, 2)), in: scope)
      }
    }
    let transport = HoldingTransport(
      HTTPTransport(server.url), holding: { $0.scopes.count > 500 && $0.isLast })
    let ben = try await LoopbackDevice(2, of: server.url, over: transport)
    transport.hold(ben.database)
    await ben.driver.start()
    await transport.waitForNext()
    let last = transport.traffic.withLock(\.requests.last)
    let ahead = try #require(last)
    #expect(try PullRequest(body: ahead).cursors.count == 100)
    transport.letGo()
    await ben.wait { $0.phase == .idle }
    let requests = transport.traffic.withLock(\.requests)
    #expect(requests.filter { $0 == ahead }.count == 1)
    await ben.end()
    await server.stop()
  }
}
