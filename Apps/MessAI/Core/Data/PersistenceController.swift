import Foundation
import Offshore
import OffshorePresentation
public import OffshoreSync
import Synchronization

/// The file with all data of MessAI.
///
/// There is nothing to save by hand: a call that has returned is on disk.
public final class PersistenceController: Sendable {
  /// The file with its settings and its account.
  public let store: SyncedStore

  /// Opens a file, creating it if it is missing, and migrates it to this version.
  /// - Throws: `AppError`. The file is then as the last complete migration left it; one of a newer version
  ///   or of another app is not changed.
  public convenience init(path: String) throws {
    try self.init(path: path, environment: SyncedStore.Environment())
  }

  /// Opens the file in the user's data folder, or an empty temporary one.
  /// - Parameter inMemory: whether the data is discarded together with the controller.
  /// - Throws: `AppError`.
  public convenience init(inMemory: Bool = false) throws {
    guard !inMemory else {
      try self.init { try .temporary(schema: MessAISchema.current) }
      return
    }
    try self.init {
      let path = try UserDataFolder(of: "messai").makePath(of: "messai.sqlite")
      return try SyncedStore(path, schema: MessAISchema.current)
    }
  }

  /// Opens a file with an environment.
  package convenience init(path: String, environment: SyncedStore.Environment) throws {
    try self.init {
      try SyncedStore(path, schema: MessAISchema.current, environment: environment)
    }
  }

  /// Creates the controller of an open file.
  package init(_ store: SyncedStore) { self.store = store }

  private convenience init(_ open: () throws -> SyncedStore) throws {
    do {
      self.init(try open())
    } catch {
      throw error.asAppError
    }
  }

  /// Returns the number of messages that the server does not have, or 0 if it cannot be read.
  ///
  /// It opens another connection for the count, because the initializer of a manager cannot wait.
  func unsyncedCount() -> Int {
    let connection = try? Connection(store.path)
    return (try? connection?.read { try MessageRow.unsynced.count($0) }) ?? 0
  }

  /// Removes every row, queue, draft, session, file, backup and log of the user from this device, and
  /// nothing anywhere else. No deletion is sent.
  ///
  /// The controller continues with an empty file. If the process ends meanwhile, the removal is completed
  /// when the file is opened again. Stop syncing before; ``SyncManager/signOut(erasing:)`` does both.
  /// - Throws: `AppError`. Nothing has changed then.
  public func deleteAllData() async throws {
    do {
      try await store.erase()
    } catch {
      throw error.asAppError
    }
  }
}

// MARK: - Shared controllers

extension PersistenceController {
  private static let opened = Mutex<PersistenceController?>(nil)
  private static let previewed = Mutex<PersistenceController?>(nil)

  /// The controller of the file in the user's data folder, opened at the first access.
  /// - Throws: `AppError`. The next access retries.
  public static var shared: PersistenceController {
    get throws { try opened.withLock { try open(&$0) { try PersistenceController() } } }
  }

  /// A controller in memory with the conversation `preview-conversation`, which has ten sent messages.
  /// - Throws: `AppError`. The next access retries.
  public static var preview: PersistenceController {
    get throws { try previewed.withLock { try open(&$0) { try makePreview() } } }
  }

  private static func open(
    _ controller: inout PersistenceController?, _ make: () throws -> PersistenceController
  ) throws -> PersistenceController {
    if let controller { return controller }
    let new = try make()
    controller = new
    return new
  }

  private static func makePreview() throws -> PersistenceController {
    let sample = Migration("preview") { try insertPreview($0) }
    return try PersistenceController {
      try .temporary(schema: MessAISchema.make(with: sample))
    }
  }

  private static func insertPreview(_ writer: Writer) throws {
    let people = ["user1", "user2"]
    let begin = Date(timeIntervalSinceReferenceDate: 800_000_000)
    let messages = (1...10).map { number in
      Message(
        id: "preview-message-\(number)", conversationId: "preview-conversation",
        senderId: people[(number + 1) % 2], text: "Message \(number)",
        sentAt: begin.addingTimeInterval(Double(number) * 60), status: .sent)
    }
    let last = messages[messages.count - 1]
    try ConversationRow(
      Conversation(
        id: last.conversationId, participantIds: people, isGroup: false, lastMessage: last.text,
        lastMessageAt: last.sentAt, createdBy: people[0], createdAt: begin)
    ).insert(writer)
    try MessageRow.insert(contentsOf: messages.map { MessageRow($0, isSynced: true) }, writer)
  }
}
