import Foundation
import Offshore
import OffshoreSync

/// The state of a message for one member.
enum ReceiptState: String, CaseIterable, ColumnValue {
  /// A device of the member has the message.
  case delivered
  /// The member has read it.
  case read
}

/// A stored receipt: a member has received or read a message of another one.
struct ReceiptRow: Identifiable, Equatable, Sendable {
  let id: DerivedID
  var conversationId: String
  var messageId: String
  var userId: String
  var state: ReceiptState
  var deliveredAt: Date?
  var readAt: Date?
}

extension ReceiptRow: Record {
  static let table = Table(
    "receipts", ReceiptRow.init,
    Column("id", \.id).primaryKey(),
    Column("conversationId", \.conversationId).references("conversations", onDelete: .cascade),
    Column("messageId", \.messageId).references("messages", onDelete: .cascade),
    Column("userId", \.userId),
    Column("state", \.state),
    Column("deliveredAt", \.deliveredAt),
    Column("readAt", \.readAt)
  )
  .index(\.messageId, \.userId, name: "idx_receipts_message")
  .index(\.conversationId, name: "idx_receipts_conversation")
}

extension ReceiptRow {
  /// Creates the receipt of a member.
  init(
    for messageId: String, in conversationId: String, by userId: String, _ state: ReceiptState,
    at date: Date
  ) {
    self.init(
      id: DerivedID(messageId, userId), conversationId: conversationId, messageId: messageId,
      userId: userId, state: state, deliveredAt: date, readAt: state == .read ? date : nil)
  }

  /// Stores the receipt, or moves the stored one forward. It replaces a stored one that cannot be read.
  func advance(_ writer: Writer) throws {
    let stored = try ReceiptRow.find(id).readable(writer)
    guard stored.unreadable.isEmpty else { return try save(writer) }
    guard let former = stored.rows.first else { return try insert(writer) }
    guard former.state == .delivered, state == .read else { return }
    try ReceiptRow.find(id).update(writer) { [$0.state.set(state), $0.readAt.set(readAt)] }
  }
}

/// A receipt that is on this device alone, or whose latest state is, because the user could not write in the
/// conversation. It is sent as soon as the user can.
struct HeldReceipt: Identifiable, Equatable, Sendable {
  let id: DerivedID
  var conversationId: String
  /// Whether the server lacks the receipt, and not only its latest state.
  var isNew: Bool
}

extension HeldReceipt: Record {
  static let table = Table(
    "heldReceipts", HeldReceipt.init,
    Column("id", \.id).primaryKey().references("receipts", onDelete: .cascade),
    Column("conversationId", \.conversationId),
    Column("isNew", \.isNew)
  )
}
