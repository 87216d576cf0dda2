import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync

/// The record of a member of a conversation on this device. It stays when the member leaves.
struct MemberRecord: Codable, Hashable, Sendable {
  /// The name of the account.
  var name: String
  /// The time at which the account became a member, by the server's clock in milliseconds since 1970; that
  /// of the author of the conversation never becomes later. `nil` before the server has reported it.
  var since: Int64?
  /// Whether the role allows the account to write, and so to confirm messages.
  var mayWrite = true
}

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
  /// The time at which the user joined; earlier messages count as read. `nil` if the user has been a
  /// member from the beginning, and before the server has reported it.
  var joinedAt: Date?
  /// Whether it stands for a conversation that is not on this device yet, of which there are messages.
  var isProvisional: Bool
  /// The members and former members by user id.
  var members: [String: MemberRecord]
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
    Column("isProvisional", \.isProvisional).default(false),
    Column("members", \.members, as: .json).default([:])
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
      joinedAt: nil, isProvisional: false, members: [:])
  }

  /// Creates the row that stands for the missing conversation of a message.
  init(standingFor message: Message) {
    self.init(
      id: message.conversationId, isGroup: false, groupName: nil, createdBy: message.senderId,
      createdAt: message.sentAt, participantIds: [message.senderId], lastMessage: "",
      lastMessageAt: message.sentAt, unreadCount: 0, joinedAt: nil, isProvisional: true,
      members: [:])
  }

  /// The conversation.
  var conversation: Conversation {
    Conversation(
      id: id, participantIds: participantIds, isGroup: isGroup, groupName: groupName,
      lastMessage: lastMessage, lastMessageAt: lastMessageAt, createdBy: createdBy,
      createdAt: createdAt, unreadCount: unreadCount)
  }

  /// Returns the time at which a member joined; `nil` if that was not later than the author of the
  /// conversation, and as long as it is unknown.
  ///
  /// The members that the author has chosen at the beginning become members in the request that creates the
  /// conversation, however late that is sent. They have not joined later than its first messages.
  func joinTime(of userID: String) -> Date? {
    guard let since = members[userID]?.since else { return nil }
    if let start = members[createdBy]?.since, since <= start { return nil }
    return Date(milliseconds: since)
  }

  /// Updates the records of members. Those of former members stay.
  mutating func updateMembers(_ current: [Member]) {
    for member in current {
      let id = member.id.uuidString
      var record = members[id] ?? MemberRecord(name: "", since: nil)
      if !member.name.isEmpty { record.name = member.name }
      record.mayWrite = member.role.canWrite
      if let since = member.since?.millisecondsSince1970 {
        record.since = id == createdBy ? min(since, record.since ?? since) : since
      }
      members[id] = record
    }
  }

  /// Returns the key of the kept text that the user is writing in a conversation.
  static func draftKey(of conversationId: String) -> String { "chat.\(conversationId)" }

  /// Removes the text that the user is writing in a conversation.
  static func removeDraft(of conversationId: String, _ writer: Writer) throws {
    try KeptText.remove(draftKey(of: conversationId), writer)
  }

  /// All conversations, the one with the last message first.
  static var latest: Query<ConversationRow> {
    order { [$0.lastMessageAt.descending, $0.id.descending] }
  }
}
