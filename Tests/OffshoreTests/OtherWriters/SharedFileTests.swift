import Foundation
import TestSupport
import Testing

@testable import Offshore

/// Several databases of one process that have the same file open.
@Suite(.timeLimit(.minutes(1)))
struct SharedFileTests {
  /// Observes the number of notes.
  private func notes(_ database: Database, _ counter: Counter) -> ObservedValues<[Int]> {
    database.values { reader in
      counter.increase()
      return try reader.integers("SELECT count(*) FROM notes")
    }
  }

  @Test func `A commit is delivered to the observations of another database with its changes`()
    async throws
  {
    let shared = try await SharedCharters()
    let second = try Database(shared.path, configuration: .quick)
    let counter = Counter()
    let (names, notes) = (second.names(), notes(second, counter))
    var (nameIterator, noteIterator) = (names.makeAsyncIterator(), notes.makeAsyncIterator())
    _ = try await (nameIterator.next(), noteIterator.next())
    for index in 0..<50 {
      try await shared.database.write { try $0.run("UPDATE charters SET name = \("\(index)")") }
      #expect(try await nameIterator.next() == ["\(index)", "\(index)"])
      #expect(names.explain().hasSuffix("changed charters (name) in 2 named rows"))
    }
    #expect(counter.value == 1)
    await shared.database.close()
    await second.close()
  }

  @Test func `A subscriber of another database receives a value that contains a completed write`()
    async throws
  {
    let shared = try await SharedCharters()
    let second = try Database(shared.path, configuration: .quick)
    let query = Charter.all.select { $0.name }
    for index in 0..<50 {
      try await shared.database.write { try $0.run("UPDATE charters SET name = \("\(index)")") }
      var names = second.values(of: query).makeAsyncIterator()
      #expect(try await names.next() == ["\(index)", "\(index)"])
    }
    await shared.database.close()
    await second.close()
  }

  @Test func `All databases of a file share the numbers of its commits`() async throws {
    let shared = try await SharedCharters()
    let second = try Database(shared.path, configuration: .quick)
    let names = second.names()
    var iterator = names.makeAsyncIterator()
    _ = try await iterator.next()
    try await shared.database.write { try $0.run("UPDATE charters SET name = 'x'") }
    _ = try await iterator.next()
    #expect(names.explain() == "commit 2 changed charters (name) in 2 named rows")
    try await second.write { try $0.run("UPDATE charters SET name = 'y'") }
    _ = try await iterator.next()
    #expect(names.explain() == "commit 3 changed charters (name) in 2 named rows")
    await shared.database.close()
    await second.close()
  }

  @Test func `Concurrent writes of both are never mistaken for those of another process`()
    async throws
  {
    let shared = try await SharedCharters()
    let second = try Database(shared.path, configuration: .quick)
    let counter = Counter()
    var names = second.names(counter).makeAsyncIterator()
    _ = try await names.next()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for database in [shared.database, second] {
        group.addTask {
          for _ in 0..<300 {
            try await database.write { try $0.run("INSERT INTO notes VALUES ('x')") }
          }
        }
      }
      try await group.waitForAll()
    }
    try await shared.database.write { try $0.run("DELETE FROM charters") }
    #expect(try await names.next() == [])
    #expect(counter.value == 2)
    #expect(try await second.read { try $0.integers("SELECT count(*) FROM notes") } == [600])
    await shared.database.close()
    await second.close()
  }

  @Test func `Each database closes separately, in any order`() async throws {
    for closesFirst in [true, false] {
      let shared = try await SharedCharters()
      let second = try Database(shared.path, configuration: .quick)
      let (closed, open) = closesFirst ? (shared.database, second) : (second, shared.database)
      var names = open.names().makeAsyncIterator()
      var ended = closed.names().makeAsyncIterator()
      _ = try await (names.next(), ended.next())
      await closed.close()
      await #expect(throws: DatabaseError.closed) { _ = try await ended.next() }
      try await open.write { try $0.run("UPDATE charters SET name = 'x'") }
      #expect(try await names.next() == ["x", "x"])
      let other = try OtherProcess(shared.path)
      try await other.commit("UPDATE charters SET name = 'y'")
      #expect(try await names.next() == ["y", "y"])
      await other.end()
      await open.close()
    }
  }

  @Test func `Links and detours lead to the same file`() async throws {
    let shared = try await SharedCharters()
    let folder = shared.folder
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.sqlite"), withDestinationPath: "shared.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("folder"), withDestinationPath: folder.path)
    let name = URL(filePath: folder.path).lastPathComponent
    for path in [
      folder.file("link.sqlite"), folder.file("folder/shared.sqlite"),
      folder.file("./../\(name)//shared.sqlite"), folder.file("folder/folder/link.sqlite"),
    ] {
      let second = try Database(path, configuration: .quick)
      var names = second.names().makeAsyncIterator()
      _ = try await names.next()
      try await shared.database.write { try $0.run("UPDATE charters SET name = \(path)") }
      #expect(try await names.next() == [path, path])
      try await shared.database.write { try $0.run("UPDATE charters SET name = 'x'") }
      #expect(try await names.next() == ["x", "x"])
      await second.close()
    }
    await shared.database.close()
  }

  @Test func `A hard link of an open file is refused, and opens once the file is closed`()
    async throws
  {
    let shared = try await SharedCharters()
    let link = shared.folder.file("other.sqlite")
    try FileManager.default.linkItem(atPath: shared.path, toPath: link)
    let error = databaseError { _ = try Database(link) }
    #expect(error?.code == .cannotOpen)
    #expect(
      error?.message
        == "The file is open by another name, “\(shared.path)”, and each name would get a log of its "
        + "own. Open it by that name.")
    #expect(!FileManager.default.fileExists(atPath: link + "-wal"))
    await shared.database.close()
    let database = try Database(link)
    #expect(try await database.read { try $0.integers("SELECT count(*) FROM charters") } == [2])
    await database.close()
  }

  @Test func `The migrations of a database are delivered to the observations of an open one`()
    async throws
  {
    let shared = try await SharedCharters()
    let values = shared.database.names()
    var names = values.makeAsyncIterator()
    _ = try await names.next()
    let migrations: Migrations = [
      Migration("v1") { try $0.run("UPDATE charters SET name = 'v1'") },
      Migration("v2") { try $0.run("ALTER TABLE charters ADD COLUMN skipper TEXT") },
    ]
    let second = try Database(shared.path, migrations: migrations, configuration: .quick)
    #expect(try await names.next() == ["v1", "v1"])
    #expect(values.explain().contains("commit"))
    #expect(!values.explain().contains("another process"))
    try await second.write { try $0.run("UPDATE charters SET skipper = 'Ana', name = 'v2'") }
    #expect(try await names.next() == ["v2", "v2"])
    await second.close()
    await shared.database.close()
  }

  @Test func `A database that fails to open does not affect the others`() async throws {
    let shared = try await SharedCharters()
    var names = shared.database.names().makeAsyncIterator()
    _ = try await names.next()
    let error = databaseError {
      _ = try Database(
        shared.path, migrations: [Migration("v1") { try $0.run("CREATE TABLE notes (x)") }],
        configuration: .quick)
    }
    #expect(error?.code == .migrationFailed)
    try await shared.database.write { try $0.run("DELETE FROM charters") }
    #expect(try await names.next() == [])
    await shared.database.close()
  }

  @Test func `Databases of a temporary file observe each other`() async throws {
    let database = try await Database.withAlmaAndBura()
    let second = try Database(database.path, configuration: .quick)
    var names = second.names().makeAsyncIterator()
    _ = try await names.next()
    try await database.write { try $0.run("DELETE FROM charters WHERE name = 'Alma'") }
    #expect(try await names.next() == ["Bura"])
    await second.close()
    await database.close()
  }

  @Test func `A connection without a database is observed like another process`() async throws {
    let shared = try await SharedCharters()
    var names = shared.database.names().makeAsyncIterator()
    _ = try await names.next()
    let connection = try Connection(shared.path, configuration: .quick)
    try connection.write { try $0.run("DELETE FROM charters WHERE name = 'Alma'") }
    #expect(try await names.next() == ["Bura"])
    connection.close()
    await shared.database.close()
  }
}
