import Foundation
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

extension AttackTests {
  /// Real devices over links that are slow, are cut, or refuse large bodies.
  ///
  /// In a soak the link has 64 kbit/s. Otherwise everything is scaled down to seconds.
  struct SlowLinkTests {
    private static let bytesPerSecond = isSoak ? 8_000 : 256_000

    /// Returns text that compresses as prose does, to about a third.
    private static func prose(_ count: Int, _ random: inout SeededRandom) -> String {
      var text = ""
      while text.utf8.count < count {
        let length = random.number(below: 8) + 2
        // Most words are frequent ones.
        var word = SeededRandom(seed: UInt64(random.number(below: random.number(below: 600) + 20)))
        for _ in 0..<length {
          text.append(Character(UnicodeScalar(97 + UInt8(word.number(below: 26)))))
        }
        text += " "
      }
      return String(text.prefix(count))
    }

    private static func entry(_ id: Int, _ parts: String...) -> LogEntry {
      let parts = parts + Array(repeating: "", count: 4 - parts.count)
      return LogEntry(
        id: "e\(id)", bookID: "b", text: parts[0], weather: parts[1], course: parts[2],
        remarks: parts[3])
    }

    /// Lets a device send entries over a link, and returns what another device then receives.
    private static func send(
      _ entries: [LogEntry], over properties: NarrowLink.Properties, expecting count: Int
    ) async throws -> (received: [String: Int], refused: [DeadLetter], link: NarrowLink) {
      let server = try await AttackedServer(SyncSchema.logBooks().manifest)
      let token = try await server.signUp("ida").token
      let link = try NarrowLink(to: server.port, properties)
      let device = try await LinkedDevice(link.url, token: token)
      try await device.write(entries)
      let start = ContinuousClock.now
      await device.start()
      try await device.waitUntilSent()
      let duration = start.duration(to: .now)
      print("link: sent after \(duration), \(link.cuts) cuts, \(link.refusals) refusals")
      let other = try await LinkedDevice(server.url, token: token)
      await other.start()
      let received = try await other.waitForEntries(count)
      let refused = try await device.refusals()
      await device.end()
      await other.end()
      try await server.stop()
      return (received, refused, link)
    }

    private static func sizes(_ entries: [LogEntry]) -> [String: Int] {
      Dictionary(
        uniqueKeysWithValues: entries.map {
          ($0.id, $0.text.count + $0.weather.count + $0.course.count + $0.remarks.count)
        })
    }

    @Test(.timeLimit(.minutes(60)))
    func `A backlog of small edits arrives over a slow link that is cut again and again`()
      async throws
    {
      var random = SeededRandom(seed: 7)
      let count = isSoak ? 8_192 : 768
      let entries = (0..<count).map { Self.entry($0, Self.prose(1_000, &random)) }
      let result = try await Self.send(
        entries,
        over: NarrowLink.Properties(
          bytesPerSecond: Self.bytesPerSecond, secondsBetweenCuts: isSoak ? 60 : 1),
        expecting: count)
      #expect(result.received == Self.sizes(entries))
      #expect(result.refused.isEmpty)
      // Without a cut the test would prove less.
      #expect(result.link.cuts > 0)
    }

    @Test(.timeLimit(.minutes(30)))
    func `A row of nearly 4 MiB arrives over a slow link that is not cut`() async throws {
      let parts = (0..<4).map { MemoryAttackTests.noise(1_030_000, seed: $0) }
      let entries = [Self.entry(0, parts[0], parts[1], parts[2], parts[3])]
      let result = try await Self.send(
        entries,
        over: NarrowLink.Properties(bytesPerSecond: isSoak ? Self.bytesPerSecond : 1_000_000),
        expecting: 1)
      #expect(result.received == Self.sizes(entries))
      #expect(result.refused.isEmpty)
    }

    @Test(.timeLimit(.minutes(10)))
    func
      `Over a proxy that refuses large bodies all arrives that fits, and a larger row is refused`()
      async throws
    {
      let large = (0..<3).map { MemoryAttackTests.noise(1_000_000, seed: $0) }
      // Six of ten rows fit only one by one.
      let small = (1...10).map {
        Self.entry($0, MemoryAttackTests.noise($0 < 5 ? 90_000 : 700_000, seed: UInt64($0)))
      }
      let entries =
        Array(small.prefix(5)) + [Self.entry(0, large[0], large[1], large[2])] + small.dropFirst(5)
      let result = try await Self.send(
        entries, over: NarrowLink.Properties(bodyLimit: 1 << 20), expecting: small.count)
      #expect(result.received == Self.sizes(small))
      #expect(result.refused.map(\.row) == [RowID(table: "entries", id: "e0")])
      #expect(result.refused.map(\.rejection.code) == [.tooLarge])
      #expect(result.link.refusals > 0)
    }
  }
}
