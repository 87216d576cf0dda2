import CSQLite
import Foundation
import TestSupport
import Testing

@testable import Offshore

struct OpeningTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the error of opening a file, if any, and whether the file's bytes are unchanged.
  private func open(_ path: String) throws -> (error: DatabaseError?, isUntouched: Bool) {
    let before = FileManager.default.contents(atPath: path)
    let error = databaseError { _ = try Connection(path) }
    return (error, FileManager.default.contents(atPath: path) == before)
  }

  /// Creates a file with a thousand rows in a table and an index, without a write-ahead log.
  private func makeFile(_ name: String) throws -> String {
    let path = folder.file(name)
    let connection = try Connection(path)
    try connection.execute(
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
      CREATE INDEX texts ON notes (text);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO notes SELECT i, 'some text ' || i FROM n
      """)
    connection.close()
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    return path
  }

  private func write(_ bytes: Data, _ name: String) throws -> String {
    let path = folder.file(name)
    try bytes.write(to: URL(filePath: path))
    return path
  }

  @Test func `A new file is created with a write-ahead log and the documented settings`()
    throws
  {
    let connection = try Connection(folder.file("new.sqlite"))
    #expect(try connection.texts("PRAGMA journal_mode") == ["wal"])
    #expect(try connection.number("PRAGMA foreign_keys") == 1)
    #expect(try connection.number("PRAGMA recursive_triggers") == 1)
    #expect(try connection.number("PRAGMA trusted_schema") == 0)
    #expect(try connection.number("PRAGMA synchronous") == 2)
    #expect(try connection.number("PRAGMA secure_delete") == 1)
  }

  @Test func `A database in memory stores rows, and ends with its connection`() throws {
    let (one, other) = (try Connection.inMemory(), try Connection.inMemory())
    try one.write { try SQL("CREATE TABLE notes (text TEXT)").run($0) }
    try one.write { try SQL("INSERT INTO notes VALUES ('a')").run($0) }
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try one.write { writer in
        try SQL("DELETE FROM notes").run(writer)
        throw Stop()
      }
    }
    #expect(try one.texts("SELECT text FROM notes") == ["a"])
    #expect(try one.number("PRAGMA foreign_keys") == 1)
    #expect(throws: DatabaseError.self) { try other.texts("SELECT text FROM notes") }
    one.close()
    #expect(throws: DatabaseError.self) { try one.texts("SELECT text FROM notes") }
    #expect(!FileManager.default.fileExists(atPath: ":memory:"))
  }

  @Test func `SQLite's name for a database in memory is not the path of a file`() throws {
    #expect(try open(":memory:").error?.code == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: ":memory:"))
  }

  @Test(arguments: [
    (DatabaseConfiguration.Synchronous.off, 0), (.normal, 1), (.full, 2),
  ]) func `The configuration decides when a commit is durable`(
    setting: DatabaseConfiguration.Synchronous, number: Int
  ) throws {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = setting
    let connection = try Connection(folder.file("a.sqlite"), configuration: configuration)
    #expect(try connection.number("PRAGMA synchronous") == number)
  }

  @Test func `An empty file becomes a database`() throws {
    let connection = try Connection(try write(Data(), "empty.sqlite"))
    #expect(try connection.texts("PRAGMA journal_mode") == ["wal"])
  }

  @Test func `A file with a rollback journal is switched to a write-ahead log and keeps its rows`()
    throws
  {
    let path = try makeFile("a.sqlite")
    var handle: OpaquePointer?
    sqlite3_open(path, &handle)
    sqlite3_exec(handle, "PRAGMA journal_mode = DELETE", nil, nil, nil)
    sqlite3_close(handle)
    let connection = try Connection(path)
    #expect(try connection.texts("PRAGMA journal_mode") == ["wal"])
    #expect(try connection.number("SELECT count(*) FROM notes") == 1000)
  }

  @Test(arguments: [
    "a b.sqlite", "é🌊.sqlite", "a%20b", "q?mode=ro", "a#b", "it's",
  ]) func `A path with special characters is opened like any other`(name: String) throws {
    try Connection(folder.file(name)).execute("CREATE TABLE t (x)")
    #expect(FileManager.default.fileExists(atPath: folder.file(name)))
  }

  // MARK: - Files that are not databases

  @Test(arguments: [
    "not a database, but a text that is long enough to have a header and a first page",
    String(repeating: "{\"json\": true}\n", count: 500), "short", "SQLite format 2\u{0}",
  ]) func `A file that is not a database is an error and stays unchanged`(text: String) throws {
    let (error, isUntouched) = try open(write(Data(text.utf8), "garbage.sqlite"))
    #expect(error?.code == .notADatabase)
    #expect(isUntouched)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["garbage.sqlite"])
  }

  @Test func `Random bytes are an error and stay unchanged`() throws {
    var random = SeededRandom(seed: 8)
    let bytes = Data((0..<10_000).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    let (error, isUntouched) = try open(write(bytes, "random.sqlite"))
    #expect(error?.code == .notADatabase)
    #expect(isUntouched)
  }

  @Test func `A missing folder is reported as such`() throws {
    let error = databaseError { _ = try Connection(folder.file("nowhere/a.sqlite")) }
    #expect(error?.code == .cannotOpen)
    #expect(error?.message.contains("folder") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file("nowhere")))
  }

  @Test func `A folder in place of a file is an error`() throws {
    #expect(databaseError { _ = try Connection(folder.path) }?.code == .cannotOpen)
  }

  @Test func `A file in place of a folder is an error`() throws {
    let path = try write(Data("x".utf8), "file")
    #expect(databaseError { _ = try Connection(path + "/a.sqlite") }?.code == .cannotOpen)
  }

  // MARK: - Damage

  @Test(arguments: [
    2, 15, 50, 99, 100, 511, 4095, 4097, 8192, 20_000,
  ]) func `A truncated file is an error or a database, and stays unchanged`(length: Int)
    throws
  {
    let whole = try #require(FileManager.default.contents(atPath: makeFile("whole.sqlite")))
    #expect(whole.count > length)
    let path = try write(whole.prefix(length), "cut.sqlite")
    let error = databaseError {
      let connection = try Connection(path)
      _ = try connection.texts("SELECT text FROM notes")
    }
    #expect(error?.code == .notADatabase || error?.code == .corrupted)
    #expect(FileManager.default.contents(atPath: path) == whole.prefix(length))
  }

  @Test
  func `Flipped bits are an error or are read, and a file that does not open stays unchanged`()
    throws
  {
    let whole = try #require(FileManager.default.contents(atPath: makeFile("whole.sqlite")))
    var random = SeededRandom(seed: 9)
    for round in 0..<150 {
      var bytes = whole
      // Half of the flips hit the header and the first page, which has the schema.
      let limit = round.isMultiple(of: 2) ? 4096 : bytes.count
      for _ in 0..<8 {
        bytes[Int.random(in: 0..<limit, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
      let path = try write(bytes, "flipped-\(round).sqlite")
      var isOpened = false
      let error = databaseError {
        let connection = try Connection(path)
        isOpened = true
        _ = try connection.texts("SELECT text FROM notes ORDER BY text")
        _ = try connection.texts("PRAGMA integrity_check")
      }
      if !isOpened { #expect(FileManager.default.contents(atPath: path) == bytes) }
      if let error {
        let expected: Set<DatabaseError.Code> = [
          .notADatabase, .corrupted, .invalidSQL, .invalidValue, .cannotOpen, .inputOutput, .other,
          .readOnly,
        ]
        #expect(expected.contains(error.code), "\(error)")
      }
    }
  }

  @Test func `A damaged table is an error that names the damage`() throws {
    let path = try makeFile("damaged.sqlite")
    var bytes = try #require(FileManager.default.contents(atPath: path))
    for index in 4096..<(bytes.count - 4096) { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: path))
    let error = databaseError {
      _ = try Connection(path).texts("SELECT text FROM notes NOT INDEXED")
    }
    #expect(error?.code == .corrupted)
    #expect(error?.message.contains("backup") == true)
    #expect(FileManager.default.contents(atPath: path) == bytes)
  }

  // MARK: - Permissions

  @Test(.enabled(if: getuid() != 0))
  func `A read-only file is an error and stays unchanged`() throws {
    let path = try makeFile("a.sqlite")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let (error, isUntouched) = try open(path)
    #expect(error?.code == .readOnly)
    #expect(isUntouched)
  }

  @Test(.enabled(if: getuid() != 0)) func `A read-only folder is an error`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    let error = databaseError { _ = try Connection(folder.file("a.sqlite")) }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    #expect(error?.code == .cannotOpen || error?.code == .readOnly)
  }

  // MARK: - Preparing and closing

  @Test func `The hook prepares a connection before anything else uses it`() throws {
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { try $0.execute("PRAGMA cache_size = -123") }
    let connection = try Connection(folder.file("a.sqlite"), configuration: configuration)
    #expect(try connection.number("PRAGMA cache_size") == -123)
  }

  @Test(arguments: [(nil, -16_384), (4_096, -4), (0, -1), (-5, -1)] as [(Int?, Int)])
  func `The page cache is as large as configured, in whole KiB`(bytes: Int?, pragma: Int) throws {
    var configuration = DatabaseConfiguration()
    if let bytes { configuration.pageCacheSize = bytes }
    let connection = try Connection(folder.file("a.sqlite"), configuration: configuration)
    #expect(try connection.number("PRAGMA cache_size") == pragma)
  }

  @Test func `A write-ahead log that grew during a long read shrinks when it is restarted`() throws
  {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    let path = folder.file("a.sqlite")
    let writer = try Connection(path, configuration: configuration)
    try writer.execute("CREATE TABLE pages (content BLOB)")
    let page = Data(count: 65_536)
    func write(_ count: Int) throws {
      for _ in 0..<count {
        try writer.write { try SQL("INSERT INTO pages VALUES (\(page))").run($0) }
      }
    }
    func logSize() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
    }
    let reader = try Connection(path, configuration: configuration)
    try reader.read { reader in
      _ = try SQL("SELECT count(*) FROM pages").first(reader, as: Int.self)
      try write(200)
      #expect(try logSize() > 12 * 1_048_576)
    }
    try write(2)
    #expect(try logSize() <= 8 * 1_048_576)
  }

  @Test func `An error of the hook is thrown by the opening`() throws {
    struct Refusal: Error {}
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { _ in throw Refusal() }
    #expect(throws: Refusal.self) {
      try Connection(folder.file("a.sqlite"), configuration: configuration)
    }
  }

  @Test func `Closing twice does nothing, and the last connection deletes the write-ahead log`()
    throws
  {
    let path = folder.file("a.sqlite")
    let connection = try Connection(path)
    try connection.execute("CREATE TABLE t (x)")
    connection.close()
    connection.close()
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  @Test func `A closed connection refuses work with an error`() throws {
    let connection = try Connection(folder.file("a.sqlite"))
    connection.close()
    #expect(databaseError { try connection.execute("SELECT 1") }?.code == .closed)
    #expect(databaseError { try connection.write { _ in } }?.code == .closed)
    #expect(databaseError { try connection.read { _ in } }?.code == .closed)
  }

  @Test func `Closing a connection inside a write fails that write`() throws {
    let connection = try Connection(folder.file("a.sqlite"))
    try connection.execute("CREATE TABLE t (x)")
    let error = databaseError {
      try connection.write { writer in
        try writer.run("INSERT INTO t VALUES (1)")
        connection.close()
      }
    }
    #expect(error?.code == .transaction || error?.code == .closed)
    #expect(try Connection(connection.path).number("SELECT count(*) FROM t") == 0)
  }
}
