import Foundation
import OffshoreTesting
import TestSupport
import Testing

@testable import Offshore

struct MigrationBackupTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("app.sqlite")
  }

  private static let steps = (1...4).map { number in
    Migration("v\(number)") { writer in
      try writer.connection.run(SQL(raw: "CREATE TABLE t\(number) (x)"))
    }
  }

  private func migrate(_ count: Int) throws {
    try migrate(Array(Self.steps.prefix(count)))
  }

  private func migrate(_ steps: [Migration]) throws {
    let connection = try Connection(path)
    defer { connection.close() }
    try connection.migrate(Migrations(steps))
  }

  /// The names of the files beside the database.
  private var others: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0 != "app.sqlite" }.sorted()
    }
  }

  @Test func `The first run on a new file makes no backup`() throws {
    try migrate(2)
    #expect(try others == [])
  }

  @Test func `A later run backs up the file as it was before its first migration`() throws {
    try migrate(1)
    do {
      let connection = try Connection(path)
      try connection.change("INSERT INTO t1 VALUES ('kept')")
    }
    try migrate(3)
    #expect(try others == ["app.sqlite.before-v2.backup"])
    let backup = try Connection(folder.file("app.sqlite.before-v2.backup"))
    #expect(try backup.appliedMigrations() == ["v1"])
    #expect(try backup.texts("SELECT x FROM t1") == ["kept"])
    #expect(try Schema(backup).tables.map(\.name) == ["t1"])
  }

  @Test func `The backup contains changes that are only in the log of another connection`() throws {
    try migrate(1)
    let other = try Connection(path)
    try other.change("INSERT INTO t1 VALUES ('in the log')")
    try migrate(2)
    let backup = try Connection(folder.file("app.sqlite.before-v2.backup"))
    #expect(try backup.texts("SELECT x FROM t1") == ["in the log"])
    other.close()
  }

  @Test func `The next successful run replaces the backup`() throws {
    for count in 1...4 { try migrate(count) }
    #expect(try others == ["app.sqlite.before-v4.backup"])
  }

  @Test func `A run without migrations preserves the backup`() throws {
    try migrate(1)
    try migrate(2)
    try migrate(2)
    #expect(try others == ["app.sqlite.before-v2.backup"])
  }

  @Test func `A failed run preserves its own backup and the one before`() throws {
    try migrate(1)
    try migrate(2)
    let bad = Migration("v3") { _ in throw CocoaError(.userCancelled) }
    #expect(throws: DatabaseError.self) { try migrate(Self.steps.prefix(2) + [bad]) }
    #expect(try others == ["app.sqlite.before-v2.backup", "app.sqlite.before-v3.backup"])
  }

  @Test func `A run after a failed one backs up the changes made in between`() throws {
    try migrate(1)
    let bad = Migration("v2") { _ in throw CocoaError(.userCancelled) }
    #expect(throws: DatabaseError.self) { try migrate([Self.steps[0], bad]) }
    do {
      let connection = try Connection(path)
      try connection.change("INSERT INTO t1 VALUES ('later')")
    }
    try migrate(2)
    let backup = try Connection(folder.file("app.sqlite.before-v2.backup"))
    #expect(try backup.texts("SELECT x FROM t1") == ["later"])
  }

  @Test func `Backups of other files are not touched`() throws {
    let foreign = folder.file("app.sqlite2.before-v1.backup")
    let unlike = folder.file("app.sqlite.before-lunch")
    for path in [foreign, unlike] { try Data("x".utf8).write(to: URL(filePath: path)) }
    for count in 1...3 { try migrate(count) }
    #expect(FileManager.default.fileExists(atPath: foreign))
    #expect(FileManager.default.fileExists(atPath: unlike))
  }

  @Test func `Remains of an interrupted backup do not prevent the next one`() throws {
    try migrate(1)
    let partial = folder.file("app.sqlite.before-v2.backup.partial")
    for path in [partial, partial + "-journal"] {
      try Data("half".utf8).write(to: URL(filePath: path))
    }
    try migrate(2)
    #expect(try others == ["app.sqlite.before-v2.backup"])
    let backup = try Connection(folder.file("app.sqlite.before-v2.backup"))
    #expect(try backup.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `A backup that another process makes in the meantime is preserved`() throws {
    try migrate(1)
    try migrate(2)
    let other = folder.file("app.sqlite.before-v9.backup")
    let third = Migration("v3") { _ in try Data("other".utf8).write(to: URL(filePath: other)) }
    try migrate(Self.steps.prefix(2) + [third])
    #expect(try others == ["app.sqlite.before-v3.backup", "app.sqlite.before-v9.backup"])
  }

  @Test func `Special characters in the file's name are in the name of its backup`() throws {
    let path = folder.file("my app #1 50%?.sqlite")
    for count in 1...3 {
      try Connection(path).migrate(Migrations(Array(Self.steps.prefix(count))))
    }
    #expect(FileManager.default.fileExists(atPath: path + ".before-v3.backup"))
    #expect(!FileManager.default.fileExists(atPath: path + ".before-v2.backup"))
  }

  @Test func `A migration's name is made valid for a file name`() throws {
    let name = "v2/../../etc: \"x\" " + String(repeating: "long", count: 100)
    try migrate(1)
    try migrate([Self.steps[0], Migration(name) { _ in }])
    let backup = try #require(try others.first)
    #expect(backup.hasPrefix("app.sqlite.before-v2_.._.._etc___x__longlong"))
    #expect(backup.count < 100)
  }

  @Test func `If no backup can be made, nothing is migrated and no file remains`() throws {
    // The file's own name leaves no room for the name of a backup.
    let long = folder.file(String(repeating: "n", count: 245))
    let connection = try Connection(long)
    try connection.migrate(Migrations([Self.steps[0]]))
    let error = databaseError { try connection.migrate(Migrations(Array(Self.steps.prefix(2)))) }
    #expect(error?.code == .cannotOpen)
    #expect(error?.message.hasPrefix("No backup could be made before migration “v2”") == true)
    #expect(try connection.appliedMigrations() == ["v1"])
    #expect(try Schema(connection).tables.map(\.name) == ["t1"])
    connection.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test(arguments: [0o600, 0o640, 0o644])
  func `A backup has the same permissions as the file`(mode: Int) throws {
    try migrate(1)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    try migrate(2)
    let backup = folder.file("app.sqlite.before-v2.backup")
    let attributes = try FileManager.default.attributesOfItem(atPath: backup)
    #expect(attributes[.posixPermissions] as? Int == mode)
  }

  @Test func `The connection that copies is prepared like the one that migrates`() throws {
    try migrate(1)
    let count = Counter()
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { _ in count.increase() }
    let connection = try Connection(path, configuration: configuration)
    try connection.migrate(Migrations(Array(Self.steps.prefix(2))))
    #expect(count.value == 2)
  }

  @Test func `The name of a backup is on the disk before the first migration begins`() throws {
    try migrate(1)
    var found: [[String]] = []
    let connection = try Connection(path)
    defer { connection.close() }
    try connection.begin(.write)
    defer { connection.rollBack() }
    let backup = MigrationBackup(connection) { path in
      #expect(path == folder.file("app.sqlite.before-v2.backup"))
      found.append(try others.filter { $0.contains(".before") })
    }
    for _ in 0..<2 { _ = try backup.make(before: "v2") }
    let name = "app.sqlite.before-v2.backup"
    #expect(found == [[name], [name]])
  }

  @Test func `The error for a full disk has the space that a backup needs`() throws {
    try migrate(1)
    let connection = try Connection(path)
    defer { connection.close() }
    try connection.change("INSERT INTO t1 VALUES (zeroblob(2500000))")
    try connection.begin(.write)
    defer { connection.rollBack() }
    let backup = MigrationBackup(connection) { _ in
      throw DatabaseError(.diskFull, "The disk is full, so the file was not written.")
    }
    let error = databaseError { _ = try backup.make(before: "v2") }
    #expect(error?.code == .diskFull)
    #expect(error?.message.contains("needs up to 3 MB in the folder of the file") == true)
  }

  /// A folder on a file system of a few megabytes, which the suite of faults mounts.
  private static let smallDisk = ProcessInfo.processInfo.environment["OFFSHORE_SMALL_DISK"]

  @Test(.enabled(if: smallDisk != nil, "Set OFFSHORE_SMALL_DISK to a folder on a small disk."))
  func `A disk without room for a backup stops the run, and the file is unchanged`() throws {
    let small = try #require(Self.smallDisk) + "/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: small) }
    let connection = try Connection(small + "/app.sqlite")
    try connection.migrate(Migrations([Self.steps[0]]))
    try connection.change("INSERT INTO t1 VALUES (zeroblob(400000))")
    try fillDisk(small + "/filler")
    let files = try FileManager.default.contentsOfDirectory(atPath: small)
    let error = databaseError { try connection.migrate(Migrations(Array(Self.steps.prefix(2)))) }
    #expect(error?.code == .diskFull)
    #expect(error?.message.hasPrefix("No backup could be made") == true)
    #expect(error?.message.contains("needs up to 1 MB") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: small).sorted() == files.sorted())
    #expect(try connection.appliedMigrations() == ["v1"])
    #expect(try connection.texts("PRAGMA integrity_check") == ["ok"])
    try FileManager.default.removeItem(atPath: small + "/filler")
    #expect(try connection.migrate(Migrations(Array(Self.steps.prefix(2)))) == ["v2"])
  }

  /// Leaves about 100 KB of a disk free.
  private func fillDisk(_ path: String) throws {
    try Data().write(to: URL(filePath: path))
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? handle.close() }
    let block = Data(count: 50_000)
    while (try? handle.write(contentsOf: block)) != nil {}
    try handle.truncate(atOffset: handle.offset() - 100_000)
  }
}
