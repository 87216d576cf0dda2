import Foundation
import Offshore

/// A stored conversation, with what this device derives from its messages and members.
struct ConversationRow: Identifiable, Equatable, Sendable {
  let id: String
  var isGroup: Bool
  var groupName: String?
  var createdBy: String
  var createdAt: Date
  var participantIds: [String]
  var lastMessage: String
  var lastMessageAt: Date
  var unreadCount: Int
  /// The time at which the user became a member; earlier messages count as read. `nil` before the
  /// server has reported it.
  var joinedAt: Date?
  /// Whether it stands for a conversation that is not on this device yet, of which there are messages.
  var isProvisional: Bool
}

extension ConversationRow: Record {
  static let table = Table(
    "conversations", ConversationRow.init,
    Column("id", \.id).primaryKey(),
    Column("isGroup", \.isGroup).default(false),
    Column("groupName", \.groupName),
    Column("createdBy", \.createdBy),
    Column("createdAt", \.createdAt),
    Column("participantIds", \.participantIds, as: .json).default([]),
    Column("lastMessage", \.lastMessage).default(""),
    Column("lastMessageAt", \.lastMessageAt).default(Date(timeIntervalSinceReferenceDate: 0)),
    Column("unreadCount", \.unreadCount).default(0),
    Column("joinedAt", \.joinedAt),
    Column("isProvisional", \.isProvisional).default(false)
  )
  .index(\.lastMessageAt, name: "idx_conversations_last")
}

extension ConversationRow {
  /// Creates the row of a conversation.
  init(_ conversation: Conversation) {
    self.init(
      id: conversation.id, isGroup: conversation.isGroup, groupName: conversation.groupName,
      createdBy: conversation.createdBy, createdAt: conversation.createdAt,
      participantIds: conversation.participantIds, lastMessage: conversation.lastMessage,
      lastMessageAt: conversation.lastMessageAt, unreadCount: conversation.unreadCount,
      joinedAt: nil, isProvisional: false)
  }

  /// Creates the row that stands for the missing conversation of a message.
  init(standingFor message: Message) {
    self.init(
      id: message.conversationId, isGroup: false, groupName: nil, createdBy: message.senderId,
      createdAt: message.sentAt, participantIds: [message.senderId], lastMessage: "",
      lastMessageAt: message.sentAt, unreadCount: 0, joinedAt: nil, isProvisional: true)
  }

  /// The conversation.
  var conversation: Conversation {
    Conversation(
      id: id, participantIds: participantIds, isGroup: isGroup, groupName: groupName,
      lastMessage: lastMessage, lastMessageAt: lastMessageAt, createdBy: createdBy,
      createdAt: createdAt, unreadCount: unreadCount)
  }

  /// All conversations, the one with the last message first.
  static var latest: Query<ConversationRow> {
    order { [$0.lastMessageAt.descending, $0.id.descending] }
  }
}
