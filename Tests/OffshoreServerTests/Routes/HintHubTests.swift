import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

struct HintHubTests {
  private let hub = HintHub()
  private let scopes: [ScopeID]

  init() throws { scopes = try (1...3).map { try Lists.scope("\($0)") } }

  /// Opens a stream of an account that may read scopes.
  private func listen(_ account: AccountID, to scopes: [ScopeID]) -> EventChannel {
    let channel = hub.listen(account, with: ContentHash(of: [0]))
    hub.setGrants(scopes.map { Grant($0, .viewer, seq: 1) }, of: account)
    return channel
  }

  private func heads(_ channel: EventChannel) async throws -> [Int64] {
    var heads: [Int64] = []
    while let event = await channel.next() { heads.append(try Hint(event.data).head) }
    return heads
  }

  @Test func `Each stream receives the hints of its scopes in order, and no others`() async throws {
    let channels = [
      listen(.sample(1), to: [scopes[0], scopes[1]]), listen(.sample(2), to: [scopes[1]]),
      listen(.sample(3), to: []),
    ]
    hub.send([Hint(scopes[0], head: 1), Hint(scopes[1], head: 2), Hint(scopes[2], head: 3)])
    hub.send([Hint(scopes[1], head: 4)])
    hub.close()
    #expect(try await heads(channels[0]) == [1, 2, 4])
    #expect(try await heads(channels[1]) == [2, 4])
    #expect(try await heads(channels[2]) == [])
  }

  @Test func `A stream that has ended is removed`() async throws {
    let first = listen(.sample(1), to: scopes)
    let second = listen(.sample(1), to: scopes)
    #expect(hub.count == 2)
    first.close()
    #expect(hub.count == 1)
    hub.send([Hint(scopes[0], head: 1)])
    #expect(try await #require(second.next()).data == "1 list/1")
    hub.closeStreams(of: .sample(2))
    #expect(hub.count == 1)
    hub.closeStreams(of: .sample(1))
    #expect(hub.count == 0)
    #expect(await second.next() == nil)
  }

  @Test func `The other members of a scope receive a hint when its members change`() async throws {
    let one = listen(.sample(1), to: [scopes[0]])
    let other = listen(.sample(2), to: [scopes[0], scopes[1]])
    hub.announceMembers(of: scopes[0], besides: .sample(1))
    hub.announceMembers(of: scopes[1], besides: .sample(1))
    hub.close()
    #expect(try await heads(one) == [])
    #expect(try await heads(other) == [WireLimits.number, WireLimits.number])
  }

  @Test func `A changed grant applies to each stream of the account, with a hint`() async throws {
    let one = listen(.sample(1), to: [scopes[0]])
    let other = listen(.sample(2), to: [scopes[0]])
    hub.apply(Grant(scopes[1], .owner, seq: 2), of: .sample(1))
    hub.send([Hint(scopes[1], head: 5)])
    hub.apply(Grant(scopes[0], .revoked, seq: 3), of: .sample(1))
    hub.send([Hint(scopes[0], head: 6)])
    hub.apply(Grant(scopes[1], .viewer, seq: 4), of: .sample(1))
    hub.close()
    let unknown = WireLimits.number
    #expect(try await heads(one) == [unknown, 5, unknown, unknown])
    #expect(try await heads(other) == [6])
  }

  @Test func `Of two grants of one scope the later applies, in any order of arrival`() async throws
  {
    let channel = listen(.sample(1), to: [scopes[0]])
    hub.apply(Grant(scopes[0], .revoked, seq: 3), of: .sample(1))
    hub.apply(Grant(scopes[0], .editor, seq: 2), of: .sample(1))
    hub.send([Hint(scopes[0], head: 6)])
    hub.close()
    #expect(try await heads(channel) == [WireLimits.number])
  }

  @Test func `Streams of one account receive the same hints, and a later one changes no grant`()
    async throws
  {
    let one = listen(.sample(1), to: [scopes[0]])
    hub.apply(Grant(scopes[0], .revoked, seq: 3), of: .sample(1))
    hub.apply(Grant(scopes[1], .viewer, seq: 4), of: .sample(1))
    let other = listen(.sample(1), to: [scopes[0]])
    hub.send([Hint(scopes[0], head: 6), Hint(scopes[1], head: 7)])
    hub.close()
    #expect(try await heads(one) == [WireLimits.number, WireLimits.number, 7])
    #expect(try await heads(other) == [7])
  }

  @Test func `An account has a limited number of streams, and a new one ends the oldest`() {
    let channels = (0...HintHub.streamsPerAccount).map { _ in listen(.sample(1), to: scopes) }
    #expect(hub.count == HintHub.streamsPerAccount)
    #expect(channels.filter { !$0.isOpen }.count == 1 && !channels[0].isOpen)
    #expect(listen(.sample(2), to: scopes).isOpen && channels[1].isOpen)
  }

  @Test func `A stream whose client does not read is closed, and others continue`() async throws {
    let slow = listen(.sample(1), to: scopes)
    for head in 1...5_000 { hub.send([Hint(scopes[0], head: Int64(head))]) }
    #expect(!slow.isOpen && hub.count == 0)
    let other = listen(.sample(1), to: scopes)
    hub.send([Hint(scopes[0], head: 9_999)])
    #expect(try await #require(other.next()).data == "9999 list/1")
  }

  @Test func `A closed hub opens no streams`() async {
    hub.close()
    let channel = listen(.sample(1), to: scopes)
    #expect(!channel.isOpen && hub.count == 0)
    #expect(await channel.next() == nil)
  }
}
