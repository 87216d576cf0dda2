import Foundation
import Offshore
import TestSupport
import Testing

extension FaultTests {
  /// A process that is killed while it erases its file.
  @Suite(.serialized)
  struct KilledErasureTests {
    private let mark = "Kornati-7f3a"
    /// The first word of the mark, as the text index has it.
    private let word = "kornati"

    @Test func `A process killed in an erasure leaves everything, or nothing after the next start`()
      async throws
    {
      var killed = 0
      for round in 0..<Rounds.count(ofSoak: 100, else: 10) {
        let folder = try FaultFolder()
        let path = folder.file("memos.sqlite")
        let backup = path + ".before-v1.backup"
        try Data(mark.utf8).write(to: URL(filePath: backup))
        let process = try FaultProcess("fault-writer", ["erase", path, mark])
        let lines = try await process.kill(afterLines: Int.random(in: 1...4_000))
        if !lines.contains("erased") { killed += 1 }
        let isWhole = try rowCount(in: path) == 450
        #expect(!isWhole || FileManager.default.fileExists(atPath: backup), "round \(round)")
        let hasPhoto = try files(with: mark, in: folder)
          .contains { $0.hasPrefix("memos.sqlite-files/") }
        #expect(!isWhole || hasPhoto, "round \(round)")
        let hasWord = try !files(with: word, in: folder).isEmpty
        #expect(!isWhole || hasWord, "round \(round)")
        // The next start completes an erasure that was requested. It erases the others now.
        let next = try FaultProcess("fault-writer", ["erase", path, mark])
        #expect(await next.status() == 0, "round \(round): \(next.errors)")
        for text in [mark, word] {
          #expect(try files(with: text, in: folder) == [], "round \(round)")
        }
      }
      // Kills after the end of the erasure would prove nothing.
      #expect(killed > 0)
    }

    private func rowCount(in path: String) throws -> Int? {
      try Connection(path).read {
        try SQL("SELECT count(*) FROM memos").first($0, as: Int.self)
      }
    }

    private func files(with text: String, in folder: FaultFolder) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.file(name), isDirectory: &isFolder),
          !isFolder.boolValue
        else { return false }
        return try Data(contentsOf: URL(filePath: folder.file(name)))
          .range(of: Data(text.utf8)) != nil
      }
    }
  }
}
