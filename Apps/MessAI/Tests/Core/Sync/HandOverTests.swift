import Foundation
import Offshore
import OffshoreSync
import Testing

@testable import MessAI

/// Rows from before the sign-in, which become the account's.
@Suite(.timeLimit(.minutes(1)))
struct HandOverTests {
  /// Writes a conversation with an own message, and saves and reads one of ben's, without an account.
  private func written(on phone: Phone) async throws -> Message {
    let id = try await localID(of: phone)
    let now = phone.store.now()
    try await phone.data.saveConversation(
      Conversation(
        id: "c1", participantIds: [id, "ben"], isGroup: false, lastMessage: "", lastMessageAt: now,
        createdBy: id, createdAt: now))
    let message = Message(
      id: "m1", conversationId: "c1", senderId: id, text: "Hello", sentAt: now, status: .sending)
    try await phone.data.saveMessage(message, isSynced: false)
    return message
  }

  private func localID(of phone: Phone) async throws -> String {
    try await phone.store.read { try SyncedStore.userID($0).uuidString }
  }

  @Test func `Messages, conversations and members become the account's, and are sent`() async throws
  {
    let post = try Post()
    let ann = try await post.makePhone(of: "ann", isLinked: false)
    let message = try await written(on: ann)
    #expect(message.senderId != ann.id)
    try await ann.link()
    let stored = try #require(try await ann.message("m1"))
    #expect(stored.senderId == ann.id && stored.status == .sending && stored.text == "Hello")
    #expect(stored.sentAt == message.sentAt)
    let conversation = try #require(try await ann.conversation())
    #expect(conversation.createdBy == ann.id && conversation.participantIds == [ann.id, "ben"])
    #expect(conversation.unreadCount == 0)
    #expect(try await ann.data.fetchUnsyncedMessages().map(\.id) == ["m1"])
    try await post.settle(ann)
    #expect(try post.ids(of: "messages") == ["m1"])
    #expect(try await ann.message("m1")?.status == .sent)
    // The members are those that the server tells.
    #expect(try await ann.conversation()?.participantIds == [ann.id])
    #expect(try await ann.refusals() == [])
  }

  @Test func `Receipts have the account's name and id`() async throws {
    let post = try Post()
    let ann = try await post.makePhone(of: "ann", isLinked: false)
    _ = try await written(on: ann)
    try await ann.data.saveMessage(.sample("b1", "Hi"))
    try await ann.receive(.read, "b1")
    try await ann.link()
    let receipts = try await ann.store.read { try ReceiptRow.all.all($0) }
    #expect(receipts.map(\.userId) == [ann.id])
    #expect(receipts.map(\.id) == [DerivedID("b1", ann.id)])
    #expect(receipts.first?.state == .read && receipts.first?.readAt != nil)
    #expect(try await ann.conversation()?.unreadCount == 0)
    // Reading it again is the same receipt.
    try await ann.receive(.read, "b1")
    #expect(try await ann.count("receipts") == 1)
  }

  @Test func `What the server has is not sent after signing in, either`() async throws {
    let post = try Post()
    let ann = try await post.makePhone(of: "ann", isLinked: false)
    _ = try await written(on: ann)
    try await ann.data.saveMessage(.sample("b1", "Hi"))
    try await ann.data.saveMessage(.sample("b2", "Hi", in: "c9"))
    try await ann.link()
    try await post.settle(ann)
    post.tick(3_600_000)
    try await post.settle(ann)
    #expect(try post.ids(of: "messages") == ["m1"])
    #expect(try post.ids(of: "conversations", in: "c9") == [])
    #expect(try await ann.refusals() == [])
    #expect(try await ann.pendingCount() == 0)
  }

  @Test func `The account's messages from elsewhere join those that were written before`()
    async throws
  {
    let chat = try await Chat()
    let message = try await chat.ben.write("Hello")
    try await chat.settle()
    let second = try Phone(chat.ben.account, of: chat.post, MessAISchema.current)
    let id = try await localID(of: second)
    try await second.data.saveMessage(
      Message(
        id: "m2", conversationId: "c2", senderId: id, text: "Offline", sentAt: second.store.now(),
        status: .sending), isSynced: false)
    try await second.link()
    try await chat.post.settle(chat.phones + [second])
    #expect(try await second.texts() == ["Hello"])
    #expect(try await second.message(message.id)?.senderId == chat.ben.id)
    #expect(try await second.texts("c2") == ["Offline"])
    #expect(try await second.conversation()?.unreadCount == 0)
  }
}
