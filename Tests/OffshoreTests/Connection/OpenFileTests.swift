import Foundation
import TestSupport
import Testing

@testable import Offshore

/// The descriptors of connections that read a file without locks.
@Suite(
  .timeLimit(.minutes(1)), .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
struct OpenFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The number of descriptors that the process has of a file and its log.
  private func descriptors(of path: String) throws -> Int {
    let files = FileManager.default
    return try files.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
      let target = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
      return target?.hasPrefix(path) == true
    }
  }

  private func count(_ database: Database) async throws -> Int {
    try await database.read { try Charter.all.count($0) }
  }

  @Test(arguments: [false, true])
  func `Connections are closed that a change has outdated`(hasLog: Bool) async throws {
    let path = try ReadOnlyFile.make(in: folder, hasLog: hasLog)
    let database = try Database(path, configuration: ReadOnlyFile.configuration)
    let before = try await count(database)
    for number in 1...5 {
      #expect(try descriptors(of: path) > 0)
      let writer = try Connection(path)
      try writer.write { try Charter("later").insert($0) }
      writer.close()
      #expect(try await count(database) == before + number)
    }
    await database.close()
    #expect(try descriptors(of: path) == 0)
  }

  @Test(arguments: [1, 2])
  func `An outdated connection is closed after those that lock the file, whose locks it would end`(
    _ writerCount: Int
  ) throws {
    let path = try ReadOnlyFile.make(in: folder, hasLog: true)
    let reader = try Connection(path, configuration: ReadOnlyFile.configuration)
    #expect(try reader.read { try Charter.all.count($0) } == 2)
    let writers = try (0..<writerCount).map { _ in try Connection(path) }
    for writer in writers { try writer.write { try Charter("later").insert($0) } }
    let count = try descriptors(of: path)
    reader.close()
    #expect(try descriptors(of: path) == count)
    for writer in writers { writer.close() }
    #expect(try descriptors(of: path) == 0)
  }
}
