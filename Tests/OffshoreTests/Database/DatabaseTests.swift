import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Offshore

struct DatabaseTests {
  private struct Refusal: Error {}

  private func count(_ database: Database) async throws -> Int {
    try await database.read { try $0.integers("SELECT count(*) FROM charters")[0] }
  }

  @Test func `Written rows are stored when the file is opened again`() async throws {
    let folder = try TemporaryFolder()
    let charter = Charter("Alma", location: "Biograd")
    let first = try Database(folder.file("a.sqlite"))
    try await first.write { writer in
      try writer.run(Charter.creation)
      try charter.insert(writer)
    }
    await first.close()
    let second = try Database(folder.file("a.sqlite"))
    let stored = try await second.read {
      try $0.connection.fetchAll(Charter.self, "SELECT * FROM charters")
    }
    #expect(stored == [charter])
  }

  @Test func `A write that throws changes nothing`() async throws {
    let database = try await Database.withCharters()
    await #expect(throws: Refusal.self) {
      try await database.write { writer in
        try Charter("Alma").insert(writer)
        throw Refusal()
      }
    }
    #expect(try await count(database) == 0)
  }

  @Test func `A write reads its own changes`() async throws {
    let database = try await Database.withCharters()
    let inside = try await database.write { writer in
      try Charter("Alma").insert(writer)
      return try writer.integers("SELECT count(*) FROM charters")
    }
    #expect(inside == [1])
  }

  @Test func `A read sees one snapshot, and does not wait for the write that commits meanwhile`()
    async throws
  {
    let database = try await Database.withCharters()
    let (reached, goOn) = (Gate(), Gate())
    let reading = Task {
      try await database.read { reader in
        let before = try reader.integers("SELECT count(*) FROM charters")
        reached.open()
        goOn.wait()
        return before + (try reader.integers("SELECT count(*) FROM charters"))
      }
    }
    await reached.opened()
    try await database.write { try Charter("Alma").insert($0) }
    goOn.open()
    #expect(try await reading.value == [0, 0])
    #expect(try await count(database) == 1)
  }

  @Test func `A read runs while a write is in the middle of its transaction`() async throws {
    let database = try await Database.withCharters()
    let (reached, goOn) = (Gate(), Gate())
    let writing = Task {
      try await database.write { writer in
        try Charter("Alma").insert(writer)
        reached.open()
        goOn.wait()
      }
    }
    await reached.opened()
    #expect(try await count(database) == 0)
    goOn.open()
    try await writing.value
    #expect(try await count(database) == 1)
  }

  @Test func `The configured number of reads run at the same time`() async throws {
    let database = try await Database.withCharters()
    let gates = (0..<4).map { _ in (reached: Gate(), goOn: Gate()) }
    let reads = gates.map { gate in
      Task {
        try await database.read { _ in
          gate.reached.open()
          gate.goOn.wait()
        }
      }
    }
    for gate in gates { await gate.reached.opened() }
    for gate in gates { gate.goOn.open() }
    for read in reads { try await read.value }
  }

  @Test func `A read cannot change the database`() async throws {
    let database = try await Database.withCharters()
    let error = await #expect(throws: DatabaseError.self) {
      try await database.read { _ = try $0.connection.run("DELETE FROM charters") }
    }
    #expect(error?.code == .readOnly)
  }

  @Test func `Cancelling a read interrupts its running statement`() async throws {
    let database = try await Database.withCharters()
    let reached = Gate()
    let endless = Task {
      try await database.read { reader in
        reached.open()
        return try reader.integers(
          """
          WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
          SELECT count(*) FROM n
          """)
      }
    }
    await reached.opened()
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    #expect(try await count(database) == 0)
  }

  @Test func `Cancelling a waiting read ends it at once and does not affect the running read`()
    async throws
  {
    var configuration = DatabaseConfiguration()
    configuration.readerCount = 1
    let database = try Database.temporary(configuration: configuration)
    let (reached, goOn) = (Gate(), Gate())
    let running = Task {
      try await database.read { reader in
        reached.open()
        goOn.wait()
        return try reader.integers("SELECT 7")
      }
    }
    await reached.opened()
    let waiting = Task { try await database.read { try $0.integers("SELECT 8") } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    goOn.open()
    #expect(try await running.value == [7])
  }

  @Test func `A reader's connection that is stuck in a transaction is replaced`()
    async throws
  {
    var configuration = DatabaseConfiguration()
    configuration.readerCount = 1
    let database = try Database.temporary(configuration: configuration)
    _ = database.readers.enqueue { connection in
      #expect(throws: Never.self) { try connection.get().execute("BEGIN") }
    }
    try await database.write { try $0.run("CREATE TABLE notes (text)") }
    #expect(try await database.read { try $0.integers("SELECT count(*) FROM notes") } == [0])
  }

  @Test func `A closed database refuses work with an error, and closing again does nothing`()
    async throws
  {
    let database = try await Database.withCharters()
    await database.close()
    await database.close()
    await #expect(throws: DatabaseError.self) { try await database.read { _ in } }
    let error = await #expect(throws: DatabaseError.self) { try await database.write { _ in } }
    #expect(error?.code == .closed)
  }

  @Test func `Closing completes the writes that were requested before`() async throws {
    let folder = try TemporaryFolder()
    let database = try Database(folder.file("a.sqlite"))
    try await database.write { try $0.run(Charter.creation) }
    let (reached, goOn) = (Gate(), Gate())
    let writing = Task {
      try await database.write { writer in
        reached.open()
        goOn.wait()
        try Charter("Alma").insert(writer)
      }
    }
    await reached.opened()
    async let closing: Void = database.close()
    goOn.open()
    try await writing.value
    await closing
    #expect(try await count(Database(folder.file("a.sqlite"))) == 1)
  }

  @Test func `A temporary database leaves no files`() async throws {
    let database = try await Database.withCharters()
    let folder = URL(filePath: database.path).deletingLastPathComponent().path
    #expect(FileManager.default.fileExists(atPath: folder))
    await database.close()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `A temporary database that cannot be opened or migrated leaves no files either`()
    throws
  {
    let path = Mutex("")
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { connection in path.withLock { $0 = connection.path } }
    let migrations: Migrations = [Migration("1") { _ in throw Refusal() }]
    #expect(throws: DatabaseError.self) {
      try Database.temporary(migrations: migrations, configuration: configuration)
    }
    var folder = URL(filePath: path.withLock(\.self)).deletingLastPathComponent().path
    #expect(folder.contains("offshore-"))
    #expect(!FileManager.default.fileExists(atPath: folder))
    configuration.prepareConnection = { connection in
      path.withLock { $0 = connection.path }
      throw Refusal()
    }
    #expect(throws: Refusal.self) { try Database.temporary(configuration: configuration) }
    folder = URL(filePath: path.withLock(\.self)).deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `Code without tasks reads and writes by blocking`() async throws {
    let database = try await Database.withCharters()
    let counts = try await onThread {
      try database.blockingWrite { try Charter("Alma").insert($0) }
      return try database.blockingRead { try $0.integers("SELECT count(*) FROM charters") }
    }
    #expect(counts == [1])
  }

  @Test
  func `Blocking inside a closure of the same database traps with the remedy`()
    async
  {
    await #expect(processExitsWith: .failure) {
      let database = try Database.temporary()
      try await database.write { _ in try database.blockingRead { _ in } }
    }
    await #expect(processExitsWith: .failure) {
      let database = try Database.temporary()
      try await database.read { _ in try database.blockingWrite { _ in } }
    }
  }

  @Test func `Blocking inside a closure of another database is allowed`() async throws {
    let (one, other) = (try Database.temporary(), try Database.temporary())
    let value = try await one.write { _ in
      try other.blockingRead { try $0.integers("SELECT 7") }
    }
    #expect(value == [7])
  }

  @Test func `The hook prepares every connection before anything else uses it`() async throws {
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { try $0.execute("PRAGMA cache_size = -777") }
    let database = try Database.temporary(configuration: configuration)
    let sizes: [Int] = [
      try await database.read { try $0.integers("PRAGMA cache_size")[0] },
      try await database.write { try $0.integers("PRAGMA cache_size")[0] },
    ]
    #expect(sizes == [-777, -777])
  }

  @Test
  func `Opening runs the missing migrations, and refuses a file of a newer version`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("a.sqlite")
    let old: Migrations = [Migration("1") { try $0.create(Charter.table) }]
    let new = Migrations(
      old.all + [Migration("2") { try SQL("ALTER TABLE charters ADD COLUMN x").run($0) }])
    let first = try Database(path, migrations: old)
    try await first.write { try Charter("Alma").insert($0) }
    await first.close()
    let second = try Database(path, migrations: new)
    #expect(try await second.read { try Charter.all.all($0).map(\.name) } == ["Alma"])
    await second.close()
    let error = #expect(throws: DatabaseError.self) { try Database(path, migrations: old) }
    #expect(error?.code == .newerVersion)
  }

  @Test func `A commit is durable by default: the log is synchronized with the disk`() async throws
  {
    let folder = try TemporaryFolder()
    let database = try Database(folder.file("a.sqlite"))
    #expect(try await database.write { try $0.integers("PRAGMA synchronous") } == [2])
  }
}
