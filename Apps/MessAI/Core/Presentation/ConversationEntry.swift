import Foundation
package import Offshore
import OffshoreSync
package import OffshoreWire

/// A conversation as a list shows it: with the names of its members.
public struct ConversationEntry: Identifiable, Hashable, Sendable {
  /// The title of a conversation.
  package enum Title: Hashable, Sendable {
    /// The name of a group.
    case group(String)
    /// The names of the other members, in order.
    case people([String])
    /// The names of the former members, in order: all others have left.
    case formerPeople([String])
    /// The user is the only member, and has been from the beginning.
    case alone
    /// The conversation is not on this device yet.
    case unknown
  }

  public let conversation: Conversation
  package let title: Title
  /// The role of the user; `nil` before the server has granted one.
  package let role: Role?
  /// The names of the members and former members by user id, as far as this device has learned them.
  package let names: [String: String]
  /// Whether there are only messages of the conversation on this device yet.
  package let isProvisional: Bool
  /// Whether the last message has an image and no text.
  package let endsWithPhoto: Bool
  /// The time at which the user joined, if that was later than the beginning.
  let joinedAt: Date?

  public var id: String { conversation.id }

  /// Whether the user may write in the conversation.
  package var canWrite: Bool { !isProvisional && role?.canWrite != false }

  /// Reads what a list shows of a conversation.
  init(_ row: ConversationRow, _ store: SyncedStore, _ reader: Reader) throws {
    conversation = row.conversation
    isProvisional = row.isProvisional
    joinedAt = row.joinedAt
    endsWithPhoto = try row.lastMessage.isEmpty && MessageRow.all(in: row.id).exists(reader)
    let userID = try SyncedStore.userID(reader).uuidString
    guard let scope = ScopeID.conversation(row.id) else {
      (title, role, names) = (.unknown, nil, [:])
      return
    }
    role = try store.role(in: scope, reader)
    let members = try store.members(of: scope, reader)
    names = row.members.mapValues(\.name)
      .merging(members.map { ($0.id.uuidString, $0.name) }) { $1.isEmpty ? $0 : $1 }
      .filter { !$0.value.isEmpty }
    let others = members.filter { $0.id.uuidString != userID }.map(\.name)
    let former = names.filter { $0.key != userID }.values.sorted()
    title =
      if let name = row.groupName, row.isGroup, !name.isEmpty {
        .group(name)
      } else if !others.isEmpty {
        .people(others)
      } else if row.isProvisional {
        .unknown
      } else {
        // A copy of a conversation that the user has left keeps its title.
        former.isEmpty
          ? .alone : role == .left || role == .revoked ? .people(former) : .formerPeople(former)
      }
  }
}

extension LocalDataManager {
  /// Returns a page of conversations, the one with the last message first, and the rows that cannot be read.
  ///
  /// Rows that cannot be read do not make a page shorter, because a short page is the last one.
  /// - Parameters:
  ///   - entry: the conversation before the page, or `nil` for the first page.
  ///   - limit: the number of conversations that can be read.
  package func conversations(
    after entry: ConversationEntry?, limit: Int
  ) async throws -> ReadableRows<ConversationEntry> {
    var query = ConversationRow.latest
    if let entry { query = query.after(ConversationRow(entry.conversation)) }
    do {
      return try await store.read { [store, query] reader in
        try query.readablePage(of: limit, reader).map { try ConversationEntry($0, store, reader) }
      }
    } catch {
      throw PersistenceError.fetchFailed(error)
    }
  }

  /// Observes a conversation. The value is `nil` while it is not on this device.
  package func conversation(_ id: String) -> ObservedValues<ConversationEntry?> {
    store.values { [store] reader in
      try ConversationRow.find(id).first(reader).map { try ConversationEntry($0, store, reader) }
    }
  }

  /// Observes the number of unread messages in all conversations.
  package func unreadCount() -> ObservedValues<Int> {
    store.values { reader in
      try SQL("SELECT count(*) FROM messages WHERE isUnread = 1").first(reader, as: Int.self) ?? 0
    }
  }
}
