import Foundation
import Offshore

/// Messages, with the receipts and conversations from which their progress follows.
///
/// Rows that cannot be read are left out.
struct MessageCauses {
  let rows: [MessageRow]
  private let receipts: [String: [ReceiptRow]]
  private var conversations: [String: ConversationRow?] = [:]
  private let userID: String
  private let reader: Reader

  /// Reads messages.
  /// - Parameter ids: their keys, of which some may not exist.
  init(of ids: Set<String>, _ userID: String, _ reader: Reader) throws {
    (self.userID, self.reader) = (userID, reader)
    var (rows, receipts) = ([MessageRow](), [ReceiptRow]())
    let ids = Array(ids)
    for start in stride(from: 0, to: ids.count, by: Self.chunkSize) {
      let part = Array(ids[start..<min(start + Self.chunkSize, ids.count)])
      rows += try MessageRow.where { $0.id.in(part) }.readable(reader).rows
      receipts += try ReceiptRow.where { $0.messageId.in(part) }.readable(reader).rows
    }
    self.rows = rows
    self.receipts = Dictionary(grouping: receipts, by: \.messageId)
  }

  /// The number of keys in one statement.
  private static let chunkSize = 500

  /// Returns the progress of a message.
  mutating func progress(of row: MessageRow) throws -> MessageProgress {
    let conversation: ConversationRow?
    if let known = conversations[row.conversationId] {
      conversation = known
    } else {
      conversation = try ConversationRow.find(row.conversationId).readable(reader).rows.first
      conversations[row.conversationId] = .some(conversation)
    }
    return MessageProgress(
      of: row, in: conversation, receipts: receipts[row.id] ?? [], userID: userID)
  }
}

/// The progress of a message by the receipts of the members.
struct MessageProgress {
  /// The members whose receipts determine the progress.
  private let recipients: Set<String>
  private let receipts: [ReceiptRow]
  private let joinedAt: Date?
  /// Whether the user is a viewer, so that others determine the status.
  private let isViewer: Bool
  private let userID: String

  init(
    of row: MessageRow, in conversation: ConversationRow?, receipts: [ReceiptRow], userID: String
  ) {
    recipients = Self.recipients(of: row, in: conversation, receipts, userID)
    joinedAt = conversation?.joinedAt
    isViewer = conversation?.members[userID]?.mayWrite == false
    self.receipts = receipts
    self.userID = userID
  }

  /// Returns the members whose receipts determine the progress of a message: those at the time of its
  /// writing, because for later ones it counts as read. Without any, these are the members with a receipt.
  ///
  /// A viewer cannot write receipts, and is not waited for.
  private static func recipients(
    of row: MessageRow, in conversation: ConversationRow?, _ receipts: [ReceiptRow],
    _ userID: String
  ) -> Set<String> {
    // The members are unknown at first, but this user is one.
    let members = Set((conversation?.participantIds ?? []) + [userID]).subtracting([row.senderId])
    let others = members.filter { conversation?.members[$0]?.mayWrite != false }
    let early = others.filter { conversation?.joinTime(of: $0) ?? .distantPast <= row.sentAt }
    guard early.isEmpty else { return early }
    return others.intersection(receipts.filter { $0.state == .read }.map(\.userId))
  }

  /// Moves a message forward to the state that all recipients have reached. A message of the user waits until
  /// the server has its image.
  func apply(to row: inout MessageRow) {
    guard row.senderId != userID || !row.mayLackImage else { return }
    let counted = receipts.filter { recipients.contains($0.userId) }
    guard !recipients.isEmpty, Set(counted.map(\.userId)) == recipients else { return }
    let received = counted.compactMap { $0.deliveredAt ?? $0.readAt }.max() ?? row.sentAt
    if row.status.rank < MessageStatus.delivered.rank {
      row.status = .delivered
      row.deliveredAt = row.deliveredAt ?? received
    }
    if counted.allSatisfy({ $0.state == .read }), row.status != .read {
      row.status = .read
      row.readAt = row.readAt ?? counted.compactMap(\.readAt).max() ?? received
      row.deliveredAt = row.deliveredAt ?? row.readAt
    }
  }

  /// Returns whether the user has not read a message of another member.
  func isUnread(_ row: MessageRow) -> Bool {
    row.senderId != userID && !row.isHidden && (isViewer || row.status != .read)
      && row.sentAt >= joinedAt ?? .distantPast
      && !receipts.contains { $0.userId == userID && $0.state == .read }
  }
}
