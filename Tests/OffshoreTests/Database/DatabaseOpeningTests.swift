import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Offshore

private struct Entry: Record {
  var id: Int
  var text: String
  static let table = Table(
    "entries", Entry.init, Column("id", \.id).primaryKey(), Column("text", \.text))
}

@Suite(.timeLimit(.minutes(1))) struct DatabaseOpeningTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("app.sqlite")
  }

  private static let migrations: Migrations = [
    Migration("v1", .create(Entry.table)),
    Migration(
      "v2",
      .sql(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO entries SELECT i, 'x' FROM n
        """)),
    Migration("v3", .rebuild(Entry.table)),
  ]

  private static func first(_ count: Int) -> Migrations {
    Migrations(Array(migrations.all.prefix(count)))
  }

  /// Counts without end until it is interrupted.
  private static let endless: SQL =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test func `Opening reports each migration and the number of copied rows of a rebuild`()
    async throws
  {
    let reports = Mutex<[MigrationProgress]>([])
    let database = try await Database.open(path, migrations: Self.migrations) { progress in
      reports.withLock { $0.append(progress) }
    }
    #expect(try await database.read { try Entry.all.count($0) } == 2500)
    let all = reports.withLock { $0 }
    #expect(all.map(\.migration) == ["v1", "v2", "v3", "v3", "v3", "v3"])
    #expect(all.map(\.position) == [1, 2, 3, 3, 3, 3])
    #expect(all.allSatisfy { $0.count == 3 })
    #expect(all.map(\.fraction) == [nil, nil, nil, 0.4, 0.8, 1])
    await database.close()
  }

  @Test func `A fully migrated file is opened without a report`() async throws {
    try Connection(path).migrate(Self.migrations)
    let database = try await Database.open(path, migrations: Self.migrations) { progress in
      Issue.record("\(progress)")
    }
    #expect(try await database.read { try Entry.all.count($0) } == 2500)
  }

  @Test func `Opening does not block a thread of the caller`() async throws {
    let mayGoOn = Gate()
    let migrations = Migrations([Migration("v1") { _ in mayGoOn.wait() }])
    // If all threads of the cooperative pool were blocked, nothing would open the gate.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<(ProcessInfo.processInfo.activeProcessorCount + 2) {
        let file = folder.file("\(number).sqlite")
        group.addTask { await (try Database.open(file, migrations: migrations)).close() }
      }
      for _ in 0..<(ProcessInfo.processInfo.activeProcessorCount + 2) {
        group.addTask { mayGoOn.open() }
      }
      try await group.waitForAll()
    }
  }

  @Test func `A cancelled opening leaves the file as after the last complete migration`()
    async throws
  {
    try Connection(path).migrate(Self.first(1))
    let isRunning = Gate()
    let migrations = Migrations(
      Self.migrations.all + [
        Migration("v4", .perform { _ in isRunning.open() }, .sql(Self.endless)), Migration("v5"),
      ])
    let path = path
    let opening = Task { try await Database.open(path, migrations: migrations) }
    await isRunning.opened()
    opening.cancel()
    await #expect(throws: CancellationError.self) { try await opening.value }
    let connection = try Connection(path)
    #expect(try connection.appliedMigrations() == ["v1", "v2", "v3"])
    #expect(try connection.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `A cancelled migration is rolled back with its rows`() async throws {
    try Connection(path).migrate(Self.first(2))
    let isRunning = Gate()
    let migrations = Migrations(
      Self.first(2).all + [
        Migration(
          "v3", .sql("DELETE FROM entries"), .perform { _ in isRunning.open() },
          .sql(Self.endless))
      ])
    let path = path
    let opening = Task { try await Database.open(path, migrations: migrations) }
    await isRunning.opened()
    opening.cancel()
    await #expect(throws: CancellationError.self) { try await opening.value }
    let connection = try Connection(path)
    #expect(try connection.number("SELECT count(*) FROM entries") == 2500)
    #expect(try connection.migrate(Self.migrations) == ["v3"])
  }

  @Test func `A cancellation stops between the statements of a migration`() async throws {
    let isRunning = Gate()
    let mayGoOn = Gate()
    let migrations: Migrations = [
      Migration(
        "v1",
        .perform { _ in
          isRunning.open()
          mayGoOn.wait()
        }, .sql("CREATE TABLE a (x)"))
    ]
    let path = path
    let opening = Task { try await Database.open(path, migrations: migrations) }
    await isRunning.opened()
    opening.cancel()
    mayGoOn.open()
    await #expect(throws: CancellationError.self) { try await opening.value }
    #expect(try Connection(path).appliedMigrations() == [])
  }

  @Test func `An opening that was cancelled before it starts opens nothing`() async throws {
    let path = path
    let opening = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Database.open(path, migrations: Self.migrations)
    }
    await #expect(throws: CancellationError.self) { try await opening.value }
  }

  @Test func `An opened database writes and is cancelled like any other`() async throws {
    let database = try await Database.open(path, migrations: Self.migrations)
    try await database.write { try Entry(id: 9000, text: "y").insert($0) }
    let isRunning = Gate()
    let reading = Task {
      try await database.read { reader in
        isRunning.open()
        return try reader.integers(Self.endless)
      }
    }
    await isRunning.opened()
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
    #expect(try await database.read { try Entry.all.count($0) } == 2501)
    #expect(try await database.write { try $0.integers("PRAGMA foreign_keys") } == [1])
  }

  @Test func `The errors are the same as those of the synchronous initializer`() async throws {
    try Connection(path).migrate(Self.migrations)
    let path = path
    await #expect {
      try await Database.open(path, migrations: Self.first(1))
    } throws: { ($0 as? DatabaseError)?.code == .newerVersion }
    await #expect {
      try await Database.open(
        path, migrations: Migrations(Self.migrations.all + [Migration("v4", .drop("x"))]))
    } throws: { ($0 as? DatabaseError)?.message.contains("no such table: x") == true }
  }
}
