package import Foundation
import Offshore
public import OffshoreSync
import OffshoreWire

/// The messages and conversations of this device.
///
/// A call that has returned is on disk. Each throws a ``PersistenceError``.
public final class LocalDataManager: Sendable {
  /// The file of the data.
  public let controller: PersistenceController

  /// Creates a manager of a controller's file.
  public init(_ controller: PersistenceController) { self.controller = controller }

  /// The file of the data.
  public var store: SyncedStore { controller.store }

  // MARK: - Messages

  /// Inserts a message, or updates the stored one: its text, its image and its reply. Its time stays, and
  /// its status only moves forward.
  ///
  /// If its conversation is not on this device yet, a provisional one is listed until it is.
  /// - Parameter isSynced: whether the server has the message. Otherwise it is sent.
  /// - Throws: ``PersistenceError/saveFailed(_:)``, with a ``Message/Problem`` as the cause if a value is
  ///   not allowed.
  public func saveMessage(_ message: Message, isSynced: Bool = true) async throws {
    try await save { try $0.save([message], isSynced: isSynced) }
  }

  /// Saves messages that the server has, all or none.
  /// - Throws: as ``saveMessage(_:isSynced:)``.
  public func batchSaveMessages(_ messages: [Message]) async throws {
    try await save { try $0.save(messages, isSynced: true) }
  }

  /// Moves a message forward. A backward change is ignored. Of another member's message it is also the
  /// receipt of the user.
  /// - Throws: ``PersistenceError/messageNotFound``, ``PersistenceError/saveFailed(_:)``.
  public func updateMessageStatus(id: String, status: MessageStatus) async throws {
    try await save { try $0.setStatus(status, of: id) }
  }

  /// Deletes a message: one of the user for all members, another one on this device.
  /// - Throws: ``PersistenceError/messageNotFound``, ``PersistenceError/deleteFailed(_:)``.
  public func deleteMessage(id: String) async throws { _ = try await removeMessage(id: id) }

  /// Deletes a message as ``deleteMessage(id:)`` does.
  /// - Returns: whether it was deleted for all members. Otherwise ``restoreMessage(id:)`` undoes it.
  /// - Throws: as ``deleteMessage(id:)``.
  func removeMessage(id: String) async throws -> Bool {
    do {
      return try await store.write { [store] in try MessageSaving($0, store).delete(id) }
    } catch {
      throw error as? PersistenceError ?? .deleteFailed(error)
    }
  }

  /// Shows a message of another member again that was deleted on this device.
  /// - Throws: ``PersistenceError/messageNotFound``, ``PersistenceError/saveFailed(_:)``.
  package func restoreMessage(id: String) async throws { try await save { try $0.restore(id) } }

  // MARK: - Conversations

  /// Inserts a conversation, or updates the stored one. A new one belongs to the user, and is sent.
  /// - Throws: ``PersistenceError/saveFailed(_:)``.
  public func saveConversation(_ conversation: Conversation) async throws {
    try await saveConversation(conversation, admitting: [])
  }

  /// Saves a conversation, and lets accounts into it, all or nothing.
  /// - Parameter accounts: those that share another conversation with the user. Others are left out.
  /// - Throws: ``PersistenceError/saveFailed(_:)``.
  package func saveConversation(
    _ conversation: Conversation, admitting accounts: [UUID]
  ) async throws {
    let replacesProvisional = try await save { saving in
      let replacesProvisional = try saving.save(conversation)
      try saving.admit(accounts, to: conversation.id)
      return replacesProvisional
    }
    guard replacesProvisional else { return }
    // The server has refused messages whose conversation it did not have.
    let id = conversation.id
    do {
      try await store.changes.retry(MessageRow.where { $0.conversationId == id && !$0.isSynced })
    } catch {
      throw PersistenceError.saveFailed(error)
    }
  }

  /// Returns the conversations that can be read, the one with the last message first.
  /// - Throws: ``PersistenceError/fetchFailed(_:)``.
  public func fetchConversations() async throws -> [Conversation] {
    try await fetch { try ConversationRow.latest.readable($0).map(\.conversation) }
  }

  /// Removes a conversation from the devices of the user at once: the user leaves it. The server deletes it if
  /// there is no other member then; if it never had the conversation, nothing of it is sent. A copy that stayed
  /// when the user left is removed from this device.
  /// - Throws: ``PersistenceError/conversationNotFound``, ``PersistenceError/deleteFailed(_:)``.
  public func deleteConversation(id: String) async throws {
    do {
      let (scope, role) = try await store.read { [store] reader in
        guard try ConversationRow.find(id).exists(reader) else {
          throw PersistenceError.conversationNotFound
        }
        let isShared = try !ConversationRow.find(id).where { $0.isProvisional }.exists(reader)
        guard isShared, try SyncedStore.isLinked(reader), let scope = ScopeID.conversation(id)
        else { return (ScopeID?.none, Role?.none) }
        return (scope, try store.role(in: scope, reader))
      }
      if let scope, role == .left {
        _ = try await store.removeCopy(of: scope)
      } else if let scope {
        try await store.leave(scope, retainingCopy: false)
      } else {
        try await store.write { [store] in try MessageSaving($0, store).deleteConversation(id) }
      }
    } catch {
      throw error as? PersistenceError ?? .deleteFailed(error)
    }
  }

  // MARK: - The queue

  /// Returns the messages that the server does not have, in order, those that wait for the user included.
  /// - Throws: ``PersistenceError/fetchFailed(_:)``.
  public func fetchUnsyncedMessages() async throws -> [Message] {
    try await fetch { try MessageRow.unsynced.readable($0).map(\.message) }
  }

  /// Records that the server has a message.
  /// - Throws: ``PersistenceError/messageNotFound``, ``PersistenceError/saveFailed(_:)``.
  public func markAsSynced(messageId: String) async throws {
    try await save { try $0.change(messageId) { $0.move(to: .sent) } }
  }

  /// Records that the server has refused a message. After five times it waits for the user.
  /// - Throws: ``PersistenceError/messageNotFound``, ``PersistenceError/saveFailed(_:)``.
  public func incrementSyncAttempts(messageId: String, error: String? = nil) async throws {
    try await save { try $0.change(messageId) { $0.addAttempt(error: error) } }
  }

  // MARK: - Transactions

  /// Runs a closure that saves, in one transaction.
  func save<Result: Sendable>(
    _ body: @escaping @Sendable (MessageSaving) throws -> Result
  ) async throws -> Result {
    do {
      return try await store.write { [store] in try body(MessageSaving($0, store)) }
    } catch {
      throw error as? PersistenceError ?? .saveFailed(error)
    }
  }

  /// Runs a closure that reads rows, and logs those that cannot be read.
  func fetch<Row: Sendable>(
    _ body: @escaping @Sendable (Reader) throws -> ReadableRows<Row>
  ) async throws -> [Row] {
    let file = LoggedStore(store) { PersistenceError.fetchFailed($0) }
    return try await file.readable("fetch", body)
  }
}
