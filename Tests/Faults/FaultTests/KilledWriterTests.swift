import Foundation
import Offshore
import TestSupport
import Testing

extension FaultTests {
  /// Real processes that are killed, or that open one file at the same time.
  @Suite(.serialized)
  struct KilledWriterTests {
    @Test func `Every answered write of a process killed amid many writes is stored`()
      async throws
    {
      for round in 0..<Rounds.count(ofSoak: 200, else: 6) {
        let folder = try FaultFolder()
        let path = folder.file("storm.sqlite")
        let writer = try FaultProcess("fault-writer", ["storm", path, "8"])
        let lineCount = Int.random(in: 1...2000)
        let answered = try await writer.kill(afterLines: lineCount)
        let database = try Database(path)
        let (stored, verdict) = try await database.read { reader in
          (
            Set(
              try SQL("SELECT writer || ' ' || number FROM entries").all(reader, as: String.self)),
            try SQL("PRAGMA integrity_check").all(reader, as: String.self)
          )
        }
        #expect(verdict == ["ok"], "round \(round)")
        #expect(Set(answered).subtracting(stored).isEmpty, "round \(round)")
        #expect(answered.count >= lineCount, "round \(round)")
        // A writer waits for each answer, so each of the eight writers has at most one unanswered
        // row.
        #expect(stored.count - Set(answered).count <= 8, "round \(round)")
        await database.close()
      }
    }

    @Test func `Ten processes that open a new file at the same time all succeed`() async throws {
      for round in 0..<Rounds.count(ofSoak: 50, else: 5) {
        let folder = try FaultFolder()
        let path = folder.file("new.sqlite")
        let processes = try (0..<10).map {
          try FaultProcess("fault-writer", ["open", path, "\($0)"])
        }
        for process in processes {
          let status = await process.status()
          #expect(status == 0, "round \(round): \(process.errors)")
        }
        let database = try Database(path)
        let count = try await database.read {
          try SQL("SELECT count(*) FROM entries").first($0, as: Int.self)
        }
        #expect(count == 10, "round \(round)")
        await database.close()
      }
    }
  }
}
