import CSQLite
import Foundation
import TestSupport
import Testing

@testable import Offshore

/// Stores of SwiftData and Core Data, and other files.
@Suite(.timeLimit(.minutes(1)))
struct CoreDataStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("default.store") }

  init() throws { folder = try TemporaryFolder() }

  /// Creates a store whose rows are in its write-ahead log, and leaves it open.
  private func makeStore(_ rows: SQL) throws -> Connection {
    let connection = try Connection(path)
    try connection.execute(
      """
      CREATE TABLE ZCHARTER (
        Z_PK INTEGER PRIMARY KEY, ZID BLOB, ZNAME VARCHAR, ZSTART TIMESTAMP, ZCREW BLOB,
        ZHARBOR INTEGER)
      """)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try connection.write { _ = try rows.run($0) }
    return connection
  }

  private func rows() async throws -> [CoreDataStore.Row] {
    try await CoreDataStore(path).read {
      try $0.rows(of: "ZCHARTER", ["ZID", "ZNAME", "ZSTART", "ZCREW", "ZHARBOR"])
    }
  }

  /// Returns the names in a store.
  private func names(in path: String, copies temporaryFolder: URL? = nil) async throws -> [String?]
  {
    let store = temporaryFolder.map { CoreDataStore(path, temporaryFolder: $0) }
    return try await (store ?? CoreDataStore(path)).read {
      try $0.rows(of: "ZCHARTER", ["ZNAME"]).map { $0.text("ZNAME") }
    }
  }

  /// Returns the content of all files of a folder, by name.
  private func contents(of folder: TemporaryFolder) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: URL(filePath: folder.file($0))))
      })
  }

  /// Copies files of the store to another folder, as files that no connection has open.
  private func copy(_ suffixes: [String]) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for suffix in suffixes {
      try FileManager.default.copyItem(
        atPath: path + suffix, toPath: copy.file("default.store" + suffix))
    }
    return copy
  }

  /// Returns a folder with a store in which a write was interrupted.
  private func makeInterruptedStore() throws -> TemporaryFolder {
    var handle: OpaquePointer?
    sqlite3_open(path, &handle)
    sqlite3_exec(
      handle,
      """
      PRAGMA cache_size = 1;
      CREATE TABLE ZCHARTER (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR, ZNOTE VARCHAR);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO ZCHARTER SELECT i, 'Bura', hex(zeroblob(500)) FROM n;
      BEGIN;
      UPDATE ZCHARTER SET ZNAME = 'Jugo'
      """, nil, nil, nil)
    defer { sqlite3_close(handle) }
    return try copy(["", "-journal"])
  }

  @Test func `Values of all types are read from the write-ahead log`() async throws {
    let id = UUID()
    let crew = try PropertyListEncoder().encode(["ann", "bob"])
    let connection = try makeStore(
      """
      INSERT INTO ZCHARTER VALUES
        (7, \(id, as: .blob), 'Bura', 700000000.5, \(crew), 3),
        (9, NULL, 'Jugo', 700000000, '["cem"]', NULL)
      """)
    let rows = try await rows()
    #expect(rows.map(\.key) == [7, 9])
    #expect(rows.map { $0.uuid("ZID") } == [id, nil])
    #expect(rows.map { $0.text("ZNAME") } == ["Bura", "Jugo"])
    #expect(
      rows.map { $0.date("ZSTART")?.timeIntervalSinceReferenceDate }
        == [700_000_000.5, 700_000_000])
    #expect(rows.map { $0.value("ZCREW", as: [String].self) } == [["ann", "bob"], ["cem"]])
    #expect(rows.map { $0.integer("ZHARBOR") } == [3, nil])
    connection.close()
  }

  @Test func `A value of another type is missing`() async throws {
    let connection = try makeStore(
      "INSERT INTO ZCHARTER VALUES (1, 'no UUID', x'00', 'today', 4, 'harbor')")
    let row = try #require(try await rows().first)
    #expect(row.uuid("ZID") == nil)
    #expect(row.text("ZNAME") == nil)
    #expect(row.date("ZSTART") == nil)
    #expect(row.data("ZCREW") == nil)
    #expect(row.value("ZNAME", as: [String].self) == nil)
    #expect(row.integer("ZHARBOR") == nil)
    connection.close()
  }

  @Test func `The files of a store that is open stay as they are`() async throws {
    let connection = try makeStore("INSERT INTO ZCHARTER (Z_PK, ZNAME) VALUES (1, 'Bura')")
    let files = ["", "-wal"].map { URL(filePath: path + $0) }
    let before = try files.map { try Data(contentsOf: $0) }
    #expect(try await names(in: path) == ["Bura"])
    #expect(try files.map { try Data(contentsOf: $0) } == before)
    connection.close()
  }

  @Test(arguments: [["", "-wal", "-shm"], ["", "-wal"]])
  func `The files of a store that is not open stay as they are`(suffixes: [String]) async throws {
    let connection = try makeStore("INSERT INTO ZCHARTER (Z_PK, ZNAME) VALUES (1, 'Bura')")
    let copy = try copy(suffixes)
    connection.close()
    let before = try contents(of: copy)
    #expect(try await names(in: copy.file("default.store")) == ["Bura"])
    #expect(try contents(of: copy) == before)
  }

  @Test(arguments: [["", "-shm"], ["", "-wal", "-shm"], [""]])
  func `A store without changes in its log is read, and no file is added`(
    suffixes: [String]
  ) async throws {
    let connection = try makeStore("INSERT INTO ZCHARTER (Z_PK, ZNAME) VALUES (1, 'Bura')")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = try copy(suffixes)
    connection.close()
    let before = try contents(of: copy)
    #expect(try await names(in: copy.file("default.store")) == ["Bura"])
    #expect(try contents(of: copy) == before)
  }

  @Test func `A store is one snapshot while another app writes it`() async throws {
    let connection = try makeStore("INSERT INTO ZCHARTER (Z_PK) VALUES (1)")
    let path = path
    let counts = try await CoreDataStore(path).read { tables in
      let before = try tables.rows(of: "ZCHARTER", ["ZNAME"]).count
      let writer = try Connection(path)
      try writer.write { _ = try SQL("INSERT INTO ZCHARTER (Z_PK) VALUES (2)").run($0) }
      _ = try? writer.execute("PRAGMA wal_checkpoint(PASSIVE)")
      writer.close()
      return [before, try tables.rows(of: "ZCHARTER", ["ZNAME"]).count]
    }
    #expect(counts == [1, 1])
    #expect(try await rows().count == 2)
    connection.close()
  }

  @Test func `A store is read in its place`() async throws {
    let connection = try makeStore("INSERT INTO ZCHARTER (Z_PK, ZNAME) VALUES (1, 'Bura')")
    let nowhere = URL(filePath: path).appending(path: "copies")
    #expect(try await names(in: path, copies: nowhere) == ["Bura"])
    connection.close()
  }

  // MARK: - Interrupted writes

  @Test func `An interrupted write is undone in a copy`() async throws {
    let store = try makeInterruptedStore()
    let (before, copies) = (try contents(of: store), try TemporaryFolder())
    let names = try await names(
      in: store.file("default.store"), copies: URL(filePath: copies.path))
    #expect(names == Array(repeating: "Bura", count: 500))
    #expect(try contents(of: store) == before)
    #expect(try contents(of: copies).isEmpty)
  }

  @Test func `Without a folder for the copy, the error is one of the database`() async throws {
    let store = try makeInterruptedStore()
    let nowhere = URL(filePath: path).appending(path: "copies")
    let error = await #expect(throws: DatabaseError.self) {
      try await names(in: store.file("default.store"), copies: nowhere)
    }
    #expect(error?.code == .cannotOpen)
    #expect(DatabaseError(copying: CocoaError(.fileWriteOutOfSpace)).code == .diskFull)
  }

  @Test func `A copy of a file that is changed meanwhile is refused`() throws {
    let (source, copies) = (folder.file("a"), URL(filePath: folder.path))
    try Data("a".utf8).write(to: URL(filePath: source))
    let error = #expect(throws: DatabaseError.self) {
      try StoreCopy(of: source, in: copies) { from, to in
        try FileManager.default.copyItem(atPath: from, toPath: to)
        try Data("changed".utf8).write(to: URL(filePath: from))
      }
    }
    #expect(error?.code == .busy)
    #expect(try contents(of: folder).keys.sorted() == ["a"])
  }

  // MARK: - Other files

  @Test func `A file without the tables, or none, is not a store`() async throws {
    try Data("no database, but a text that is long enough".utf8)
      .write(to: URL(filePath: folder.file("notes.txt")))
    let connection = try makeStore("INSERT INTO ZCHARTER (Z_PK) VALUES (1)")
    connection.close()
    for path in [folder.file("notes.txt"), folder.file("missing"), folder.path, path] {
      let error = await #expect(throws: DatabaseError.self) {
        try await CoreDataStore(path).read { try $0.rows(of: "ZCHARTER", ["ZMISSING"]) }
      }
      #expect(error?.code == .notADatabase)
    }
  }

  @Test(.enabled(if: geteuid() != 0))
  func `A store that may not be read is an error of the database`() async throws {
    try makeStore("INSERT INTO ZCHARTER (Z_PK) VALUES (1)").close()
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    let error = await #expect(throws: DatabaseError.self) { try await rows() }
    #expect(error?.code == .cannotOpen)
  }

  @Test(arguments: [
    """
    CREATE VIEW ZLOCATION AS
    WITH RECURSIVE n (Z_PK, ZNAME) AS (SELECT 1, 'Vis' UNION ALL SELECT Z_PK + 1, 'Vis' FROM n)
    SELECT * FROM n
    """,
    """
    CREATE TABLE ZLOCATION (Z_PK INTEGER PRIMARY KEY, ZNAME AS (hex(zeroblob(1000000))));
    INSERT INTO ZLOCATION VALUES (1)
    """,
    "CREATE VIRTUAL TABLE ZLOCATION USING fts5 (Z_PK, ZNAME)",
  ])
  func `A table whose values are computed is not read`(sql: String) async throws {
    let connection = try makeStore("INSERT INTO ZCHARTER (Z_PK) VALUES (1)")
    try connection.execute(SQL(raw: sql))
    connection.close()
    let error = await #expect(throws: DatabaseError.self) {
      try await CoreDataStore(path).read { try $0.rows(of: "ZLOCATION", ["ZNAME"]) }
    }
    #expect(error?.code == .notADatabase)
  }

  @Test func `A table has no more rows and bytes than expected`() async throws {
    let connection = try makeStore(
      "INSERT INTO ZCHARTER (Z_PK, ZNAME) VALUES (2, 'Jugo'), (1, 'Bura')")
    let counts = try await CoreDataStore(path).read {
      try $0.rows(of: "ZCHARTER", ["ZNAME"], limit: 2).map(\.key)
    }
    #expect(counts == [1, 2])
    let error = await #expect(throws: DatabaseError.self) {
      try await CoreDataStore(path).read { try $0.rows(of: "ZCHARTER", ["ZNAME"], limit: 1) }
    }
    #expect(error?.code == .other)
    for (limit, code) in [(8, nil), (7, DatabaseError.Code.corrupted)] {
      let error = databaseError {
        try connection.read {
          _ = try CoreDataStore.Tables($0, byteLimit: limit).rows(of: "ZCHARTER", ["ZNAME"])
        }
      }
      #expect(error?.code == code)
    }
    connection.close()
  }

  // MARK: - Threads

  @MainActor @Test func `The store is read on a thread of its own`() async throws {
    try makeStore("INSERT INTO ZCHARTER (Z_PK) VALUES (1)").close()
    #expect(try await CoreDataStore(path).read { _ in Thread.isMainThread } == false)
  }

  @Test func `A cancelled read throws that error`() async throws {
    try makeStore("INSERT INTO ZCHARTER (Z_PK) VALUES (1)").close()
    let path = path
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await CoreDataStore(path).read { _ in true }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
