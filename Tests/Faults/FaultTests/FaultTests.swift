import Foundation
import Offshore
import TestSupport
import Testing

/// Faults of real processes. They run one at a time, in their own test process: a child process
/// inherits the pipes and sockets that other tests have open when it starts.
@Suite(.serialized)
enum FaultTests {}

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

extension FaultTests {
  /// A process that is killed while it copies its database.
  @Suite(.serialized)
  struct KilledBackupTests {
    @Test func `A process killed in a backup leaves the former copy or a whole new one`()
      async throws
    {
      var replaced = 0
      for round in 0..<Rounds.count(ofSoak: 200, else: 8) {
        let folder = try FaultFolder()
        let (path, copy) = (folder.file("storm.sqlite"), folder.file("copy.backup"))
        let process = try FaultProcess("fault-writer", ["backup", path, copy])
        // The process copies repeatedly and prints a line for each step and each complete backup.
        let lines = try await process.kill(afterLines: Int.random(in: 1...60))
        let finished = lines.count { $0 == "whole" }
        // Opening the copy read-only creates no write-ahead log beside it, so it can still be
        // replaced.
        var configuration = DatabaseConfiguration()
        configuration.isReadOnly = true
        let database = try Database(copy, configuration: configuration)
        let (count, sum, verdict) = try await database.read { reader in
          (
            try SQL("SELECT count(*) FROM entries").first(reader, as: Int.self) ?? 0,
            try SQL("SELECT count FROM totals").first(reader, as: Int.self) ?? -1,
            try SQL("PRAGMA integrity_check").all(reader, as: String.self)
          )
        }
        #expect(verdict == ["ok"], "round \(round)")
        #expect(count == sum, "round \(round): half a commit was copied")
        #expect(FileManager.default.fileExists(atPath: copy), "round \(round)")
        if finished > 1 { replaced += 1 }
        await database.close()
        // The next backup starts over from the partial file of the killed one.
        let original = try Database(path)
        try await original.backup(to: copy, replacesExisting: true)
        await original.close()
        #expect(!FileManager.default.fileExists(atPath: copy + ".partial"), "round \(round)")
      }
      #expect(replaced > 0)
    }
  }
}
