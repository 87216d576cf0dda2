import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// The changes of conversations inside one write.
extension MessageSaving {
  /// Inserts a conversation, or updates the stored one. Its members are those that the server has
  /// reported, if there are any.
  /// - Returns: whether it replaces a provisional one.
  /// - Throws: ``Message/Problem``; `DatabaseError`.
  @discardableResult
  func save(_ conversation: Conversation) throws -> Bool {
    try conversation.check()
    var new = ConversationRow(conversation)
    new.unreadCount = 0
    guard let former = try ConversationRow.find(conversation.id).first(writer) else {
      try new.insert(writer)
      return false
    }
    guard !former.isProvisional else {
      try replace(former, by: new)
      return true
    }
    var row = former
    (row.isGroup, row.groupName) = (new.isGroup, new.groupName)
    let role = try ScopeID.conversation(row.id).flatMap { try store.role(in: $0, writer) }
    if role == nil { row.participantIds = new.participantIds }
    if try !MessageRow.where({ $0.conversationId == row.id }).exists(writer) {
      (row.lastMessage, row.lastMessageAt) = (new.lastMessage, new.lastMessageAt)
    }
    try former.update(changing: row, writer)
    return false
  }

  /// Replaces a provisional conversation by the real one, which is sent as a new row. Its messages stay.
  ///
  /// NB: They refer to the row by its key, so the provisional row is set aside under another one, which no
  /// conversation can have.
  private func replace(_ former: ConversationRow, by new: ConversationRow) throws {
    try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
    let aside = " \(former.id)"
    try capturing(false) {
      _ = try SQL("UPDATE conversations SET id = \(aside) WHERE id = \(former.id)").run(writer)
    }
    try new.insert(writer)
    try capturing(false) {
      _ = try SQL("DELETE FROM conversations WHERE id = \(aside)").run(writer)
    }
    try derived.summarize([new.id])
  }

  /// Lets accounts into a conversation that the user owns, or will own as soon as the server has it.
  ///
  /// Members, and accounts that share no other conversation with the user, are left out.
  /// - Throws: `ReplicaError` with the code `forbidden` if the user is no owner; `DatabaseError`.
  func admit(_ accounts: [UUID], to conversationId: String) throws {
    guard !accounts.isEmpty, let scope = ScopeID.conversation(conversationId),
      let own = try SyncedStore.account(writer)?.id
    else { return }
    guard try store.role(in: scope, writer) ?? .owner == .owner else {
      throw ReplicaError(.forbidden, "Only an owner may let others in. Ask an owner.")
    }
    let known = try store.knownAccounts(notIn: scope, writer).map(\.id)
    for account in accounts where known.contains(account) {
      // NB: `addMember(_:as:to:)` does the same in a write of its own, before which the process may end.
      try store.replica.perform(
        MemberCommand(.editor, of: account, isAddition: true), in: scope, by: own, writer,
        at: store.now().millisecondsSince1970, makeID: { store.makeID() })
    }
  }

  /// Deletes a conversation with its messages, on all devices. A provisional one is only on this device.
  func deleteConversation(_ id: String) throws {
    let isProvisional = try ConversationRow.find(id).where { $0.isProvisional }.exists(writer)
    try capturing(!isProvisional) { _ = try ConversationRow.find(id).delete(writer) }
    try ConversationRow.removeDraft(of: id, writer)
  }
}
