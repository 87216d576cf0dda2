import Foundation
import OffshoreFiles
import Synchronization
import Testing

/// The comparison of the engines of an app.
struct EngineComparisonTests {
  private let folder: TestFolder
  private let directory: URL

  init() throws {
    folder = try TestFolder()
    directory = URL(filePath: folder.path).appending(path: "engines")
  }

  @Test func `An engine is filled once, and each step is measured on its elements`() async throws {
    let calls = Mutex<[String]>([])
    let comparison = EngineComparison(in: directory) { engine, directory, count in
      calls.withLock { $0.append("fill \(engine) \(count)") }
      let group = FileGroup<FleetChange>(DocumentFolder(directory.path))
      try await group.replaceLoaded((1...UInt8(count)).map { Boat($0) })
    } load: { _, directory in
      let group = FileGroup<FleetChange>(DocumentFolder(directory.path))
      let boat = try await group.load(Boat.self)[0]
      return EngineComparison.Steps { round in
        calls.withLock { $0.append("save \(round)") }
        try await group.perform(.save(Boat(id: boat.id, name: "\(round)")))
      } month: {
        calls.withLock { $0.append("month") }
        let boats = try await group.load(Boat.self)
        #expect(boats[0].name == "5")
      }
    }
    let measured = try await comparison.measure(.files, count: 3)
    #expect(measured.engine == .files && measured.count == 3 && measured.bytes > 0)
    for time in [measured.load, measured.saveOne, measured.month] { #expect(time > .zero) }
    #expect(
      calls.withLock(\.self)
        == ["fill files 3"] + (1...5).map { "save \($0)" }
        + Array(repeating: "month", count: 5))
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }

  @Test func `A step that fails leaves no files`() async throws {
    struct Failure: Error {}
    let comparison = EngineComparison(in: directory) { _, directory, _ in
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    } load: { _, _ in
      throw Failure()
    }
    await #expect(throws: Failure.self) { try await comparison.measure(.shared, count: 1) }
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }
}
