import Foundation
import OffshoreFiles
import OffshorePresentation
import OffshorePresentationTesting
import Synchronization
import TestSupport
import Testing

@testable import ShiftScheduler

/// The files of the engine in JSON.
struct FileRepositoryTests {
  private let folder: TemporaryFolder
  private let repository: JSONFilePersistenceRepository

  init() throws {
    folder = try TemporaryFolder()
    repository = JSONFilePersistenceRepository(DocumentFolder(folder.path), .numbered())
  }

  private func text(_ kind: RecordKind) throws -> String {
    try String(contentsOfFile: folder.file(kind.rawValue), encoding: .utf8)
  }

  private func write(_ text: String, _ kind: RecordKind) throws {
    try Data(text.utf8).write(to: URL(filePath: folder.file(kind.rawValue)))
  }

  @Test func `Nothing is created before the first save`() async throws {
    let path = folder.file("data/app")
    let repository = JSONFilePersistenceRepository(directory: URL(filePath: path))
    #expect(try await repository.loadShifts() == [])
    #expect(!FileManager.default.fileExists(atPath: path))
    try await repository.saveLocations([.city])
    #expect(FileManager.default.fileExists(atPath: path + "/locations.json"))
  }

  @Test func `A file is a bare array with sorted keys and indentation`() async throws {
    try await repository.saveLocations([.harbor])
    #expect(
      try text(.locations) == """
        [
          {
            "address" : "Quay 7",
            "id" : "00000000-0000-0000-0000-000000000001",
            "name" : "Harbor"
          }
        ]

        """)
  }

  @Test func `Any decoder with dates of ISO 8601 reads the changes`() async throws {
    try await repository.saveLocation(.city)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let changes = try decoder.decode([ScheduleChange].self, from: Data(try text(.changes).utf8))
    #expect(try await repository.loadChanges() == changes)
    #expect(changes.first?.moment == Date(timeIntervalSinceReferenceDate: 800_000_001))
  }

  @Test func `A file of another program with fewer fields is loaded`() async throws {
    try write(#"[{"id":"00000000-0000-0000-0000-000000000002","name":"City"}]"#, .locations)
    #expect(try await repository.loadLocations() == [.city])
  }

  @Test(arguments: [
    "", "[{]", #"[{"id":"x","name":"Quay"}]"#, "\u{0}", "{}",
    #"[{"id":"00000000-0000-0000-0000-000000000002","name":"a"},{"id":"00000000-0000-0000-0000-000000000002","name":"b"}]"#,
  ])
  func `A damaged file fails the load by its name, and its copy is restored`(
    _ damaged: String
  ) async throws {
    try await repository.saveLocations([.harbor, .city])
    try write(damaged, .locations)
    let error = await #expect(throws: FileError.self) {
      try await repository.loadLocations()
    }
    #expect(error?.code == .corrupted && error?.file == "locations.json")
    #expect(error?.asAppError == .database(.fileDamaged(name: "locations.json", hasCopy: true)))
    let aside = try #require(error?.setAside)
    #expect(try String(contentsOfFile: aside, encoding: .utf8) == damaged)
    await #expect(throws: FileError.self) { try await repository.saveLocation(.city) }
    try await repository.files.restoreLastGoodCopy(of: "locations.json")
    #expect(try await repository.loadLocations() == [.harbor, .city])
    #expect(try String(contentsOfFile: aside, encoding: .utf8) == damaged)
  }

  @Test func `A damaged file without a copy can be started again`() async throws {
    try write("[", .shifts)
    await #expect(throws: FileError.self) { try await repository.loadShifts() }
    await #expect(throws: FileError.self) {
      try await repository.files.restoreLastGoodCopy(of: "shifts.json")
    }
    try await repository.files.restart("shifts.json")
    #expect(try await repository.loadShifts() == [])
    try await repository.saveShift(.june(1))
    #expect(try await repository.loadShifts() == [.june(1)])
  }

  @Test(arguments: RecordKind.allCases)
  func `Each damaged file is restored or started again`(_ kind: RecordKind) async throws {
    try await repository.apply([
      .location(before: nil, after: .city), .shiftType(before: nil, after: .early),
      .shift(before: nil, after: .june(1)),
    ])
    let content = try text(kind)
    try write("[", kind)
    try await repository.files.restoreLastGoodCopy(of: kind.rawValue)
    #expect(try text(kind) == content)
    try await repository.files.restart(kind.rawValue)
    #expect(try text(kind) == content)
    try write("[", kind)
    try await repository.files.restart(kind.rawValue)
    #expect(try text(kind) == "[\n\n]\n")
  }

  @Test func `A file of a newer version is refused and stays`() async throws {
    let newer = #"{"version":9,"value":[]}"#
    try write(newer, .shifts)
    let error = await #expect(throws: FileError.self) { try await repository.loadShifts() }
    #expect(error?.code == .newerVersion)
    await #expect(throws: FileError.self) { try await repository.saveShifts([.june(1)]) }
    #expect(try text(.shifts) == newer)
  }

  @Test func `A failing disk leaves the records and the log as they were`() async throws {
    try await repository.saveShifts([.june(1)])
    let counted = CountedFailure()
    var environment = FolderEnvironment()
    environment.operations = counted.operations
    let failing = JSONFilePersistenceRepository(
      DocumentFolder(folder.path, environment), .numbered())
    var number = 0
    while true {
      counted.restart(failing: number)
      let isSaved = (try? await failing.saveShifts([.june(2)])) != nil
      let stored = try await repository.loadShifts()
      #expect(stored == (isSaved ? [.june(2)] : [.june(1)]), "operation \(number)")
      #expect(try await repository.loadChanges().count == (isSaved ? 2 : 1))
      if isSaved { break }
      number += 1
    }
    #expect(number > 3)
  }
}

/// Operations on files of which one fails as if the disk was full.
private final class CountedFailure: Sendable {
  private let state = Mutex((count: 0, failing: Int.max))

  func restart(failing: Int) { state.withLock { $0 = (0, failing) } }

  var operations: FileOperations {
    FileOperations { [self] _ in
      state.withLock { state in
        state.count += 1
        return state.count == state.failing + 1 ? ENOSPC : 0
      }
    }
  }
}
