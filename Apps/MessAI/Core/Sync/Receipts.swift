import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync

/// The receipts of the user for messages of other members.
///
/// A message that cannot be read gets no receipt, and does not keep the others from theirs. It does not count as
/// unread any more, because no screen can show it.
struct Receipts: Sendable {
  let manager: LocalDataManager

  private var store: SyncedStore { manager.store }

  /// Observes the ids of the messages that have arrived and whose authors have no receipt yet, and of the
  /// conversations with receipts that can be sent now.
  func missing() -> ObservedValues<[String]> {
    // NB: The ids, because equal values are delivered once: their number stays the same if a message arrives
    // while another one gets its receipt.
    store.values { reader in
      try messagesWithoutReceipt(reader) + conversationsWithHeldReceipts(reader)
    }
  }

  /// Stores a receipt for each message that has arrived, and sends those that were held.
  /// - Throws: ``PersistenceError/saveFailed(_:)``.
  func confirmArrivals() async throws {
    try await add(.delivered) { try messagesWithoutReceipt($0) }
    // Most of the time none is held.
    let held = try? await store.read { try conversationsWithHeldReceipts($0) }
    guard held != [] else { return }
    try await manager.save { saving in
      try saving.sendHeldReceipts(of: conversationsWithHeldReceipts(saving.writer))
    }
  }

  /// Stores receipts for messages that the user has read.
  /// - Parameters:
  ///   - ids: the ids of messages. Those of the user, and those that were read before, have no effect.
  ///   - conversationId: the conversation to which all of them belong; `nil` for any.
  /// - Throws: ``PersistenceError/saveFailed(_:)``.
  func confirmReading(of ids: Set<String>, in conversationId: String? = nil) async throws {
    try await add(.read) { reader in
      let user = try SyncedStore.userID(reader).uuidString
      var query = MessageRow.where { $0.id.in(ids) && $0.senderId != user && !$0.isHidden }
        .where { $0.isUnread || $0.status.in([.sent, .delivered]) }
      if let conversationId { query = query.where { $0.conversationId == conversationId } }
      return try query.select { $0.id }.all(reader)
    }
  }

  private func add(
    _ state: ReceiptState, of messages: @escaping @Sendable (Reader) throws -> [String]
  ) async throws {
    let unreadable = try await manager.save { saving in
      let (rows, damaged) = try saving.stored(messages(saving.writer))
      for row in rows.values { try saving.addReceipt(state, of: row) }
      try saving.setRead(damaged)
      try saving.derived.updateMessages(Set(rows.keys), readsQueue: false)
      return damaged
    }
    for id in unreadable.sorted() {
      store.logger.of(.repository).warning("row left out", .id("row", UUID(uuidString: id)))
    }
  }

  /// Returns the conversations with receipts that are on this device alone, and in which the user may write.
  private func conversationsWithHeldReceipts(_ reader: Reader) throws -> [String] {
    let held = try SQL(
      """
      SELECT DISTINCT h.conversationId FROM heldReceipts h JOIN conversations c ON c.id = h.conversationId
      WHERE c.isProvisional = 0
      """
    ).all(reader, as: String.self)
    return try held.filter { id in
      try ScopeID.conversation(id).flatMap { try store.role(in: $0, reader) }?.canWrite == true
    }
  }

  /// Returns the unread messages for which the user has no receipt, of conversations on this device. A message
  /// has arrived when its image and its thumbnail have, too.
  private func messagesWithoutReceipt(_ reader: Reader) throws -> [String] {
    guard try SyncedStore.isLinked(reader) else { return [] }
    let user = try SyncedStore.userID(reader).uuidString
    let messages = try SQL(
      """
      SELECT m.id, m.imageURL, m.thumbnailURL FROM messages m JOIN conversations c ON c.id = m.conversationId
      WHERE m.isUnread = 1 AND c.isProvisional = 0 AND typeof(m.id) = 'text'
        AND NOT EXISTS (SELECT 1 FROM receipts r WHERE r.messageId = m.id AND r.userId = \(user))
      """
    ).all(reader, as: String.self, String?.self, String?.self)
    return try messages.filter { _, image, thumbnail in
      try [image, thumbnail].compactMap { $0.flatMap { BlobReference($0) } }
        .allSatisfy { try ![.elsewhere, .arriving].contains(store.status(of: $0, reader)) }
    }.map(\.0)
  }
}
