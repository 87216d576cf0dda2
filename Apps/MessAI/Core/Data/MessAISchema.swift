import Foundation
import Offshore
package import OffshoreSync
import OffshoreWire

/// The file of MessAI: a conversation is a scope with its messages and receipts, shared by its members.
package enum MessAISchema {
  /// The kind of the scope of a conversation.
  package static let conversationKind = "conversation"

  /// The declaration of a file of MessAI.
  package static let current = make()

  /// Returns the declaration with further migrations.
  static func make(with more: Migration...) -> StoreSchema {
    StoreSchema(
      migrations: Migrations(MessAIMigrations.all + more), sync: try makeSync(),
      attemptLimits: attemptLimits, derivations: DerivedColumns.derivations,
      handOver: { try HandOver.run(from: $0, to: $1, $2) })
  }

  /// The replica that determines the state of rows.
  static let replica = Result { try Replica(makeSync()) }

  private static func makeSync() throws -> SyncSchema {
    try SyncSchema(
      version: 1,
      SyncTable(
        ConversationRow.self, scope: .kind(conversationKind, \.id), title: \.groupName,
        owner: \.createdBy, writers: .owners, adopting: { !$0.isProvisional },
        .local(
          \.participantIds, \.lastMessage, \.lastMessageAt, \.unreadCount, \.joinedAt,
          \.isProvisional, \.members)),
      SyncTable(
        MessageRow.self, scope: .kind(conversationKind, \.conversationId), title: \.text,
        partOf: (ConversationRow.self, \.conversationId), writers: .author(\.senderId),
        keepsRefused: true, adopting: { !$0.isSynced },
        .file(\.imageURL, fetched: .ahead), .file(\.thumbnailURL, fetched: .ahead),
        .local(
          \.deliveredAt, \.readAt, \.status, \.isSynced, \.syncAttempts, \.lastSyncError,
          \.needsSync, \.isHidden, \.isUnread)),
      SyncTable(
        ReceiptRow.self, scope: .kind(conversationKind, \.conversationId),
        idSource: [\.messageId, \.userId], partOf: (MessageRow.self, \.messageId),
        writers: .author(\.userId),
        .merged(\.state, .ordered(ReceiptState.allCases.map(\.rawValue))),
        .merged(\.deliveredAt, .min), .merged(\.readAt, .min)),
      claimableKinds: [conversationKind], admittingKinds: [conversationKind])
  }

  /// A refused message is sent five times in all, whatever the reason.
  private static let attemptLimits: [Rejection.Code: Int] = Dictionary(
    uniqueKeysWithValues: refusals.map { ($0, MessageRow.attemptLimit) })

  private static let refusals: [Rejection.Code] = [
    .unknownTable, .unknownColumn, .invalidValue, .invalidOp, .tooLarge, .wrongScope, .gone,
    .dependency, .missingReference, .forbidden, .limitReached, .scopeFull, .accountFull,
  ]
}

extension ScopeID {
  /// Returns the scope of a conversation, or `nil` if its id is one that only this device can have: one with a
  /// slash.
  package static func conversation(_ id: String) -> ScopeID? {
    try? ScopeID(kind: MessAISchema.conversationKind, value: id)
  }
}

/// The migrations of a file of MessAI, in their order. Released migrations never change.
enum MessAIMigrations {
  static let all = [
    Migration(
      "v1.0.0_createConversations", .create(ConversationRow.table), .create(MessageRow.table),
      .create(ReceiptRow.table), .create(MessageRow.words),
      .sql("CREATE INDEX idx_messages_unread ON messages (conversationId) WHERE isUnread = 1"),
      .perform { try Summaries.afterDeletion.run($0) }),
    Migration("v1.1.0_createHeldReceipts", .create(HeldReceipt.table)),
  ]
}

/// The part of handing over a local user's rows to an account that is specific to MessAI.
enum HandOver {
  /// Gives the receipts of the local user the ids of the account's, and names the account among the members.
  @Sendable static func run(from former: UUID, to account: UUID, _ writer: Writer) throws {
    let (former, account) = (former.uuidString, account.uuidString)
    for row in try ReceiptRow.where({ $0.userId == former }).all(writer) {
      let held = try HeldReceipt.find(row.id).first(writer)
      try ReceiptRow.find(row.id).delete(writer)
      try ReceiptRow(
        id: DerivedID(row.messageId, account), conversationId: row.conversationId,
        messageId: row.messageId, userId: account, state: row.state,
        deliveredAt: row.deliveredAt, readAt: row.readAt
      ).save(writer)
      guard let held else { continue }
      try HeldReceipt(
        id: DerivedID(row.messageId, account), conversationId: held.conversationId,
        isNew: held.isNew
      ).insert(writer)
    }
    try SQL(
      """
      UPDATE conversations SET participantIds = replace(participantIds, \(former), \(account))
      WHERE instr(participantIds, \(former))
      """
    ).run(writer)
  }
}
