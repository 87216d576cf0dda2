import CSQLite
import Foundation
import TestSupport
import Testing

@testable import Offshore

@Suite(.timeLimit(.minutes(1)))
struct ReadOnlyTests {
  /// The bytes and the date of each file of a folder.
  private struct Contents: Equatable {
    struct File: Equatable {
      let bytes: Data?
      let date: Date?
    }

    let files: [String: File]

    init(_ folder: TemporaryFolder, isIncluded: (String) -> Bool = { _ in true }) throws {
      var files: [String: File] = [:]
      let manager = FileManager.default
      for name in try manager.contentsOfDirectory(atPath: folder.path) where isIncluded(name) {
        let path = folder.file(name)
        files[name] = File(
          bytes: manager.contents(atPath: path),
          date: try manager.attributesOfItem(atPath: path)[.modificationDate] as? Date)
      }
      self.files = files
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let readOnly = ReadOnlyFile.configuration
  private static let migrations = ReadOnlyFile.migrations

  private func makeFile(_ name: String = "a.sqlite", hasLog: Bool) throws -> String {
    try ReadOnlyFile.make(in: folder, name, hasLog: hasLog)
  }

  private func names(_ connection: Connection) throws -> [String] {
    try connection.read { try Charter.order { $0.name }.select { $0.name }.all($0) }
  }

  private func names(_ database: Database) async throws -> [String] {
    try await database.read { try Charter.order { $0.name }.select { $0.name }.all($0) }
  }

  private func error(_ body: () async throws -> Void) async -> DatabaseError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? DatabaseError
    }
  }

  // MARK: - Files that are not open elsewhere

  @Test(arguments: ["a.sqlite", "a b%20c?immutable=0&x#y é.sqlite"], [false, true])
  func `A file and its log are read and unchanged`(
    name: String, hasLog: Bool
  ) async throws {
    let path = try makeFile(name, hasLog: hasLog)
    let before = try Contents(folder)
    #expect(before.files.count == (hasLog ? 2 : 1))
    let database = try Database(path, migrations: Self.migrations, configuration: Self.readOnly)
    let expected = hasLog ? ["in the file", "in the log"] : ["in the file"]
    // On several connections, and more than once on each.
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<12 { group.addTask { try await names(database) } }
      for try await found in group { #expect(found == expected) }
    }
    #expect(try Contents(folder) == before)
    await database.close()
    #expect(try Contents(folder) == before)
  }

  @Test func `An empty log is ignored`() throws {
    let path = try makeFile(hasLog: false)
    try Data().write(to: URL(filePath: path + "-wal"))
    let before = try Contents(folder)
    let connection = try Connection(path, configuration: Self.readOnly)
    #expect(try names(connection) == ["in the file"])
    connection.close()
    #expect(try Contents(folder) == before)
  }

  @Test func `A file with a rollback journal mode is read and unchanged`() throws {
    let path = try makeFile(hasLog: false)
    var handle: OpaquePointer?
    sqlite3_open(path, &handle)
    sqlite3_exec(handle, "PRAGMA journal_mode = DELETE", nil, nil, nil)
    sqlite3_close(handle)
    let before = try Contents(folder)
    let connection = try Connection(path, configuration: Self.readOnly)
    #expect(try names(connection) == ["in the file"])
    connection.close()
    #expect(try Contents(folder) == before)
  }

  /// Writes the names of all charters anew in a journal mode.
  private func rewrite(
    _ path: String, _ mode: String, _ name: String
  ) -> OpaquePointer? {
    var handle: OpaquePointer?
    sqlite3_open(path, &handle)
    for sql in ["PRAGMA journal_mode = \(mode)", "UPDATE charters SET name = '\(name)'"] {
      sqlite3_exec(handle, sql, nil, nil, nil)
    }
    return handle
  }

  @Test(arguments: ["PERSIST", "TRUNCATE"])
  func `A file whose rollback journal stays beside it is read, and stays as it is`(
    _ mode: String
  ) async throws {
    let path = try makeFile(hasLog: false)
    sqlite3_close(rewrite(path, mode, "rewritten"))
    let before = try Contents(folder)
    #expect(before.files.keys.sorted() == ["a.sqlite", "a.sqlite-journal"])
    let database = try Database(path, migrations: Self.migrations, configuration: Self.readOnly)
    #expect(try await names(database) == ["rewritten"])
    #expect(database.watchError == nil)
    await database.close()
    #expect(try Contents(folder) == before)
  }

  @Test(arguments: ["DELETE", "PERSIST"])
  func `A file that is being written with a rollback journal is read as of the last commit`(
    _ mode: String
  ) async throws {
    let path = try makeFile(hasLog: false)
    let writer = rewrite(path, mode, "committed")
    defer { sqlite3_close(writer) }
    sqlite3_exec(writer, "BEGIN; UPDATE charters SET name = 'open'", nil, nil, nil)
    #expect(FileManager.default.fileExists(atPath: path + "-journal"))
    let database = try Database(path, configuration: Self.readOnly)
    #expect(try await names(database) == ["committed"])
    sqlite3_exec(writer, "COMMIT", nil, nil, nil)
    #expect(try await names(database) == ["open"])
    await database.close()
  }

  @Test func `A backup, a check and an export are made of it`() async throws {
    let path = try makeFile(hasLog: true)
    let before = try Contents(folder)
    let database = try Database(path, configuration: Self.readOnly)
    let target = try TemporaryFolder()
    try await database.backup(to: target.file("copy"))
    try await database.exportRows(of: Charter.all, to: target.file("rows"), as: .csv)
    #expect(try await database.integrityCheck() == [])
    #expect(try await database.statistics().logSize > 0)
    await database.close()
    #expect(try Contents(folder) == before)
    #expect(try names(try Connection(target.file("copy"))) == ["in the file", "in the log"])
  }

  // MARK: - Other connections

  @Test func `A file is read while another connection writes it`() async throws {
    let path = try makeFile(hasLog: true)
    let writer = try Connection(path)
    let database = try Database(path, configuration: Self.readOnly)
    #expect(try await names(database) == ["in the file", "in the log"])
    try writer.write { try Charter("later").insert($0) }
    #expect(try await names(database) == ["in the file", "in the log", "later"])
    let before = try Contents(folder) { !$0.hasSuffix("-shm") }
    await database.close()
    #expect(try Contents(folder) { !$0.hasSuffix("-shm") } == before)
    try writer.write { try Charter("last").insert($0) }
    #expect(try names(writer).count == 4)
  }

  @Test(arguments: [false, true])
  func `The changes of a writer that opens the file later are read`(hasLog: Bool) async throws {
    let path = try makeFile(hasLog: hasLog)
    let database = try Database(path, configuration: Self.readOnly)
    let before = try await names(database)
    let writer = try Connection(path)
    try writer.write { try Charter("later").insert($0) }
    #expect(try await names(database) == before + ["later"])
    try writer.write { try Charter("yet later").insert($0) }
    #expect(try await names(database) == before + ["later", "yet later"])
  }

  @Test(arguments: [false, true])
  func `A read that a writer disturbs is an error, and can be repeated`(hasLog: Bool) async throws {
    let path = try makeFile(hasLog: hasLog)
    let database = try Database(path, configuration: Self.readOnly)
    let disturbed = await error {
      try await database.read { reader in
        _ = try Charter.all.all(reader)
        let writer = try Connection(path)
        try writer.write { try Charter("later").insert($0) }
        writer.close()
      }
    }
    #expect(disturbed?.code == .busy)
    #expect(
      disturbed?.message
        == "Another process has changed the file, which is open read-only. "
        + "Repeat the read; open a connection again.")
    #expect(try await names(database).last == "later")
  }

  @Test func `A separate connection must be reopened after a change`() throws {
    let path = try makeFile(hasLog: false)
    let connection = try Connection(path, configuration: Self.readOnly)
    let writer = try Connection(path)
    try writer.write { try Charter("later").insert($0) }
    #expect(databaseError { _ = try names(connection) }?.code == .busy)
    connection.close()
    #expect(try names(Connection(path, configuration: Self.readOnly)).count == 2)
  }

  // MARK: - Refusals

  @Test(arguments: [false, true])
  func `A write is an error with the reason`(hasLog: Bool) async throws {
    let path = try makeFile(hasLog: hasLog)
    let before = try Contents(folder)
    let database = try Database(path, configuration: Self.readOnly)
    let sentence = "The file is open read-only. Open it without isReadOnly to change it."
    for write in [
      { try await database.write { try Charter("new").insert($0) } },
      { try await database.vacuum() }, { try await database.optimize() },
      { try await database.checkpoint(.truncate) },
      { try await database.importRows(of: Charter.self, from: path, as: .csv) },
    ] as [() async throws -> Void] {
      let error = await error(write)
      #expect(error?.code == .readOnly)
      #expect(error?.message == sentence)
    }
    let connection = try Connection(path, configuration: Self.readOnly)
    let outside = databaseError { try connection.execute("DELETE FROM charters") }
    #expect(outside?.code == .readOnly && outside?.message == sentence)
    #expect(outside?.sql == "DELETE FROM charters")
    connection.close()
    await database.close()
    #expect(try Contents(folder) == before)
  }

  @Test func `A missing file is an error, and is not created`() throws {
    let error = databaseError {
      _ = try Database(folder.file("a.sqlite"), configuration: Self.readOnly)
    }
    #expect(error?.code == .cannotOpen)
    #expect(
      error?.message
        == "There is no file to read. Check the path, or open it for writing to create it.")
    #expect(try Contents(folder).files.isEmpty)
  }

  @Test func `A file that lacks a migration is an error and unchanged`() throws {
    let path = try makeFile(hasLog: true)
    let before = try Contents(folder)
    let later = Migrations(
      Self.migrations.all + [Migration("v2_addPorts") { try SQL("CREATE TABLE p (x)").run($0) }])
    let error = databaseError {
      _ = try Database(path, migrations: later, configuration: Self.readOnly)
    }
    #expect(error?.code == .readOnly)
    #expect(
      error?.message
        == "The file lacks migration “v2_addPorts”, and is open read-only. Open "
        + "it once without isReadOnly.")
    #expect(try Contents(folder) == before)
  }

  @Test func `A file from a newer version is an error and unchanged`() throws {
    let path = try makeFile(hasLog: true)
    let before = try Contents(folder)
    let other: Migrations = [Migration("v0") { _ in }]
    let error = databaseError {
      _ = try Database(path, migrations: other, configuration: Self.readOnly)
    }
    #expect(error?.code == .newerVersion)
    #expect(try Contents(folder) == before)
  }

  @Test(arguments: [
    "not a database, but a text that is long enough to have a header and a first page",
    String(repeating: "{\"json\": true}\n", count: 500),
  ])
  func `A file that is not a database is an error and unchanged`(text: String) throws {
    let path = folder.file("garbage.sqlite")
    try Data(text.utf8).write(to: URL(filePath: path))
    let before = try Contents(folder)
    let error = databaseError { _ = try Connection(path, configuration: Self.readOnly) }
    #expect(error?.code == .notADatabase)
    #expect(try Contents(folder) == before)
  }

  @Test
  func `An interrupted write that must be rolled back is an error, and the file is unchanged`()
    throws
  {
    let source = try TemporaryFolder()
    var handle: OpaquePointer?
    sqlite3_open(source.file("a.sqlite"), &handle)
    sqlite3_exec(
      handle,
      """
      PRAGMA cache_size = 1;
      CREATE TABLE t (x);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO t SELECT hex(randomblob(500)) FROM n;
      BEGIN;
      UPDATE t SET x = hex(randomblob(500))
      """, nil, nil, nil)
    // The files that a killed process leaves.
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(
        atPath: source.file("a.sqlite" + suffix), toPath: folder.file("a.sqlite" + suffix))
    }
    sqlite3_close(handle)
    let before = try Contents(folder)
    let error = databaseError {
      _ = try Connection(folder.file("a.sqlite"), configuration: Self.readOnly)
    }
    #expect(error?.code == .readOnly)
    #expect(
      error?.message
        == "A write to the file was interrupted, and SQLite has to undo it. Open it once "
        + "without isReadOnly.")
    #expect(try Contents(folder) == before)
  }

  @Test func `The hook that prepares a writer is not called`() throws {
    let path = try makeFile(hasLog: false)
    var configuration = Self.readOnly
    configuration.prepareWriter = { _ in throw DatabaseError(.other, "It was called.") }
    _ = try Database(path, configuration: configuration)
  }

  @Test func `An observation delivers the first result`() async throws {
    let database = try Database(try makeFile(hasLog: true), configuration: Self.readOnly)
    for try await charters in database.values(of: Charter.all) {
      #expect(charters.count == 2)
      break
    }
    await database.close()
  }
}

/// A file that no connection has open, to be opened for reading alone.
enum ReadOnlyFile {
  static let configuration: DatabaseConfiguration = {
    var configuration = DatabaseConfiguration()
    configuration.isReadOnly = true
    return configuration
  }()

  static let migrations: Migrations = [
    Migration("v1_createCharters") { try $0.create(Charter.table) }
  ]

  /// Makes a file with a charter in the database, and perhaps another in its log alone, as a killed
  /// process leaves them.
  /// - Returns: the path.
  static func make(
    in folder: TemporaryFolder, _ name: String = "a.sqlite", hasLog: Bool
  ) throws -> String {
    let source = try TemporaryFolder()
    let connection = try Connection(source.file("a.sqlite"))
    try connection.migrate(migrations)
    try connection.write { try Charter("in the file").insert($0) }
    _ = try connection.checkpoint(.truncate)
    if hasLog { try connection.write { try Charter("in the log").insert($0) } }
    for suffix in ["", "-wal"] where suffix.isEmpty || hasLog {
      try FileManager.default.copyItem(
        atPath: source.file("a.sqlite" + suffix), toPath: folder.file(name + suffix))
    }
    return folder.file(name)
  }
}
