import Foundation
import Offshore
import TestSupport
import Testing

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
