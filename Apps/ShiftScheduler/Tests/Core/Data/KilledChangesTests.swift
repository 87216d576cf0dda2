import Foundation
import OffshoreFiles
import TestSupport
import Testing

@testable import ShiftScheduler

/// Changes by processes that are killed at random.
@Suite(.timeLimit(.minutes(3)))
struct KilledChangesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func group(_ engine: String) throws -> any CollectionGroup<ScheduleChange> {
    engine == "files"
      ? JSONFilePersistenceRepository(directory: URL(filePath: folder.path)).group
      : DatabaseRepository(database: try ShiftDatabase(path: folder.file("shifts.sqlite"))).group
  }

  /// Runs processes of a kind, each of which is killed after some steps, until one has made the last step.
  /// - Returns: The records at the end.
  private func run(
    _ kind: String, _ engine: String, _ random: inout SeededRandom
  ) async throws -> ScheduleContent {
    while true {
      let process = try FaultProcess("fault-shifts", [folder.path, engine, kind])
      let lines = try await process.kill(afterLines: random.number(below: 15) + 1)
      let content = try await group(engine).content()
      if lines.last == "done" { return content }
      let answered = try #require(lines.last.flatMap { Int($0) }, "\(process.errors)")
      #expect([answered, answered + 1].contains(content.changes.count), "\(kind): \(lines)")
    }
  }

  @Test(arguments: ["files", "database"])
  func `50 changes are made, undone and redone, and none that was answered is lost`(engine: String)
    async throws
  {
    var random = SeededRandom(seed: 7)
    let end = try await run("change", engine, &random)
    #expect(end.changes.count == 50)
    #expect(end[ScheduledShift.self].count == 20 && end[Location.self].isEmpty)
    let beginning = try await run("undo", engine, &random)
    #expect(beginning[ShiftType.self].isEmpty && beginning[ScheduledShift.self].isEmpty)
    #expect(beginning[Location.self].isEmpty && beginning.changes.count == 100)
    let again = try await run("redo", engine, &random)
    #expect(again[ShiftType.self] == end[ShiftType.self])
    #expect(again[ScheduledShift.self] == end[ScheduledShift.self])
    #expect(again[Location.self].isEmpty && again.changes.count == 150)
  }
}
