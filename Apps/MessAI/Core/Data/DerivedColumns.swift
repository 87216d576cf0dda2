import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// The columns that this device computes: the progress of messages, and the summaries of conversations.
///
/// They are updated in the transaction of their cause, a write of the app or an answer of the server.
struct DerivedColumns {
  let writer: Writer
  /// The id of the user.
  let userID: String
  private let isLinked: Bool

  init(_ writer: Writer) throws {
    self.writer = writer
    userID = try SyncedStore.userID(writer).uuidString
    isLinked = try SyncedStore.isLinked(writer)
  }

  /// The rules that the library runs for rows that syncing has changed, by table.
  static let derivations: [String: Replica.Derivation] = [
    ConversationRow.table.name: { ids, writer in
      try DerivedColumns(writer).updateConversations(ids)
    },
    MessageRow.table.name: { ids, writer in try DerivedColumns(writer).updateMessages(ids) },
    ReceiptRow.table.name: { ids, writer in try DerivedColumns(writer).updateReceipts(ids) },
  ]

  // MARK: - Messages

  /// Updates the progress of messages, and the summaries of their conversations.
  /// - Parameters:
  ///   - ids: the keys of messages, of which some may not exist.
  ///   - readsQueue: whether their place in the queue may have changed.
  func updateMessages(_ ids: Set<String>, readsQueue: Bool = true) throws {
    guard !ids.isEmpty else { return }
    let readsQueue = readsQueue && isLinked
    let states =
      readsQueue
      ? try MessAISchema.replica.get().sendingStates(
        of: ids, in: MessageRow.table.name, writer) : [:]
    var causes = try MessageCauses(of: ids, userID, writer)
    for row in causes.rows {
      var new = row
      if readsQueue { applyQueue(states[row.id], to: &new) }
      let progress = try causes.progress(of: row)
      progress.apply(to: &new)
      new.isUnread = progress.isUnread(new)
      try row.update(changing: new, writer)
    }
    try summarize(Set(causes.rows.map(\.conversationId)))
  }

  /// Updates the place of a message in the queue.
  /// - Parameter state: the state of its changes, or `nil` if the server has the message and its image.
  private func applyQueue(_ state: SendingState?, to row: inout MessageRow) {
    let status = state?.status ?? .synced
    let lacksFile = status == .synced && state?.hasUnsentFile == true
    let isHeld = lacksFile && state?.reason != nil && state?.nextTry == nil
    let place: QueuePlace =
      switch status {
      case .refused: .held
      case .synced where isHeld: .held
      case .synced where !lacksFile: .sent
      default: .waiting
      }
    row.move(
      to: place, attempts: state?.attempts ?? 0, error: state?.reason.map { "\($0)" })
  }

  // MARK: - Receipts

  private func updateReceipts(_ ids: Set<String>) throws {
    let keys = String(decoding: try JSONEncoder().encode(Array(ids)), as: UTF8.self)
    let messages = try SQL(
      """
      SELECT DISTINCT messageId FROM receipts WHERE id IN (SELECT value FROM json_each(\(keys)))
      """
    ).all(writer, as: String.self)
    try updateMessages(Set(messages))
  }

  // MARK: - Conversations

  /// Updates the members of conversations, and the columns that depend on them.
  func updateConversations(_ ids: Set<String>) throws {
    for id in ids where try !ConversationRow.find(id).exists(writer) {
      try ConversationRow.removeDraft(of: id, writer)
    }
    guard isLinked else { return try summarize(ids) }
    let replica = try MessAISchema.replica.get()
    for id in ids {
      guard let row = try ConversationRow.find(id).readable(writer).rows.first,
        let scope = ScopeID.conversation(id)
      else { continue }
      var new = row
      let members = try replica.members(of: scope, writer)
      if members.contains(where: { $0.id.uuidString == userID }) {
        new.participantIds = members.map(\.id.uuidString).sorted()
        new.updateMembers(members)
        new.joinedAt = new.joinTime(of: userID)
      }
      if try replica.role(in: scope, writer) != nil { new.isProvisional = false }
      try row.update(changing: new, writer)
      if (new.participantIds, new.members) != (row.participantIds, row.members) {
        try updateMessages(unfinishedMessages(in: id))
      }
    }
    try summarize(ids)
  }

  /// Returns the messages of a conversation whose progress may depend on its members.
  private func unfinishedMessages(in conversationId: String) throws -> Set<String> {
    Set(
      try MessageRow.where {
        $0.conversationId == conversationId && ($0.status.in([.sent, .delivered]) || $0.isUnread)
      }.select { $0.id }.all(writer))
  }

  /// Updates the number of unread messages and the last message of conversations.
  func summarize(_ ids: Set<String>) throws { for id in ids { try Summaries.update(id, writer) } }
}
