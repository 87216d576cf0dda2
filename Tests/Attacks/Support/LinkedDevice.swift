import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

/// A log book, which is its own scope.
struct LogBook: Record {
  let id: String
  let name: String

  static let table = Table(
    "books", LogBook.init, Column("id", \.id).primaryKey(), Column("name", \.name))
  static let creation: SQL =
    "CREATE TABLE books (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL)"
}

/// An entry of a log book, with room for a text in each of a few columns.
struct LogEntry: Record {
  let id: String
  let bookID: String
  let text: String
  let weather: String
  let course: String
  let remarks: String

  static let table = Table(
    "entries", LogEntry.init, Column("id", \.id).primaryKey(),
    Column("bookID", \.bookID).references("books", onDelete: .cascade), Column("text", \.text),
    Column("weather", \.weather), Column("course", \.course), Column("remarks", \.remarks))
  static let creation: SQL = """
    CREATE TABLE entries (
      id TEXT PRIMARY KEY NOT NULL, bookID TEXT NOT NULL REFERENCES books ON DELETE CASCADE,
      text TEXT NOT NULL, weather TEXT NOT NULL, course TEXT NOT NULL, remarks TEXT NOT NULL)
    """
}

extension SyncSchema {
  /// Returns the schema of log books.
  static func logBooks() throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(LogBook.self, scope: .kind("book", \.id)),
      SyncTable(LogEntry.self, scope: .kind("book", \.bookID)), claimableKinds: ["book"])
  }
}

/// A device with a log book, which syncs over a link.
final class LinkedDevice: Sendable {
  let database: Database
  private let replica: Replica
  private let driver: SyncDriver

  init(_ url: URL, token: String) async throws {
    database = try .temporary()
    let replica = try Replica(.logBooks())
    self.replica = replica
    try await database.write { writer in
      try LogBook.creation.run(writer)
      try LogEntry.creation.run(writer)
      try replica.outbox.install(writer, device: DeviceID(UUID()))
    }
    var timing = SyncEngine.Timing()
    // In a short test, the pauses after a cut are as short.
    if !AttackTests.isSoak { (timing.firstDelay, timing.longestDelay) = (20, 200) }
    driver = SyncDriver(database, replica, over: HTTPTransport(url), timing: timing)
    await driver.setToken(token)
  }

  func start() async { await driver.start() }

  /// Writes entries, each in a transaction of its own, while nothing is sent.
  func write(_ entries: [LogEntry]) async throws {
    try await database.write { writer in
      try SQL("INSERT INTO books VALUES ('b', 'Log') ON CONFLICT DO NOTHING").run(writer)
    }
    for entry in entries {
      try await database.write { writer in
        try SQL(
          """
          INSERT INTO entries VALUES (
            \(entry.id), \(entry.bookID), \(entry.text), \(entry.weather), \(entry.course),
            \(entry.remarks))
          """
        ).run(writer)
      }
    }
  }

  /// Waits until no change waits to be sent.
  func waitUntilSent() async throws {
    let counts = database.values { [replica] in try replica.status($0).pending }
    for try await pending in counts where pending == 0 { return }
  }

  /// Waits until a number of entries is there, and returns the ids with the lengths of all texts.
  func waitForEntries(_ count: Int) async throws -> [String: Int] {
    let counts = database.values { reader in
      try SQL("SELECT count(*) FROM entries").first(reader, as: Int.self) ?? 0
    }
    for try await found in counts where found >= count { break }
    let sizes = try await database.read { reader in
      try SQL(
        """
        SELECT id, length(text) + length(weather) + length(course) + length(remarks) FROM entries
        """
      ).all(reader, as: String.self, Int.self)
    }
    return Dictionary(sizes) { first, _ in first }
  }

  /// The refused changes.
  func refusals() async throws -> [DeadLetter] {
    try await database.read { [replica] in try replica.deadLetters($0) }
  }

  func end() async {
    await driver.stop()
    await database.close()
  }
}
