import Foundation
import OffshoreFiles
import TestSupport
import Testing

@testable import ShiftScheduler

/// Records that are shared in memory and stored in files.
struct SharedRepositoryTests {
  private let folder: TemporaryFolder
  private let files: JSONFilePersistenceRepository
  private var directory: URL { URL(filePath: folder.path) }

  init() throws {
    folder = try TemporaryFolder()
    files = JSONFilePersistenceRepository(directory: URL(filePath: folder.path))
  }

  @Test func `Its files are those of the engine of files`() async throws {
    let shared = SharedPersistenceRepository(directory: directory)
    try await shared.saveShifts([.june(1), .june(2)])
    try await shared.saveLocation(.city)
    #expect(try await files.loadShifts() == [.june(1), .june(2)])
    #expect(try await files.loadLocations() == [.city])
    #expect(try await files.loadChanges().count == 2)
    try await files.saveShift(.june(3))
    #expect(try await shared.loadShifts() == [.june(1), .june(2), .june(3)])
    #expect(try await shared.loadChanges() == files.loadChanges())
  }

  @Test func `A save keeps what another process has added since the last load`() async throws {
    let shared = SharedPersistenceRepository(directory: directory)
    try await shared.saveShifts([.june(1), .june(2)])
    _ = try await shared.loadShifts()
    try await files.saveShift(.june(7))
    try await shared.saveShifts([.june(2)])
    #expect(try await files.loadShifts() == [.june(2), .june(7)])
  }

  @Test func `Edits are refused if another process has changed their record`() async throws {
    let shared = SharedPersistenceRepository(directory: directory)
    try await shared.saveShift(.june(1))
    try await files.saveShift(.june(1, status: .done))
    await #expect(throws: EditRefusal.self) {
      try await shared.apply([.shift(before: .june(1), after: nil)])
    }
    #expect(try await files.loadShifts() == [.june(1, status: .done)])
  }

  @Test func `A save that fails leaves the records in memory as they were`() async throws {
    let shared = SharedPersistenceRepository(directory: directory)
    try await shared.saveShifts([.june(1)])
    try Data("[".utf8).write(to: URL(filePath: folder.file("changes.json")))
    await #expect(throws: FileError.self) { try await shared.saveShifts([.june(2)]) }
    #expect(try await shared.loadShifts() == [.june(1)])
    try await files.files.restoreLastGoodCopy(of: "changes.json")
    try await shared.saveShift(.june(3))
    #expect(try await files.loadShifts() == [.june(1), .june(3)])
  }
}
