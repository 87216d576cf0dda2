import Foundation
import Offshore
import OffshoreSync

/// The receipts of the user for messages of other members.
struct Receipts: Sendable {
  let manager: LocalDataManager

  private var store: SyncedStore { manager.store }

  /// Observes the ids of the messages that have arrived and whose authors have no receipt yet.
  func missing() -> ObservedValues<[String]> {
    // NB: The ids, because equal values are delivered once: their number stays the same if a message arrives
    // while another one gets its receipt.
    store.values { reader in try Self.messagesWithoutReceipt(reader) }
  }

  /// Stores a receipt for each message that has arrived.
  /// - Throws: ``PersistenceError/saveFailed(_:)``.
  func confirmArrivals() async throws {
    try await add(.delivered) { try Self.messagesWithoutReceipt($0) }
  }

  /// Stores receipts for messages that the user has read.
  /// - Parameter ids: the ids of messages. Those of the user, and those that were read before, have no effect.
  /// - Throws: ``PersistenceError/saveFailed(_:)``.
  func confirmReading(of ids: Set<String>) async throws {
    try await add(.read) { reader in
      let user = try SyncedStore.userID(reader).uuidString
      return try MessageRow.where { $0.id.in(ids) && $0.senderId != user && !$0.isHidden }
        .where { $0.isUnread || $0.status.in([.sent, .delivered]) }
        .select { $0.id }.all(reader)
    }
  }

  private func add(
    _ state: ReceiptState, of messages: @escaping @Sendable (Reader) throws -> [String]
  ) async throws {
    try await manager.save { saving in
      let ids = try messages(saving.writer)
      for id in ids { try saving.addReceipt(state, of: saving.message(id)) }
      try saving.derived.updateMessages(Set(ids), readsQueue: false)
    }
  }

  /// Returns the unread messages for which the user has no receipt, of conversations on this device.
  private static func messagesWithoutReceipt(_ reader: Reader) throws -> [String] {
    guard try SyncedStore.isLinked(reader) else { return [] }
    let user = try SyncedStore.userID(reader).uuidString
    return try SQL(
      """
      SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversationId
      WHERE m.isUnread = 1 AND c.isProvisional = 0
        AND NOT EXISTS (SELECT 1 FROM receipts r WHERE r.messageId = m.id AND r.userId = \(user))
      """
    ).all(reader, as: String.self)
  }
}
