import Foundation
import OffshoreFiles
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import ShiftScheduler

/// The data folder, moves between engines, and backups.
struct ScheduleStorageTests {
  private let folder: TemporaryFolder
  private let storage: ScheduleStorage

  init() throws {
    folder = try TemporaryFolder()
    storage = ScheduleStorage(
      directory: URL(filePath: folder.path, directoryHint: .isDirectory), stamp: .numbered())
  }

  private func fill(_ repository: any PersistenceRepository) async throws {
    try await repository.saveLocations([.city, .harbor])
    try await repository.saveShiftTypes([.night, .early])
    try await repository.saveShifts([9, 3, 7, 1].map { .june($0) })
    try await repository.deleteShift(id: ScheduledShift.june(3).id)
  }

  private func expectEqual(
    _ left: any PersistenceRepository, _ right: any PersistenceRepository
  ) async throws {
    #expect(try await left.loadLocations() == right.loadLocations())
    #expect(try await left.loadShiftTypes() == right.loadShiftTypes())
    #expect(try await left.loadShifts() == right.loadShifts())
    #expect(try await left.loadChanges() == right.loadChanges())
  }

  @Test func `Files are the first engine, and nothing is created`() async throws {
    #expect(try await storage.settings.load() == AppSettings())
    #expect(try await storage.repository() is JSONFilePersistenceRepository)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `Records are moved to the database and back, and counted`() async throws {
    try await fill(storage.files)
    let counts = try await storage.move(to: .database)
    #expect(counts.shifts == 3 && counts.records == 7)
    let database = try await storage.repository()
    #expect(database is DatabaseRepository)
    #expect(try await database.loadChanges().count == 4)
    try await expectEqual(database, storage.files)
    try await database.saveShift(.june(20))
    #expect(try await storage.files.loadShifts().count == 3)
    #expect(try await storage.move(to: .files).shifts == 4)
    #expect(try await storage.repository() is JSONFilePersistenceRepository)
    try await expectEqual(database, storage.files)
    #expect(try await storage.files.loadShifts().map(\.id) == database.loadShifts().map(\.id))
  }

  @Test func `Changes are undone in the other engine`() async throws {
    try await fill(storage.files)
    _ = try await storage.move(to: .database)
    let database = try await storage.repository()
    let last = try #require(UndoHistory(try await database.loadChanges()).undoable.last)
    try await database.apply(last.inverse.edits)
    #expect(Set(try await database.loadShifts()) == Set([9, 3, 7, 1].map { .june($0) }))
  }

  @Test func `A move that fails leaves the engine`() async throws {
    try await fill(storage.files)
    try Data("[".utf8).write(to: URL(filePath: folder.file("shifts.json")))
    await #expect(throws: FileError.self) { try await storage.move(to: .database) }
    #expect(try await storage.settings.load().engine == .files)
    try await storage.files.files.restoreLastGoodCopy(of: "shifts.json")
    #expect(try await storage.move(to: .database).shifts == 3)
  }

  @Test func `A database of an account stays the engine`() async throws {
    _ = try await storage.move(to: .database)
    let account = LinkedAccount(id: UUID(), name: "ann")
    try await storage.database().store.link(account, token: nil)
    await #expect(throws: MoveError.accountLinked) { try await storage.move(to: .files) }
    #expect(try await storage.settings.load().engine == .database)
  }

  @Test func `The database of an account keeps its records if the settings were lost`()
    async throws
  {
    try await fill(storage.files)
    _ = try await storage.move(to: .database)
    let database = try await storage.repository()
    try await database.saveShift(.june(20))
    let shifts = try await database.loadShifts()
    try FileManager.default.removeItem(atPath: folder.file("settings.json"))
    try await storage.settings.save(AppSettings())
    #expect(try await storage.settings.load().engine == .files)
    try await storage.useDatabase(merges: false)
    #expect(try await storage.settings.load().engine == .database)
    #expect(try await database.loadShifts() == shifts)
  }

  @Test func `The records of files are added to those of the database of an account`()
    async throws
  {
    let database = try storage.repository(of: .database)
    try await database.saveShift(.june(20))
    try await fill(storage.files)
    try await storage.useDatabase(merges: true)
    #expect(Set(try await database.loadShifts()) == Set([20, 9, 7, 1].map { .june($0) }))
    // The addition can be undone.
    let last = try #require(try await database.loadChanges().last)
    try await database.apply(last.inverse.edits)
    #expect(try await database.loadShifts() == [.june(20)])
  }

  @Test func `An empty database of an account gets the records of files with their log`()
    async throws
  {
    try await fill(storage.files)
    try await storage.useDatabase(merges: false)
    try await expectEqual(try await storage.repository(), storage.files)
  }

  @Test func `Files and shared records have the same files`() async throws {
    try await fill(storage.files)
    #expect(try await storage.move(to: .shared) == RecordCounts())
    let shared = try await storage.repository()
    #expect(shared is SharedPersistenceRepository)
    try await expectEqual(shared, storage.files)
    #expect(try await storage.move(to: .database).shifts == 3)
  }

  @Test func `The settings stay in their file`() async throws {
    _ = try await storage.move(to: .database)
    try await storage.settings.update { $0.language = "ru" }
    let text = try String(contentsOfFile: folder.file("settings.json"), encoding: .utf8)
    #expect(text == "{\n  \"engine\" : \"database\",\n  \"language\" : \"ru\"\n}\n")
  }

  @Test(arguments: [(500, 500, false), (501, 0, true), (500, 501, true), (0, 1_000, false)])
  func `A database is offered beyond 500 shifts or 1,000 records`(
    _ shifts: Int, _ others: Int, _ isOffered: Bool
  ) {
    var counts = RecordCounts()
    (counts.shifts, counts.records) = (shifts, shifts + others)
    #expect(counts.exceedsFiles == isOffered)
  }

  // MARK: - Backups

  @Test(arguments: StorageEngine.allCases)
  func `A backup is restored to each engine, with the log`(_ engine: StorageEngine) async throws {
    try await fill(storage.files)
    let data = try await storage.files.group.content().backup()
    let folder = try TemporaryFolder()
    let other = try ScheduleStorage(directory: URL(filePath: folder.path)).repository(of: engine)
    try await other.group.restore(ScheduleContent(backup: data))
    try await expectEqual(other, storage.files)
    let last = try #require(UndoHistory(try await other.loadChanges()).undoable.last)
    try await other.apply(last.inverse.edits)
    #expect(try await other.loadShifts().count == 4)
  }

  @Test func `A restored backup can be undone`() async throws {
    let repository = InMemoryRepository(shifts: [.june(1), .june(2)])
    let backup = InMemoryRepository(locations: [.city], shifts: [.june(2), .june(9)])
    try await repository.group.restore(backup.group.content())
    #expect(try await repository.loadShifts() == [.june(2), .june(9)])
    #expect(try await repository.loadLocations() == [.city])
    let change = try #require(try await repository.loadChanges().last)
    try await repository.apply(change.inverse.edits)
    #expect(try await repository.loadShifts() == [.june(1), .june(2)])
  }
}
