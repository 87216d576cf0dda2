import Foundation
public import Offshore

/// A stored message: the message, its place in the queue, and what this device derives from other rows.
struct MessageRow: Identifiable, Equatable, Sendable {
  let id: String
  var conversationId: String
  var senderId: String
  var text: String
  var imageURL: String?
  var sentAt: Date
  var deliveredAt: Date?
  var readAt: Date?
  var status: MessageStatus
  var replyToId: String?
  /// Whether the server has the row and its image.
  var isSynced: Bool
  /// The number of times that the server has refused it.
  var syncAttempts: Int
  /// The reason of the last refusal.
  var lastSyncError: String?
  /// Whether it is sent by itself: it is not synced, and has not failed.
  var needsSync: Bool
  /// A small form of the image, which arrives with the message.
  var thumbnailURL: String?
  /// Whether the user has deleted the message of another member on this device.
  var isHidden: Bool
  /// Whether the message counts as unread.
  var isUnread: Bool
}

extension MessageStatus: ColumnValue {}

extension MessageRow: Record {
  static let table = Table(
    "messages", MessageRow.init,
    Column("id", \.id).primaryKey(),
    Column("conversationId", \.conversationId).references("conversations", onDelete: .cascade),
    Column("senderId", \.senderId),
    Column("text", \.text),
    Column("imageURL", \.imageURL),
    Column("sentAt", \.sentAt),
    Column("deliveredAt", \.deliveredAt),
    Column("readAt", \.readAt),
    Column("status", \.status).default(.sent),
    Column("replyToId", \.replyToId),
    Column("isSynced", \.isSynced).default(false),
    Column("syncAttempts", \.syncAttempts).default(0),
    Column("lastSyncError", \.lastSyncError),
    Column("needsSync", \.needsSync).default(false),
    Column("thumbnailURL", \.thumbnailURL),
    Column("isHidden", \.isHidden).default(false),
    Column("isUnread", \.isUnread).default(false)
  )
  .index(\.conversationId, name: "idx_messages_conversation")
  .index(\.isSynced, name: "idx_messages_synced")
  .index(\.conversationId, \.sentAt, name: "idx_messages_order")
  .index(\.sentAt, \.id, name: "idx_messages_sent")

  /// The columns of the message alone, to read many at once.
  static let messages = Table(
    table.name,
    Message.init(
      id:conversationId:senderId:text:imageURL:sentAt:deliveredAt:readAt:status:replyToId:),
    Column("id", \.id).primaryKey(),
    Column("conversationId", \.conversationId),
    Column("senderId", \.senderId),
    Column("text", \.text),
    Column("imageURL", \.imageURL),
    Column("sentAt", \.sentAt),
    Column("deliveredAt", \.deliveredAt),
    Column("readAt", \.readAt),
    Column("status", \.status),
    Column("replyToId", \.replyToId)
  )

  /// The index of the words of all messages.
  static let words = TextIndex(of: table, \.text)
}

extension MessageRow {
  /// Creates the row of a message.
  init(_ message: Message, isSynced: Bool) {
    self.init(
      id: message.id, conversationId: message.conversationId, senderId: message.senderId,
      text: message.text, imageURL: message.imageURL, sentAt: message.sentAt,
      deliveredAt: message.deliveredAt, readAt: message.readAt, status: message.status,
      replyToId: message.replyToId, isSynced: isSynced, syncAttempts: 0, lastSyncError: nil,
      needsSync: !isSynced, thumbnailURL: nil, isHidden: false, isUnread: false)
  }

  /// The message.
  var message: Message {
    Message(
      id: id, conversationId: conversationId, senderId: senderId, text: text, imageURL: imageURL,
      sentAt: sentAt, deliveredAt: deliveredAt, readAt: readAt, status: status,
      replyToId: replyToId)
  }

  /// Whether the server may lack the image of a message of this device. Until it has the image, no member has
  /// received or read the message.
  var mayLackImage: Bool { imageURL != nil && (status == .sending || status == .failed) }

  /// The messages of a conversation that are not hidden, in order.
  static func all(in conversationId: String) -> Query<MessageRow> {
    MessageRow.where { $0.conversationId == conversationId && !$0.isHidden }
      .order { [$0.sentAt.ascending, $0.id.ascending] }
  }

  /// The messages of a conversation that are not hidden, the last one first.
  static func latest(in conversationId: String) -> Query<MessageRow> {
    MessageRow.where { $0.conversationId == conversationId && !$0.isHidden }
      .order { [$0.sentAt.descending, $0.id.descending] }
  }

  /// The messages of this device that the server does not have completely, in order.
  static var unsynced: Query<MessageRow> {
    // NB: Only a comparison is looked up in the index.
    MessageRow.where { $0.isSynced == false }.order { [$0.sentAt.ascending, $0.id.ascending] }
  }

  /// The messages that wait for their author after they have failed, in order.
  static var failed: Query<MessageRow> { unsynced.where { $0.status == .failed } }

  /// The messages with a reason for which they were not sent.
  static var withSyncErrors: Query<MessageRow> {
    MessageRow.where { $0.isSynced == false && $0.lastSyncError != nil }
  }
}
