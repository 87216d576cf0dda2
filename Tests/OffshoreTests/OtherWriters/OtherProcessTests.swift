import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Offshore

/// Observations of a file that another process writes to.
@Suite(.timeLimit(.minutes(1)))
struct OtherProcessTests {
  @Test func `A commit of another process reaches an observation`() async throws {
    let shared = try await SharedCharters()
    let other = try OtherProcess(shared.path)
    let values = shared.database.names()
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next() == ["Alma", "Bura"])
    for name in ["Cita", "Dora", "Etna"] {
      try await other.commit("UPDATE charters SET name = '\(name)' WHERE name <> 'Alma'")
      #expect(try await iterator.next() == ["Alma", name])
      #expect(values.explain().hasSuffix(" changed rows in another process"))
    }
    #expect(shared.database.watchError == nil)
    await shared.database.close()
  }

  @Test
  func `A commit of another process delivers nothing to observations whose values are unchanged`()
    async throws
  {
    let shared = try await SharedCharters()
    let other = try OtherProcess(shared.path)
    let counter = Counter()
    var names = shared.database.names(counter).makeAsyncIterator()
    var notes = shared.database.values { try $0.integers("SELECT count(*) FROM notes") }
      .makeAsyncIterator()
    _ = try await (names.next(), notes.next())
    try await other.commit("INSERT INTO notes VALUES ('x')")
    #expect(try await notes.next() == [1])
    try await other.commit("DELETE FROM charters WHERE name = 'Alma'")
    #expect(try await names.next() == ["Bura"])
    #expect(counter.value <= 3)
    await shared.database.close()
  }

  @Test func `Writes of this process are not mistaken for those of another`() async throws {
    let shared = try await SharedCharters()
    let counter = Counter()
    var names = shared.database.names(counter).makeAsyncIterator()
    _ = try await names.next()
    let writes: [SQL] = [
      "INSERT INTO notes VALUES ('x')", "UPDATE notes SET text = text", "DELETE FROM notes",
      "DELETE FROM notes", "SELECT 1",
    ]
    for _ in 0..<100 {
      for write in writes { try await shared.database.write { try $0.run(write) } }
      try? await shared.database.write { writer in
        try writer.run("INSERT INTO notes VALUES ('undone')")
        throw CancellationError()
      }
      try await shared.database.write { writer in
        try? writer.savepoint { inner in
          try inner.run("INSERT INTO notes VALUES ('undone')")
          throw CancellationError()
        }
      }
    }
    try await shared.database.write { try $0.run("DELETE FROM charters WHERE name = 'Alma'") }
    #expect(try await names.next() == ["Bura"])
    #expect(counter.value == 2)
    await shared.database.close()
  }

  @Test func `A commit of another process among writes of this one is found`() async throws {
    let shared = try await SharedCharters()
    let other = try OtherProcess(shared.path, synchronous: "OFF")
    let database = shared.database
    var names = database.names().makeAsyncIterator()
    _ = try await names.next()
    let writing = Task {
      while !Task.isCancelled {
        try await database.write { try $0.run("INSERT INTO notes VALUES ('x')") }
      }
    }
    for index in 0..<20 {
      try await other.commit("UPDATE charters SET name = '\(index)'")
      #expect(try await names.next() == ["\(index)", "\(index)"])
    }
    writing.cancel()
    _ = await writing.result
    await database.close()
  }

  @Test func `A commit is found after another process truncated the write-ahead log`() async throws
  {
    let shared = try await SharedCharters()
    let other = try OtherProcess(shared.path)
    var names = shared.database.names().makeAsyncIterator()
    _ = try await names.next()
    try await other.commit("PRAGMA wal_checkpoint(TRUNCATE)")
    for index in 0..<3 {
      try await other.commit(
        "UPDATE charters SET name = '\(index)'", "PRAGMA wal_checkpoint(TRUNCATE)")
      #expect(try await names.next() == ["\(index)", "\(index)"])
    }
    await other.end()
    try await shared.database.write { try $0.run("DELETE FROM charters") }
    #expect(try await names.next() == [])
    await shared.database.close()
  }

  @Test func `A table that another process creates is observed`() async throws {
    let shared = try await SharedCharters()
    let other = try OtherProcess(shared.path)
    var tables = shared.database.values {
      try $0.integers("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
    }.makeAsyncIterator()
    #expect(try await tables.next() == [2])
    try await other.commit("CREATE TABLE further (x)")
    #expect(try await tables.next() == [3])
    await shared.database.close()
  }

  @Test func `Without a watch, a write finds the commits before it`() async throws {
    // A temporary file has no watch.
    let database = try await Database.withAlmaAndBura()
    let other = try OtherProcess(database.path)
    try await database.write { try $0.run("CREATE TABLE notes (text TEXT)") }
    var names = database.names().makeAsyncIterator()
    _ = try await names.next()
    try await other.commit("DELETE FROM charters WHERE name = 'Alma'")
    try await database.write { try $0.run("INSERT INTO notes VALUES ('x')") }
    #expect(try await names.next() == ["Bura"])
    await other.end()
    await database.close()
  }
}
