import Foundation
import TestSupport
import Testing

extension FaultTests {
  /// Two people who write to each other in MessAI without a network, on devices that are killed.
  @Suite(.serialized)
  struct KilledMessagesTests {
    /// The number of messages that each person writes.
    private static let count = Rounds.count(ofSoak: 100, else: 20)
    /// The seed of the first round, to repeat a round: `OFFSHORE_SEED=…`.
    private static let firstSeed =
      ProcessInfo.processInfo.environment["OFFSHORE_SEED"].flatMap { UInt64($0) }

    @Test
    func `Messages arrive once and in one order, and all are read, despite kills of all processes`()
      async throws
    {
      for round in 0..<Rounds.count(ofSoak: 50, else: 2) {
        let seed =
          Self.firstSeed.map { $0 + UInt64(round) } ?? UInt64.random(in: 1...1_000_000)
        do {
          try await run(seed)
        } catch {
          Issue.record("OFFSHORE_SEED=\(seed), round \(round): \(error)")
        }
      }
    }

    private func run(_ seed: UInt64) async throws {
      let fleet = try MessageFleet(seed: seed, count: Self.count)
      try await fleet.start()
      try await fleet.writeOffline(kills: Rounds.count(ofSoak: 6, else: 2))
      try await fleet.sync(kills: Rounds.count(ofSoak: 12, else: 5))
      try await fleet.stop()
      let complaints = try await MessageAudit(fleet, count: Self.count).complaints()
      #expect(complaints == [], "OFFSHORE_SEED=\(seed)")
    }
  }
}
