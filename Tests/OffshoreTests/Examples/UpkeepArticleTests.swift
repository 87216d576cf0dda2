import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Offshore

// The examples of the article “Upkeep”; Tests/Gates holds the two to the same lines.

struct UpkeepArticleTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    var last: String? { lines.withLock { $0.last } }

    func append(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private final class Bar: Sendable {
    private let shown = Mutex(0.0)

    var fraction: Double { shown.withLock { $0 } }

    func show(_ fraction: Double) { shown.withLock { $0 = fraction } }
  }

  private let folder: TemporaryFolder
  private let database: Database

  init() async throws {
    folder = try TemporaryFolder()
    database = try await Database.withCharters()
    try await database.write { try Charter("Alma", guests: 4).insert($0) }
  }

  @Test func `Backups`() async throws {
    let path = folder.file("copy.sqlite")
    let bar = Bar()
    try await database.backup(to: path, replacesExisting: true) { progress in
      bar.show(progress.fraction)
    }
    #expect(bar.fraction == 1)
    #expect(try Connection(path).read { try Charter.all.count($0) } == 1)
  }

  @Test func `A healthy file`() async throws {
    let problems = try await database.integrityCheck()
    let sentences = problems.map(\.description)
    #expect(sentences.isEmpty)
    let statistics = try await database.statistics()
    if statistics.freePageCount > statistics.pageCount / 4 { try await database.vacuum() }
    try await database.optimize()
    let checkpoint = try await database.checkpoint(.truncate)
    #expect(checkpoint.isComplete)
  }

  @Test func `Tracing`() async throws {
    let log = Log()
    var configuration = DatabaseConfiguration()
    configuration.trace = { statement in
      if statement.duration > .milliseconds(50) { log.append(statement.sql) }
    }
    let database = try Database.temporary(configuration: configuration)
    _ = try await database.read { reader in
      // Slow on any machine.
      try SQL(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000)
        SELECT sum(i) FROM n
        """
      ).first(reader, as: Int.self)
    }
    #expect(log.last?.hasPrefix("WITH RECURSIVE") == true)
  }

  @Test func `A file of another program`() async throws {
    let path = folder.file("copy.sqlite")
    try await database.backup(to: path)
    var reading = DatabaseConfiguration()
    reading.isReadOnly = true
    let archive = try Database(path, configuration: reading)
    let count = try await archive.read { try Charter.all.count($0) }
    #expect(count == 1)
    await archive.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy.sqlite"])
  }

  @Test func `Many rows`() async throws {
    let guests = try await database.read { reader in
      var guests = 0
      try Charter.where { $0.guests > 2 }.forEach(reader) { guests += $0.guests }
      try SQL("SELECT name, guests FROM charters").forEach(reader, as: String.self, Int.self) {
        if $0 != "Alma" { guests += $1 }
      }
      return guests
    }
    #expect(guests == 4)
  }

  @Test func `Export and import`() async throws {
    let file = folder.file("charters.jsonl")
    try await database.exportRows(of: Charter.all, to: file, as: .jsonLines, replacesExisting: true)
    let imported = try await database.importRows(
      of: Charter.self, from: file, as: .jsonLines, existing: .replace)
    #expect(imported == 1)
  }

  @Test func `A store of another app`() async throws {
    let path = folder.file("default.store")
    let connection = try Connection(path)
    try connection.execute(
      """
      CREATE TABLE ZCHARTER (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR);
      INSERT INTO ZCHARTER VALUES (1, 'Alma')
      """)
    let names = try await CoreDataStore(path).read { tables in
      try tables.rows(of: "ZCHARTER", ["ZNAME"]).compactMap { $0.text("ZNAME") }
    }
    #expect(names == ["Alma"])
    connection.close()
  }
}
