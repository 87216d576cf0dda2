import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync
import Synchronization
import Testing

/// The log and the errors of a file's operations.
struct LoggedStoreTests {
  private struct Word: Record, Equatable {
    let id: UUID
    var text: String
    static let table = Table(
      "words", Word.init, Column("id", \.id).primaryKey(), Column("text", \.text))
  }

  /// The error in which the file wraps all others.
  private struct Failure: Error {
    let cause: any Error
  }

  /// The entries of a log, thread-safe.
  private final class Log: Sendable {
    private let entries = Mutex<[LogEntry]>([])
    var texts: [String] { entries.withLock { $0.map { "\($0.level) \($0.message)" } } }
    func add(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
  }

  private let log = Log()
  private let file: LoggedStore

  init() throws {
    let schema = StoreSchema(migrations: [Migration("v1") { try $0.create(Word.table) }])
    let (store, log) = (try SyncedStore.temporary(schema: schema), log)
    file = LoggedStore(store, logger: AppLogger(.repository, to: LogSink { log.add($0) })) {
      Failure(cause: $0)
    }
  }

  private func damage() async throws {
    try await file.store.write { try SQL("UPDATE words SET id = 'x'").run($0) }
  }

  @Test func `An operation logs its start, and its end or failure`() async throws {
    try await file.write("addWord") { try Word(id: UUID(), text: "a").insert($0) }
    #expect(log.texts.count == 2)
    let failure = await #expect(throws: Failure.self) {
      try await file.read("readNothing") {
        try SQL("SELECT * FROM nothing").first($0, as: Int.self)
      }
    }
    #expect(failure?.cause is DatabaseError)
    #expect(log.texts.count == 4 && log.texts[3].hasPrefix("error"))
  }

  @Test func `An unreadable row is omitted and logged`() async throws {
    try await file.write("addWord") { try Word(id: UUID(), text: "a").insert($0) }
    try await damage()
    #expect(try await file.readable("readWords") { try Word.all.readable($0) } == [])
    #expect(log.texts.last == "warning row left out")
    var values = file.readableValues("observeWords") { try Word.all.readable($0) }
      .makeAsyncIterator()
    #expect(try await values.next()?.unreadable.count == 1)
    #expect(log.texts.suffix(2) == ["debug observeWords", "warning row left out"])
  }

  @Test func `An observation throws an error once, and ends when the file is closed`() async throws
  {
    var values = file.values("observeWords") { try Word.all.all($0) }.makeAsyncIterator()
    #expect(try await values.next() == [])
    await file.store.close()
    await #expect(throws: Failure.self) { _ = try await values.next() }
    #expect(try await values.next() == nil)
  }
}
