import Foundation
import Offshore
import TestSupport
import Testing

/// Stores of SwiftData and Core Data, and other files.
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

  private func rows() throws -> [CoreDataStore.Row] {
    try CoreDataStore(path).read {
      try $0.rows(of: "ZCHARTER", ["ZID", "ZNAME", "ZSTART", "ZCREW", "ZHARBOR"])
    }
  }

  @Test func `Values of all types are read from the write-ahead log`() throws {
    let id = UUID()
    let crew = try PropertyListEncoder().encode(["ann", "bob"])
    let connection = try makeStore(
      """
      INSERT INTO ZCHARTER VALUES
        (7, \(id, as: .blob), 'Bura', 700000000.5, \(crew), 3),
        (9, NULL, 'Jugo', 700000000, '["cem"]', NULL)
      """)
    let rows = try rows()
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

  @Test func `A value of another type is missing`() throws {
    let connection = try makeStore(
      "INSERT INTO ZCHARTER VALUES (1, 'no UUID', x'00', 'today', 4, 'harbor')")
    let row = try #require(try rows().first)
    #expect(row.uuid("ZID") == nil)
    #expect(row.text("ZNAME") == nil)
    #expect(row.date("ZSTART") == nil)
    #expect(row.data("ZCREW") == nil)
    #expect(row.value("ZNAME", as: [String].self) == nil)
    #expect(row.integer("ZHARBOR") == nil)
    connection.close()
  }

  @Test func `The files stay as they are`() throws {
    let connection = try makeStore("INSERT INTO ZCHARTER (Z_PK) VALUES (1)")
    let files = ["", "-wal", "-shm"].map { URL(filePath: path + $0) }
    let before = try files.map { try Data(contentsOf: $0) }
    #expect(try rows().count == 1)
    #expect(try files.map { try Data(contentsOf: $0) } == before)
    connection.close()
  }

  @Test func `A file without the tables, or none, is not a store`() throws {
    try Data("no database, but a text that is long enough".utf8)
      .write(to: URL(filePath: folder.file("notes.txt")))
    let connection = try makeStore("INSERT INTO ZCHARTER (Z_PK) VALUES (1)")
    connection.close()
    for path in [folder.file("notes.txt"), folder.file("missing"), folder.path, path] {
      let error = #expect(throws: DatabaseError.self) {
        try CoreDataStore(path).read { try $0.rows(of: "ZCHARTER", ["ZMISSING"]) }
      }
      #expect(error?.code == .notADatabase)
    }
  }
}
