import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync
import Synchronization

@testable import MessAI

/// The data of a user without an account, with a clock that a test sets, and the log.
final class LocalFixture: Sendable {
  let data: LocalDataManager
  /// The id of the user of the file.
  let userID: String
  private let clock: FixtureClock
  private let log: FixtureLog

  init() async throws {
    let (clock, log) = (FixtureClock(), FixtureLog())
    var environment = SyncedStore.Environment()
    environment.now = { clock.now }
    environment.logger = AppLogger(.sync, to: LogSink { log.add($0) })
    let store = try SyncedStore.temporary(
      schema: MessAISchema.current, environment: environment)
    userID = try await store.read { try SyncedStore.userID($0).uuidString }
    data = LocalDataManager(PersistenceController(store))
    (self.clock, self.log) = (clock, log)
  }

  /// The current time, in seconds after that of the samples.
  func setTime(_ seconds: Double) { clock.now = .at(seconds) }

  /// The levels and messages of the log.
  var lines: [String] { log.lines }

  // MARK: - Rows

  /// Creates an unsent message of the user.
  func own(_ id: String, _ text: String = "Hello", in conversation: String = "c1", at time: Double)
    -> Message
  {
    .sample(id, text, in: conversation, from: userID, at: time, status: .sending)
  }

  /// Saves messages that the server has.
  func save(_ messages: Message...) async throws { try await data.batchSaveMessages(messages) }

  /// Returns a stored message.
  func message(_ id: String) async throws -> Message? { try await row(id)?.message }

  /// Returns the row of a message.
  func row(_ id: String) async throws -> MessageRow? {
    try await data.store.read { try MessageRow.find(id).first($0) }
  }

  /// Returns the ids of the messages of a conversation, in order.
  func ids(_ conversation: String = "c1") async throws -> [String] {
    try await data.fetchMessages(conversationId: conversation).map(\.id)
  }

  /// Returns a conversation as the list shows it.
  func conversation(_ id: String = "c1") async throws -> Conversation? {
    try await data.fetchConversations().first { $0.id == id }
  }

  func run(_ statements: SQL...) async throws {
    try await data.store.write { writer in for sql in statements { try sql.run(writer) } }
  }

  func texts(_ sql: SQL) async throws -> [String] {
    try await data.store.read { try sql.all($0, as: String.self) }
  }

  func number(_ sql: SQL) async throws -> Int? {
    try await data.store.read { try sql.first($0, as: Int.self) }
  }
}

/// A time that a test sets, thread-safe.
final class FixtureClock: Sendable {
  private let time = Mutex(Date.at(0))
  var now: Date {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

/// The entries of a log, thread-safe.
final class FixtureLog: Sendable {
  private let entries = Mutex<[String]>([])
  var lines: [String] { entries.withLock { $0 } }
  func add(_ entry: LogEntry) { entries.withLock { $0.append("\(entry.level) \(entry.message)") } }
}

/// Returns the error of an operation.
func persistenceError<Result>(
  _ body: () async throws -> Result
) async -> PersistenceError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? PersistenceError
  }
}
