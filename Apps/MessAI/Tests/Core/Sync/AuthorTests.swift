import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

@testable import MessAI

/// Who may write, and who sees what.
@Suite(.timeLimit(.minutes(1)))
struct AuthorTests {
  private struct Cause: Error {}

  /// The schema of a hostile device, on which a user can write every row.
  private static let hostileSchema = StoreSchema(
    migrations: Migrations(MessAIMigrations.all),
    sync: try SyncSchema(
      version: 1,
      SyncTable(
        ConversationRow.self, scope: .kind("conversation", \.id),
        .local(
          \.participantIds, \.lastMessage, \.lastMessageAt, \.unreadCount, \.joinedAt,
          \.isProvisional)),
      SyncTable(
        MessageRow.self, scope: .kind("conversation", \.conversationId),
        .file(\.imageURL), .file(\.thumbnailURL),
        .local(
          \.deliveredAt, \.readAt, \.status, \.isSynced, \.syncAttempts, \.lastSyncError,
          \.needsSync, \.isHidden, \.isUnread)),
      SyncTable(
        ReceiptRow.self, scope: .kind("conversation", \.conversationId),
        idSource: [\.messageId, \.userId],
        .merged(\.state, .ordered(["delivered", "read"])), .merged(\.deliveredAt, .min),
        .merged(\.readAt, .min)),
      claimableKinds: ["conversation"]))

  /// Returns a conversation with a message of ann's, and the device of a member who writes as others.
  private func hostile() async throws -> (chat: Chat, phone: Phone) {
    let chat = try await Chat()
    try await chat.ann.write("Hello", id: "m1")
    let phone = try await chat.post.makePhone(of: "mallory", schema: Self.hostileSchema)
    try chat.post.grant(.editor, to: phone)
    try await chat.post.settle(chat.phones + [phone])
    #expect(try await phone.texts() == ["Hello"])
    return (chat, phone)
  }

  private func insertion(_ id: String, from sender: String) -> SQL {
    """
    INSERT INTO messages (id, conversationId, senderId, text, sentAt)
    VALUES (\(id), 'c1', \(sender), 'Forged', \(Date.at(0)))
    """
  }

  // MARK: - The server

  @Test func `The server refuses a message in the name of another`() async throws {
    let (chat, phone) = try await hostile()
    try await phone.run(insertion("m2", from: chat.ann.id))
    try await chat.post.settle(chat.phones + [phone])
    #expect(try await phone.refusals() == [.forbidden])
    #expect(try chat.post.ids(of: "messages") == ["m1"])
    for member in chat.phones { #expect(try await member.texts() == ["Hello"]) }
  }

  @Test(arguments: [
    "UPDATE messages SET text = 'Forged'", "DELETE FROM messages",
    "UPDATE messages SET sentAt = sentAt - 9",
  ])
  func `The server refuses a change and a deletion of another's message`(_ sql: String)
    async throws
  {
    let (chat, phone) = try await hostile()
    try await phone.run(SQL(stringLiteral: sql))
    try await chat.post.settle(chat.phones + [phone])
    #expect(try await phone.refusals() == [.forbidden])
    #expect(try chat.post.text(of: "m1") == "Hello")
    for member in chat.phones + [phone] { #expect(try await member.texts() == ["Hello"]) }
  }

  @Test func `The server refuses a receipt in the name of another`() async throws {
    let (chat, phone) = try await hostile()
    let receipt = ReceiptRow(for: "m1", in: "c1", by: chat.ben.id, .read, at: .at(0))
    try await phone.store.write { try receipt.insert($0) }
    try await chat.post.settle(chat.phones + [phone])
    #expect(try await phone.refusals() == [.forbidden])
    #expect(try chat.post.ids(of: "receipts") == [])
    #expect(try await chat.ann.message("m1")?.status == .sent)
    #expect(try await chat.ben.conversation()?.unreadCount == 1)
  }

  @Test func `The server refuses a change of the conversation by a member who is no owner`()
    async throws
  {
    let (chat, phone) = try await hostile()
    try await phone.run("UPDATE conversations SET groupName = 'Forged'")
    try await chat.post.settle(chat.phones + [phone])
    #expect(try await phone.refusals() == [.forbidden])
    #expect(try await chat.ann.conversation()?.groupName == nil)
  }

  // MARK: - The device

  @Test func `A device refuses to write, change or delete as another`() async throws {
    let chat = try await Chat()
    let message = try await chat.ann.write("Hello")
    try await chat.settle()
    var changed = message
    changed.text = "Forged"
    let errors = [
      await persistenceError {
        try await chat.ben.data.saveMessage(.sample("m2", from: chat.ann.id), isSynced: false)
      },
      await persistenceError { try await chat.ben.data.saveMessage(changed, isSynced: false) },
    ]
    for error in errors {
      #expect(error == .saveFailed(Cause()))
      #expect((error?.cause as? ReplicaError)?.code == .forbidden)
    }
    var renamed = try #require(try await chat.ben.conversation())
    renamed.groupName = "Forged"
    let error = await persistenceError { try await chat.ben.data.saveConversation(renamed) }
    #expect((error?.cause as? ReplicaError)?.code == .forbidden)
    #expect(try await chat.ben.texts() == ["Hello"])
    #expect(try await chat.ben.pendingCount() == 0)
  }

  @Test func `Who is no member gets nothing of a conversation`() async throws {
    let chat = try await Chat()
    let message = try await chat.ann.write("Secret")
    let stranger = try await chat.post.makePhone(of: "stranger")
    try await chat.post.settle(chat.phones + [stranger])
    let (_, response) = try await stranger.heldPull()
    #expect(response.scopes.isEmpty)
    for table in ["messages", "conversations", "receipts", "_row"] {
      #expect(try await stranger.count(table) == 0, "\(table)")
    }
    // Nor does writing to it let them in.
    try await stranger.write("Let me in", id: "m9")
    try await chat.post.settle(chat.phones + [stranger])
    #expect(try await stranger.texts() == ["Let me in"])
    #expect(try chat.post.ids(of: "messages") == [message.id])
  }

  // MARK: - Leaving

  @Test func `Who left can read and not write`() async throws {
    let chat = try await Chat()
    let message = try await chat.ann.write("Hello")
    let own = try await chat.ben.write("Hi")
    try await chat.settle()
    try await chat.ben.store.leave(.known("c1"), retainingCopy: true)
    try await chat.settle()
    try await chat.ann.write("Are you there?")
    try await chat.settle()
    #expect(try await chat.ben.texts() == ["Hello", "Hi"])
    #expect(try await chat.ben.conversation() != nil)
    let error = await persistenceError { try await chat.ben.write("Still here") }
    #expect((error?.cause as? ReplicaError)?.code == .forbidden)
    let deletion = await persistenceError { try await chat.ben.data.deleteMessage(id: own.id) }
    #expect(deletion == .deleteFailed(Cause()))
    // The others receive no further receipts.
    try await chat.ben.receive(.read, message.id)
    #expect(try await chat.ben.conversation()?.unreadCount == 0)
    #expect(try await chat.ben.nextPush() == nil)
    #expect(try chat.post.ids(of: "receipts") == [])
  }

  @Test func `Who was removed has nothing left`() async throws {
    let chat = try await Chat()
    let message = try await chat.ann.write("Hello")
    try await chat.ben.write("Hi")
    try await chat.settle()
    try await chat.ben.receive(.read, message.id)
    try await chat.settle()
    try await chat.ann.store.removeMember(chat.ben.account.id, from: .known("c1"))
    try await chat.settle()
    #expect(try await chat.ben.data.fetchConversations() == [])
    #expect(try await chat.ben.data.searchMessages("hello") == [])
    for table in ["messages", "conversations", "receipts"] {
      #expect(try await chat.ben.count(table) == 0, "\(table)")
    }
    #expect(try await chat.ann.texts() == ["Hello", "Hi"])
  }

  @Test func `Who deletes a conversation leaves it, and has nothing left at once`() async throws {
    let chat = try await Chat()
    try await chat.ann.write("Hello")
    try await chat.settle()
    try await chat.ben.data.deleteConversation(id: "c1")
    #expect(try await chat.ben.data.fetchConversations() == [])
    #expect(try await chat.ben.count("messages") == 0)
    try await chat.settle()
    #expect(try await chat.ann.texts() == ["Hello"])
    #expect(try await chat.ann.conversation()?.participantIds == [chat.ann.id])
    // Who is alone in it deletes it.
    try await chat.ann.data.deleteConversation(id: "c1")
    try await chat.settle()
    #expect(try await chat.ann.data.fetchConversations() == [])
    #expect(try chat.post.ids(of: "messages") == [])
    #expect(try chat.post.ids(of: "conversations") == [])
  }

  @Test func `A member who joins meanwhile keeps a conversation that its owner deletes alone`()
    async throws
  {
    let post = try Post()
    let (ann, ben) = (try await post.makePhone(of: "ann"), try await post.makePhone(of: "ben"))
    try await ann.data.saveConversation(.sample("c1", with: [ann.id], createdBy: ann.id))
    try await ann.write("Hello")
    try await post.settle(ann)
    try post.grant(.editor, to: ben)
    try await post.settle(ben)
    // Ann's device does not know that Ben has joined.
    #expect(try await ann.conversation()?.participantIds == [ann.id])
    try await ann.data.deleteConversation(id: "c1")
    #expect(try await ann.data.fetchConversations() == [])
    try await post.settle(ann, ben)
    #expect(try await ann.data.fetchConversations() == [])
    #expect(try await ben.texts() == ["Hello"])
    let role = try await ben.store.read { [store = ben.store] in
      try store.role(in: .known("c1"), $0)
    }
    #expect(role == .owner)
    try await ben.data.deleteConversation(id: "c1")
    try await post.settle(ann, ben)
    #expect(try post.ids(of: "messages") == [])
  }

  @Test func `An owner who deletes a conversation hands it on`() async throws {
    let chat = try await Chat()
    try await chat.ann.write("Hello")
    try await chat.settle()
    try await chat.ann.data.deleteConversation(id: "c1")
    #expect(try await chat.ann.data.fetchConversations() == [])
    try await chat.settle()
    #expect(try await chat.ben.texts() == ["Hello"])
    let role = try await chat.ben.store.read { [store = chat.ben.store] in
      try store.role(in: .known("c1"), $0)
    }
    #expect(role == .owner)
  }
}
