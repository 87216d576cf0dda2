import Foundation
import OffshoreServer
import OffshoreWire
import TestSupport
import Testing

/// Faults of processes and networks, with a server and devices as real processes.
@Suite(.serialized)
struct SyncFaultTests {
  /// The seed of the first round, to repeat a round: `OFFSHORE_SEED=…`.
  private static let firstSeed =
    ProcessInfo.processInfo.environment["OFFSHORE_SEED"].flatMap { UInt64($0) }

  @Test
  func
    `No change is lost, doubled, resurrected or leaked despite kills, cut connections and repeats`()
    async throws
  {
    for round in 0..<Rounds.count(ofSoak: 100, else: 5) {
      let seed = Self.firstSeed.map { $0 + UInt64(round) } ?? UInt64.random(in: 1...1_000_000)
      do {
        try await run(seed)
      } catch {
        Issue.record("OFFSHORE_SEED=\(seed), round \(round): \(error)")
      }
    }
  }

  private func run(_ seed: UInt64) async throws {
    let fleet = try await Fleet(seed: seed)
    try await fleet.start()
    try await fleet.suffer(40)
    try await fleet.settle(within: .seconds(60))
    let manifest = try Manifest(
      json: try Data(contentsOf: URL(filePath: fleet.folder.file("manifest.json"))))
    var files: [DeviceFile] = []
    for number in 0..<4 {
      files.append(
        try await DeviceFile(fleet.folder.file("d\(number).sqlite"), name: "d\(number)"))
    }
    let server = try await fleet.withLog { try await ServerFile($0, manifest) }
    let audit = Audit(devices: files, server: server, printed: fleet.printed)
    let complaints = audit.complaints()
    #expect(complaints == [], "OFFSHORE_SEED=\(seed)\n\(audit.story(of: complaints))")
    // A round with few writes or without a repeated request would prove nothing.
    #expect(files.reduce(0) { $0 + $1.ledger.count } > 100, "OFFSHORE_SEED=\(seed)")
    #expect(fleet.proxies.contains { $0.replays > 0 }, "OFFSHORE_SEED=\(seed)")
  }
}
