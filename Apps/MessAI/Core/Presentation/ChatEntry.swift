package import Foundation
package import Offshore
package import OffshoreSync
package import OffshoreWire

/// A message as a conversation shows it.
public struct ChatEntry: Identifiable, Hashable, Sendable {
  /// The message that another one answers.
  package struct Reply: Hashable, Sendable {
    package let id: String
    package let senderId: String
    package let text: String
    package let hasImage: Bool
  }

  public let message: Message
  /// The image, if it is on this device.
  package let image: BlobReference?
  /// The thumbnail of the image, or the image if it has none, if that is on this device.
  package let thumbnail: BlobReference?
  /// Whether the user wrote the message.
  package let isOwn: Bool
  /// Whether the user has not read the message.
  package let isUnread: Bool
  /// The message that it answers, if that is on this device.
  package let reply: Reply?
  /// The state of the message in the queue; `nil` if the server has it.
  package let sending: SendingState?
  /// The actions that are possible now.
  package let actions: Set<MessageAction>

  public var id: String { message.id }
}

extension LocalDataManager {
  /// Observes the messages: the values differ, one after each change.
  package func messageChanges() -> ObservedValues<UUID> {
    store.values { [store] reader in
      _ = try MessageRow.all.limit(1).readable(reader)
      // Images arrive after their messages. The status of any file depends on the table of all.
      _ = try store.status(of: BlobReference(ContentHash(of: [])), reader)
      // The role decides which actions are possible.
      _ = try ScopeID.conversation("any").flatMap { try store.role(in: $0, reader) }
      return UUID()
    }
  }

  /// Returns the messages of a conversation directly before another one, in order, and those that cannot be
  /// read.
  /// - Parameters:
  ///   - entry: the message after the page, or `nil` for the last page.
  ///   - limit: the number of messages that can be read.
  package func entries(
    in conversationId: String, before entry: ChatEntry?, limit: Int
  ) async throws -> ReadableRows<ChatEntry> {
    var page = try await page(MessageRow.latest(in: conversationId), after: entry, limit: limit)
    page.rows.reverse()
    return page
  }

  /// Returns the messages of a conversation directly after another one, in order, and those that cannot be
  /// read.
  /// - Parameters:
  ///   - entry: the message before the page, or `nil` for the first page.
  ///   - limit: the number of messages that can be read.
  package func entries(
    in conversationId: String, after entry: ChatEntry?, limit: Int
  ) async throws -> ReadableRows<ChatEntry> {
    try await page(MessageRow.all(in: conversationId), after: entry, limit: limit)
  }

  /// Returns a message of a conversation, or `nil` if it is not on this device.
  package func entry(_ id: String, in conversationId: String) async throws -> ChatEntry? {
    try await page(MessageRow.all(in: conversationId).where { $0.id == id }, after: nil, limit: 1)
      .rows.first
  }

  private func page(
    _ query: Query<MessageRow>, after entry: ChatEntry?, limit: Int
  ) async throws -> ReadableRows<ChatEntry> {
    let rest = entry.map { query.after(MessageRow($0.message, isSynced: true)) } ?? query
    do {
      return try await store.read { [store] reader in
        try Self.entries(of: rest.readablePage(of: limit, reader), store, reader)
      }
    } catch {
      throw PersistenceError.fetchFailed(error)
    }
  }

  /// Returns the messages that the server does not have, in order.
  package func unsentEntries(_ reader: Reader) throws -> ReadableRows<ChatEntry> {
    try Self.entries(of: MessageRow.unsynced.readable(reader), store, reader)
  }

  /// Returns a message as the quote of another one. A message of another conversation is not quoted.
  private static func quote(_ row: MessageRow, in other: MessageRow) -> ChatEntry.Reply? {
    guard row.conversationId == other.conversationId else { return nil }
    return ChatEntry.Reply(
      id: row.id, senderId: row.senderId, text: row.text, hasImage: row.imageURL != nil)
  }

  private static func entries(
    of rows: ReadableRows<MessageRow>, _ store: SyncedStore, _ reader: Reader
  ) throws -> ReadableRows<ChatEntry> {
    let userID = try SyncedStore.userID(reader).uuidString
    let answered = Set(rows.rows.compactMap(\.replyToId))
    let replies =
      try answered.isEmpty
      ? [:]
      : Dictionary(
        MessageRow.where { $0.id.in(answered) && !$0.isHidden }.readable(reader).rows.map {
          ($0.id, $0)
        }, uniquingKeysWith: { first, _ in first })
    let unsent = Set(rows.rows.filter { !$0.isSynced || $0.status == .sending }.map(\.id))
    let states = try store.sendingStates(of: unsent, in: MessageRow.table.name, reader)
    let stored = { (text: String?) in
      text.flatMap { BlobReference($0) }.flatMap { store.files.url(of: $0) == nil ? nil : $0 }
    }
    let writable = try Set(rows.rows.map(\.conversationId)).filter { id in
      try ScopeID.conversation(id).flatMap { try store.role(in: $0, reader) }?.canWrite != false
    }
    return rows.map { row in
      ChatEntry(
        message: row.message, image: stored(row.imageURL),
        thumbnail: stored(row.thumbnailURL ?? row.imageURL),
        isOwn: row.senderId == userID, isUnread: row.isUnread,
        reply: row.replyToId.flatMap { replies[$0] }.flatMap { Self.quote($0, in: row) },
        sending: states[row.id],
        actions: MessageAction.all(
          on: row, isOwn: row.senderId == userID, states[row.id],
          canWrite: writable.contains(row.conversationId)))
    }
  }
}
