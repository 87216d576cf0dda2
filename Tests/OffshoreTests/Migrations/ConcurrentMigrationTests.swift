import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Offshore

struct ConcurrentMigrationTests {
  private static let migrations = Migrations(
    (1...5).map { number in
      Migration("v\(number)") { writer in
        try writer.connection.run("CREATE TABLE IF NOT EXISTS runs (migration INTEGER)")
        try writer.connection.run("INSERT INTO runs VALUES (\(number))")
      }
    })

  /// Opens and migrates one file on several threads at once; returns the migrations each ran, or
  /// its error.
  private func migrate(_ path: String, threads: Int) -> [Result<[String], any Error>] {
    let results = Mutex<[Result<[String], any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      let result = Result {
        var configuration = DatabaseConfiguration()
        configuration.busyTimeout = .seconds(60)
        configuration.synchronous = .off
        let connection = try Connection(path, configuration: configuration)
        defer { connection.close() }
        return try connection.migrate(Self.migrations)
      }
      results.withLock { $0.append(result) }
    }
    return results.withLock { $0 }
  }

  @Test func `Ten connections that open a new file at once run each migration once`() throws {
    let folder = try TemporaryFolder()
    for round in 0..<5 {
      let path = folder.file("app-\(round).sqlite")
      let ran = try migrate(path, threads: 10).flatMap { try $0.get() }
      #expect(ran.sorted() == Self.migrations.all.map(\.name))
      let connection = try Connection(path)
      #expect(try connection.number("SELECT count(*) FROM runs") == 5)
      #expect(try connection.appliedMigrations() == Self.migrations.all.map(\.name))
    }
  }

  @Test
  func `Ten connections that open an old file at once run the rest once and leave one backup`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("app.sqlite")
    do { try Connection(path).migrate(Migrations(Array(Self.migrations.all.prefix(2)))) }
    let ran = try migrate(path, threads: 10).flatMap { try $0.get() }
    #expect(ran.sorted() == ["v3", "v4", "v5"])
    let backups = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.contains("before") }
    #expect(backups.count == 1)
    #expect(backups.allSatisfy { $0.hasSuffix(".backup") })
  }

  @Test func `A reader with an open snapshot does not delay a migration`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("app.sqlite")
    let reader = try Connection(path)
    try reader.migrate(Migrations(Array(Self.migrations.all.prefix(1))))
    try reader.read { old in
      #expect(try old.connection.number("SELECT count(*) FROM runs") == 1)
      try Connection(path).migrate(Self.migrations)
      #expect(try old.connection.number("SELECT count(*) FROM runs") == 1)
    }
    #expect(try reader.number("SELECT count(*) FROM runs") == 5)
  }

  @Test func `A migration that waits too long for another reports that the file is busy`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("app.sqlite")
    let other = try Connection(path)
    var configuration = DatabaseConfiguration()
    configuration.busyTimeout = .milliseconds(1)
    let connection = try Connection(path, configuration: configuration)
    let error = try other.write { _ in databaseError { try connection.migrate(Self.migrations) } }
    #expect(error?.code == .busy)
    #expect(try connection.migrate(Self.migrations).count == 5)
  }
}
