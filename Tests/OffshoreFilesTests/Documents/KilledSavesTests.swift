import Foundation
import OffshoreFiles
import TestSupport
import Testing

/// Processes that are killed at random while they save.
@Suite(.timeLimit(.minutes(10)))
struct KilledSavesTests {
  private struct Entry: Codable, Identifiable, Equatable, Sendable {
    let id: String
    let number: Int
  }

  @Test func `No answered save of a killed process is lost, and the file is whole`()
    async throws
  {
    let folder = try TestFolder()
    let limit = Rounds.count(ofSoak: 1_000, else: 100)
    var (random, saved, round) = (SeededRandom(seed: 11), 0, 0)
    while saved < limit {
      round += 1
      let process = try FaultProcess("fault-files", ["add", folder.path, "r\(round)", "\(limit)"])
      let lines = try await process.kill(afterLines: random.number(below: 20) + 1)
      let entries = try await folder.open().collection("entries.json", of: Entry.self).load()
      let added = entries.filter { $0.id.hasPrefix("r\(round) ") }
      #expect(added.map(\.number) == Array(0..<added.count))
      #expect([lines.count, lines.count + 1].contains(added.count), "round \(round)")
      #expect(entries.count == saved + added.count, "the entries of earlier rounds stay")
      saved = entries.count
    }
  }
}
