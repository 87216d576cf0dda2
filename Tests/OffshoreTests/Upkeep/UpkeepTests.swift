import CSQLite
import Foundation
import TestSupport
import Testing

@testable import Offshore

@Suite(.timeLimit(.minutes(1)))
struct UpkeepTests {
  private let folder: TemporaryFolder
  private let database: Database

  init() async throws {
    folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.busyTimeout = .milliseconds(50)
    database = try Database(folder.file("a.sqlite"), configuration: configuration)
    try await database.write { writer in
      try writer.run(Charter.creation)
      let location = String(repeating: "x", count: 4000)
      for number in 0..<100 { try Charter("\(number)", location: location).insert(writer) }
    }
  }

  private func size(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  /// Runs a closure while a read holds the former snapshot.
  private func duringRead(_ body: () async throws -> Void) async throws {
    let (reached, goOn) = (Gate(), Gate())
    let reading = Task {
      try await database.read { reader in
        _ = try Charter.all.count(reader)
        reached.open()
        goOn.wait()
      }
    }
    await reached.opened()
    try await body()
    goOn.open()
    try await reading.value
  }

  // MARK: - Checkpoint

  @Test func `A checkpoint moves the log into the file`() async throws {
    let passive = try await database.checkpoint()
    #expect(passive.logFrames > 0)
    #expect(passive.movedFrames == passive.logFrames)
    #expect(passive.isComplete)
    #expect(try await database.statistics().logSize > 0)
    let truncated = try await database.checkpoint(.truncate)
    #expect(truncated == Checkpoint(logFrames: 0, movedFrames: 0, isBusy: false))
    #expect(try await database.statistics().logSize == 0)
    #expect(try await database.read { try Charter.all.count($0) } == 100)
  }

  @Test(arguments: [CheckpointMode.full, .restart, .truncate])
  func `A read of a former snapshot prevents a checkpoint from completing`(
    mode: CheckpointMode
  ) async throws {
    try await duringRead {
      try await database.write { try Charter("new").insert($0) }
      let result = try await database.checkpoint(mode)
      #expect(result.isBusy)
      #expect(!result.isComplete)
      #expect(result.movedFrames < result.logFrames)
    }
    #expect(try await database.checkpoint(mode).isComplete)
  }

  @Test func `A passive checkpoint does not wait for a read`() async throws {
    try await duringRead {
      try await database.write { try Charter("new").insert($0) }
      let result = try await database.checkpoint(.passive)
      #expect(!result.isBusy)
      #expect(!result.isComplete)
    }
  }

  /// Returns whether the file or its log contains a text.
  private func isStored(_ text: String) throws -> Bool {
    try [database.path, database.path + "-wal"].contains { path in
      try FileManager.default.fileExists(atPath: path)
        && Data(contentsOf: URL(filePath: path)).range(of: Data(text.utf8)) != nil
    }
  }

  @Test func `Deleted content is in no file once the log is empty`() async throws {
    let charter = Charter("marked", location: "Kornati-7f3a")
    try await database.write { try charter.insert($0) }
    try await database.checkpoint()
    try await database.write { try charter.delete($0) }
    #expect(try isStored("Kornati-7f3a"))
    #expect(try await database.emptyLog())
    #expect(try !isStored("Kornati-7f3a"))
    #expect(try await database.statistics().logSize == 0)
    #expect(try await database.read { try Charter.all.count($0) } == 100)
  }

  @Test func `A read of a former snapshot prevents the log from being emptied`() async throws {
    try await duringRead {
      try await database.write { try Charter("new").insert($0) }
      #expect(try await !database.emptyLog())
    }
    #expect(try await database.emptyLog())
  }

  // MARK: - Vacuum

  @Test func `A vacuum frees the pages of deleted rows`() async throws {
    try await database.checkpoint(.truncate)
    let before = try size(database.path)
    try await database.write { try $0.run("DELETE FROM charters WHERE name <> '7'") }
    #expect(try await database.statistics().freePageCount > 50)
    try await database.vacuum()
    let statistics = try await database.statistics()
    #expect(statistics.freePageCount == 0)
    #expect(statistics.logSize == 0)
    #expect(try size(database.path) < before / 4)
    #expect(try size(database.path) == statistics.pageCount * statistics.pageSize)
    #expect(try await database.read { try Charter.all.all($0) }.map(\.name) == ["7"])
    #expect(try await database.integrityCheck() == [])
  }

  @Test func `A vacuum during a read leaves the log to a later checkpoint`() async throws {
    try await duringRead { try await database.vacuum() }
    #expect(try await database.statistics().logSize > 0)
    #expect(try await database.checkpoint(.truncate).isComplete)
  }

  @Test func `An observation of a row continues after a vacuum moved the row`() async throws {
    let charter = Charter("followed")
    try await database.write { writer in
      try writer.run("DELETE FROM charters WHERE rowid < 50")
      try charter.insert(writer)
    }
    var names: [String?] = []
    for try await charters in database.values(of: Charter.find(charter.id)) {
      names.append(charters.first?.name)
      if names.count == 1 {
        // The row gets the number of another one.
        try await database.vacuum()
        var renamed = charter
        renamed.name = "renamed"
        try await database.write { [renamed] in try renamed.update($0) }
      }
      if names.last == "renamed" { break }
    }
    #expect(names.first == "followed" && names.last == "renamed")
  }

  @Test func `Upkeep is queued among the writes`() async throws {
    async let first: Void = database.write { try Charter("a").insert($0) }
    async let vacuum: Void = database.vacuum()
    async let second: Void = database.write { try Charter("b").insert($0) }
    async let optimized: Void = database.optimize()
    _ = try await (first, vacuum, second, optimized)
    #expect(try await database.read { try Charter.all.count($0) } == 102)
  }

  @Test func `Queued upkeep does not run if its task is cancelled`() async throws {
    let (reached, goOn) = (Gate(), Gate())
    let writing = Task {
      try await database.write { _ in
        reached.open()
        goOn.wait()
      }
    }
    await reached.opened()
    let vacuum = Task { try await database.vacuum() }
    vacuum.cancel()
    await #expect(throws: CancellationError.self) { try await vacuum.value }
    goOn.open()
    try await writing.value
  }

  @Test func `A closed database refuses upkeep`() async throws {
    await database.close()
    for body in [
      { try await database.vacuum() }, { try await database.optimize() },
      { try await database.checkpoint() }, { _ = try await database.integrityCheck() },
    ] as [() async throws -> Void] {
      do {
        try await body()
        Issue.record("It ran.")
      } catch let error as DatabaseError {
        #expect(error.code == .closed)
      }
    }
  }

  // MARK: - Optimize

  @Test func `Statistics of an index are created if they would help`() async throws {
    try await database.write { writer in
      try writer.run("CREATE INDEX names ON charters (name)")
      try writer.run("ANALYZE")
      try writer.run("DELETE FROM sqlite_stat1")
      try writer.run("INSERT INTO sqlite_stat1 VALUES ('charters', 'names', '1 1')")
    }
    let reopened = try Database(database.path)
    await database.close()
    _ = try await reopened.write { writer in
      try Charter.where { $0.name == "1" }.all(writer)
    }
    try await reopened.optimize()
    let statistics = try await reopened.read {
      try SQL("SELECT stat FROM sqlite_stat1 WHERE idx = 'names'").first($0, as: String.self)
    }
    #expect(statistics?.hasPrefix("100 ") == true)
    #expect(try await reopened.read { try Charter.all.count($0) } == 100)
  }

  // MARK: - Integrity

  @Test func `An intact file has no problems`() async throws {
    #expect(try await database.integrityCheck() == [])
  }

  @Test func `A dangling reference is found by table, row, columns and target`()
    async throws
  {
    let connection = try Connection(folder.file("b.sqlite"))
    try connection.execute(
      """
      CREATE TABLE parents (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
      CREATE TABLE children (
        id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, FOREIGN KEY (x, y) REFERENCES parents);
      CREATE TABLE keyed (id TEXT PRIMARY KEY, x INTEGER REFERENCES children) WITHOUT ROWID;
      PRAGMA foreign_keys = OFF;
      INSERT INTO children VALUES (7, 1, 2);
      INSERT INTO keyed VALUES ('k', 8)
      """)
    let problems = try connection.integrityProblems()
    let child = IntegrityProblem.danglingReference(
      table: "children", rowID: 7, columns: ["x", "y"], target: "parents")
    let keyed = IntegrityProblem.danglingReference(
      table: "keyed", rowID: nil, columns: ["x"], target: "children")
    #expect(Set(problems) == [child, keyed])
    #expect(
      child.description == "Row 7 of “children” refers by “x”, “y” to a row of “parents” that does "
        + "not exist. Insert that row, or clear the reference.")
    #expect(keyed.description.hasPrefix("A row of “keyed” refers by “x”"))
  }

  @Test func `Damage is reported with SQLite's message`() async throws {
    try await database.write { try $0.run("CREATE INDEX names ON charters (name)") }
    try await database.checkpoint(.truncate)
    // The index loses its entries without the table.
    await database.close()
    let connection = try Connection(database.path)
    _ = offshore_sqlite3_db_config_flag(connection.handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    try connection.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX names ON charters (location)'
        WHERE name = 'names'
      """)
    connection.close()
    let reopened = try Database(database.path)
    let problems = try await reopened.integrityCheck()
    #expect(!problems.isEmpty)
    let words = problems.map(\.description)
    #expect(words.allSatisfy { $0.hasPrefix("The file is damaged (") })
    #expect(words.contains { $0.contains("missing from index names") })
  }

  @Test func `A value that violates a constraint is damage`() async throws {
    try await database.write { writer in
      try writer.run("CREATE TABLE checked (x INTEGER)")
      try writer.run("INSERT INTO checked VALUES (NULL)")
    }
    await database.close()
    let connection = try Connection(database.path)
    _ = offshore_sqlite3_db_config_flag(connection.handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    try connection.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE checked (x INTEGER NOT NULL)'
        WHERE name = 'checked'
      """)
    connection.close()
    let problems = try Connection(database.path).integrityProblems()
    #expect(problems == [.damage("NULL value in checked.x")])
  }

  @Test func `A file with overwritten pages has damage, or is an error`() async throws {
    try await database.checkpoint(.truncate)
    await database.close()
    var bytes = try Data(contentsOf: URL(filePath: database.path))
    bytes.replaceSubrange(8192..<200_000, with: Data(repeating: 0xAA, count: 191_808))
    try bytes.write(to: URL(filePath: database.path))
    let reopened = try Database(database.path)
    let problems = try await reopened.integrityCheck()
    #expect(!problems.isEmpty)
    #expect(problems.allSatisfy { if case .damage = $0 { true } else { false } })
  }

  // MARK: - Statistics

  @Test func `The statistics match the files`() async throws {
    let statistics = try await database.statistics()
    #expect(statistics.pageSize == 4096)
    #expect(statistics.pageCount > 100)
    #expect(statistics.freePageCount == 0)
    #expect(statistics.logSize == (try size(database.path + "-wal")))
  }
}
