import Foundation
import Offshore
import TestSupport
import Testing

extension FaultTests {
  /// A process that is killed while it erases its file.
  @Suite(.serialized)
  struct KilledErasureTests {
    private let mark = "Kornati-7f3a"

    @Test func `A process killed in an erasure leaves everything, or nothing after the next start`()
      async throws
    {
      for round in 0..<Rounds.count(ofSoak: 100, else: 10) {
        let folder = try FaultFolder()
        let path = folder.file("memos.sqlite")
        let backup = path + ".before-v1.backup"
        try Data(mark.utf8).write(to: URL(filePath: backup))
        let process = try FaultProcess("fault-writer", ["erase", path, mark])
        _ = try await process.kill(afterLines: Int.random(in: 1...4_000))
        let isWhole = try rowCount(in: path) == 450
        #expect(!isWhole || FileManager.default.fileExists(atPath: backup), "round \(round)")
        // The next start completes an erasure that was requested. It erases the others now.
        let next = try FaultProcess("fault-writer", ["erase", path, mark])
        #expect(await next.status() == 0, "round \(round): \(next.errors)")
        #expect(try marked(in: folder) == [], "round \(round)")
      }
    }

    private func rowCount(in path: String) throws -> Int? {
      try Connection(path).read {
        try SQL("SELECT count(*) FROM memos").first($0, as: Int.self)
      }
    }

    private func marked(in folder: FaultFolder) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
        try Data(contentsOf: URL(filePath: folder.file(name))).range(of: Data(mark.utf8)) != nil
      }
    }
  }
}
