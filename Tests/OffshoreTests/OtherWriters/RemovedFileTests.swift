import Foundation
import TestSupport
import Testing

@testable import Offshore

/// A file that is deleted, moved or replaced while it is open.
@Suite(.timeLimit(.minutes(1)))
struct RemovedFileTests {
  /// Ways to remove a file from a database.
  enum Removal: CaseIterable {
    case deletion, move, replacement, deletionOfLog, deletionOfIndex, deletionOfAll, moveOfFolder
    case deletionOfFolder

    /// Performs the removal.
    func perform(on path: String) throws {
      let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
      let files = FileManager.default
      switch self {
      case .deletion: try files.removeItem(atPath: path)
      case .move: try files.moveItem(atPath: path, toPath: path + ".moved")
      case .replacement:
        try Data("other".utf8).write(to: URL(filePath: path + ".new"))
        #expect(rename(path + ".new", path) == 0)
      case .deletionOfLog: try files.removeItem(atPath: path + "-wal")
      case .deletionOfIndex: try files.removeItem(atPath: path + "-shm")
      case .deletionOfAll:
        for suffix in ["", "-wal", "-shm"] { try files.removeItem(atPath: path + suffix) }
      case .moveOfFolder: try files.moveItem(atPath: folder, toPath: folder.dropLast() + "-moved")
      case .deletionOfFolder: try files.removeItem(atPath: folder)
      }
    }
  }

  /// A database in a folder below that of the test.
  private struct Fixture {
    let folder: TemporaryFolder
    let path: String
    let database: Database

    init() async throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.file("data"), withIntermediateDirectories: true)
      path = folder.file("data/shared.sqlite")
      database = try Database(path, configuration: .quick)
      try await database.write { try $0.run(Charter.creation) }
    }

    /// The names of all files below the folder.
    var names: [String] {
      FileManager.default.subpaths(atPath: folder.path)?.sorted() ?? []
    }
  }

  private let sentence =
    "The file, or the log beside it, was deleted, moved or replaced while the database was open. "
    + "Nothing more is read or stored. Close the database, restore the file, and open it again."

  @Test(arguments: Removal.allCases)
  func `A database whose file was removed refuses to read and write, and creates no new file`(
    removal: Removal
  ) async throws {
    let fixture = try await Fixture()
    let database = fixture.database
    var values = database.names().makeAsyncIterator()
    _ = try await values.next()
    try removal.perform(on: fixture.path)
    let names = fixture.names
    let observed = await #expect(throws: DatabaseError.self) { _ = try await values.next() }
    #expect(observed?.code == .fileRemoved)
    #expect(observed?.message == sentence)
    for _ in 0..<2 {
      await #expect(throws: DatabaseError.fileRemoved) { try await database.write { _ in } }
      await #expect(throws: DatabaseError.fileRemoved) { try await database.read { _ in } }
      await #expect(throws: DatabaseError.fileRemoved) { try await database.checkpoint() }
      await #expect(throws: DatabaseError.fileRemoved) { try await database.vacuum() }
      await #expect(throws: DatabaseError.fileRemoved) { try await database.optimize() }
    }
    #expect(fixture.names == names)
    await database.close()
    let left = ["data/shared.sqlite", "data/shared.sqlite.moved"].filter { names.contains($0) }
    #expect(left.allSatisfy { fixture.names.contains($0) })
    if removal == .replacement {
      #expect(FileManager.default.contents(atPath: fixture.path) == Data("other".utf8))
    }
  }

  @Test(arguments: [Removal.deletion, .move, .replacement, .moveOfFolder])
  func `A write right after the removal is not acknowledged`(removal: Removal)
    async throws
  {
    for _ in 0..<20 {
      let fixture = try await Fixture()
      try removal.perform(on: fixture.path)
      await #expect(throws: DatabaseError.fileRemoved) {
        try await fixture.database.write { try Charter("Cita").insert($0) }
      }
      await #expect(throws: DatabaseError.fileRemoved) { try await fixture.database.read { _ in } }
      await fixture.database.close()
    }
  }

  @Test func `A file that replaces an open one is opened once that one is closed`() async throws {
    let fixture = try await Fixture()
    try Removal.deletionOfAll.perform(on: fixture.path)
    #expect(databaseError { _ = try Database(fixture.path) } == .fileRemoved)
    #expect(!fixture.names.contains("data/shared.sqlite"))
    await fixture.database.close()
    let database = try Database(fixture.path)
    #expect(
      try await database.read { try $0.integers("SELECT count(*) FROM sqlite_schema") } == [0])
    await database.close()
  }

  @Test func `A file with other permissions or an additional name is still the same file`()
    async throws
  {
    let fixture = try await Fixture()
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.path)
    try FileManager.default.linkItem(
      atPath: fixture.path, toPath: fixture.folder.file("data/backup.sqlite"))
    try FileManager.default.removeItem(atPath: fixture.folder.file("data/backup.sqlite"))
    var values = fixture.database.names().makeAsyncIterator()
    #expect(try await values.next() == [])
    try await fixture.database.write { try Charter.alma.insert($0) }
    #expect(try await values.next() == ["Alma"])
    await fixture.database.close()
  }

  @Test func `All databases of the file refuse work`() async throws {
    let fixture = try await Fixture()
    let second = try Database(fixture.path, configuration: .quick)
    try Removal.deletion.perform(on: fixture.path)
    await #expect(throws: DatabaseError.fileRemoved) {
      try await fixture.database.write { try Charter.alma.insert($0) }
    }
    await #expect(throws: DatabaseError.fileRemoved) { try await second.read { _ in } }
    await fixture.database.close()
    await second.close()
  }
}
