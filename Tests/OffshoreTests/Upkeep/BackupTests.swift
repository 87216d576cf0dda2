import CSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Offshore

@Suite(.timeLimit(.minutes(1)))
struct BackupTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let target: String

  init() async throws {
    folder = try TemporaryFolder()
    target = folder.file("copy.backup")
    database = try Database(folder.file("original.sqlite"))
    // 400 pages, so that a backup takes two steps.
    try await database.write { writer in
      try writer.run(Charter.creation)
      let location = String(repeating: "x", count: 16_000)
      for number in 0..<100 { try Charter("\(number)", location: location).insert(writer) }
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix("original") }.sorted()
  }

  /// Returns the rows of a file, after SQLite's integrity check.
  private func charters(at path: String) throws -> [Charter] {
    let connection = try Connection(path)
    defer { connection.close() }
    #expect(try connection.integrityProblems() == [])
    return try connection.read { try Charter.order { $0.id }.all($0) }
  }

  private func backupError(
    to path: String, replacesExisting: Bool = false
  ) async -> DatabaseError? {
    do {
      try await database.backup(to: path, replacesExisting: replacesExisting)
      return nil
    } catch {
      return error as? DatabaseError
    }
  }

  // MARK: - The copy

  @Test func `A backup is one file with the rows of the last commit`() async throws {
    try await database.backup(to: target)
    #expect(try names() == ["copy.backup"])
    let originals = try await database.read { try Charter.order { $0.id }.all($0) }
    #expect(try charters(at: target) == originals)
  }

  @Test func `The progress ends with all pages`() async throws {
    let steps = Mutex<[BackupProgress]>([])
    try await database.backup(to: target) { step in steps.withLock { $0.append(step) } }
    let all = steps.withLock { $0 }
    let pageCount = try await database.statistics().pageCount
    #expect(all.count >= 2)
    #expect(all.first?.copiedPages == 256)
    #expect(all.last == BackupProgress(copiedPages: pageCount, totalPages: pageCount))
    #expect(all.last?.fraction == 1)
    #expect(all.map(\.fraction) == all.map(\.fraction).sorted())
  }

  @Test func `The progress of an empty database is complete`() {
    #expect(BackupProgress(copiedPages: 0, totalPages: 0).fraction == 1)
  }

  @Test func `A backup has the permissions of its original`() async throws {
    let original = database.path
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: original)
    try await database.backup(to: target)
    let attributes = try FileManager.default.attributesOfItem(atPath: target)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func `A backup during many commits is one of the committed states`()
    async throws
  {
    let (committed, commits, isOver) = (Gate(), Counter(), Counter())
    let countBefore = 100
    let writer = Task {
      while isOver.value == 0 {
        // Two rows, so that half a commit would be visible.
        try await database.write { writer in
          try Charter("left", location: String(repeating: "y", count: 3000)).insert(writer)
          try Charter("right").insert(writer)
        }
        commits.increase()
        committed.open()
      }
    }
    // Each of the first steps waits for another commit, whose pages the copy must not have.
    let steps = Counter()
    try await database.backup(to: target) { _ in
      steps.increase()
      if steps.value < 3 { committed.wait() }
    }
    let commitsAtEnd = commits.value
    isOver.increase()
    try await writer.value
    let copied = try charters(at: target)
    let (left, right) = (copied.count { $0.name == "left" }, copied.count { $0.name == "right" })
    #expect(left == right)
    #expect(copied.count == countBefore + left + right)
    #expect(left < commitsAtEnd)
    #expect(commitsAtEnd >= 1)
    #expect(try names() == ["copy.backup"])
  }

  @Test func `Writes and reads continue while a backup is suspended`() async throws {
    let (reached, goOn) = (Gate(), Gate())
    let backup = Task {
      try await database.backup(to: target) { _ in
        reached.open()
        goOn.wait()
      }
    }
    await reached.opened()
    try await database.write { try Charter("new").insert($0) }
    #expect(try await database.read { try Charter.all.count($0) } == 101)
    for _ in 0..<100 { goOn.open() }
    try await backup.value
    #expect(try charters(at: target).count == 100)
  }

  // MARK: - The path

  @Test func `An existing file at the path stays, and is an error`() async throws {
    try Data("precious".utf8).write(to: URL(filePath: target))
    let error = await backupError(to: target)
    #expect(error?.code == .fileExists)
    #expect(
      error?.message == "There is a file at this path already. Choose another, or replace it.")
    #expect(FileManager.default.contents(atPath: target) == Data("precious".utf8))
    #expect(try names() == ["copy.backup"])
  }

  @Test func `A former backup is replaced if the caller asks`() async throws {
    try await database.backup(to: target)
    try await database.write { try Charter("new").insert($0) }
    try await database.backup(to: target, replacesExisting: true)
    #expect(try charters(at: target).count == 101)
    #expect(try names() == ["copy.backup"])
  }

  @Test func `A file that appears while a backup runs is not replaced`() async throws {
    let path = target
    do {
      try await database.backup(to: path) { _ in
        try? Data("precious".utf8).write(to: URL(filePath: path))
      }
      Issue.record("The file was replaced.")
    } catch let error as DatabaseError {
      #expect(error.code == .fileExists)
    }
    #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))
    #expect(try names() == ["copy.backup"])
  }

  @Test func `The path of a database in use is refused, its own and another's`() async throws {
    let other = try Connection(folder.file("other.sqlite"))
    defer { other.close() }
    try other.execute("CREATE TABLE notes (text)")
    for path in [database.path, other.path] {
      let error = await backupError(to: path, replacesExisting: true)
      #expect(error?.code == .fileExists)
      #expect(error?.message.hasPrefix("The path is that of a database in use.") == true)
    }
    #expect(try await database.read { try Charter.all.count($0) } == 100)
  }

  @Test func `A missing folder and a folder in place of the file are errors`() async throws {
    let missing = await backupError(to: folder.file("nowhere/copy"))
    #expect(missing?.code == .cannotOpen)
    #expect(missing?.message.contains("folder") == true)
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    let error = await backupError(to: target, replacesExisting: true)
    #expect(error?.code == .cannotOpen)
    #expect(error?.message == "The target is not a file. Choose another path.")
    #expect(try names() == ["copy.backup"])
  }

  // MARK: - Ends

  @Test func `A cancelled backup leaves nothing, and the former one stays`() async throws {
    try await database.backup(to: target)
    try await database.write { try Charter("new").insert($0) }
    let (reached, goOn) = (Gate(), Gate())
    let backup = Task {
      try await database.backup(to: target, replacesExisting: true) { _ in
        reached.open()
        goOn.wait()
      }
    }
    await reached.opened()
    backup.cancel()
    for _ in 0..<100 { goOn.open() }
    await #expect(throws: CancellationError.self) { try await backup.value }
    #expect(try names() == ["copy.backup"])
    #expect(try charters(at: target).count == 100)
  }

  @Test func `Concurrent backups to one path are refused`() async throws {
    let (reached, goOn) = (Gate(), Gate())
    let backup = Task {
      try await database.backup(to: target) { _ in
        reached.open()
        goOn.wait()
      }
    }
    await reached.opened()
    let error = await backupError(to: target)
    #expect(error?.code == .busy)
    #expect(
      error?.message == "Another file for the same path is being written. Wait for its end.")
    for _ in 0..<100 { goOn.open() }
    try await backup.value
    #expect(try charters(at: target).count == 100)
  }

  @Test func `A copy that another program has locked is an error, and not taken for whole`()
    async throws
  {
    var reader: OpaquePointer?
    sqlite3_open(target + ".partial", &reader)
    sqlite3_exec(reader, "BEGIN; SELECT * FROM sqlite_schema", nil, nil, nil)
    let error = await backupError(to: target)
    #expect(error?.code == .busy)
    #expect(try names() == [])
    sqlite3_close(reader)
    try await database.backup(to: target)
    #expect(try charters(at: target).count == 100)
  }

  @Test func `The rest of a killed process is overwritten`() async throws {
    let rest = Data(repeating: 7, count: 10_000_000)
    try rest.write(to: URL(filePath: target + ".partial"))
    try await database.backup(to: target)
    #expect(try names() == ["copy.backup"])
    #expect(try charters(at: target).count == 100)
  }

  @Test func `A whole backup stays if its process was killed before it lost its first name`()
    async throws
  {
    try await database.backup(to: target)
    let whole = FileManager.default.contents(atPath: target)
    #expect(link(target, target + ".partial") == 0)
    let file = try ReplacementFile(target, replacesExisting: true)
    #expect(FileManager.default.contents(atPath: target) == whole)
    #expect(try names() == ["copy.backup", "copy.backup.partial"])
    try file.finish()
    #expect(FileManager.default.contents(atPath: target) == Data())
    #expect(try names() == ["copy.backup"])
  }

  @Test func `A closed database makes no backup`() async throws {
    await database.close()
    #expect(await backupError(to: target)?.code == .closed)
    #expect(try names() == [])
  }
}
