import Foundation
import Offshore
import OffshoreSync
import Testing

@testable import MessAI

/// The list of conversations, with the summaries of their messages.
struct ConversationTests {
  private let fixture: LocalFixture
  private var data: LocalDataManager { fixture.data }

  init() async throws { fixture = try await LocalFixture() }

  private struct Cause: Error {}

  // MARK: - Saving

  @Test func `A saved conversation is fetched as it was saved`() async throws {
    let conversation = Conversation(
      id: "c1", participantIds: ["ann", "ben", "cleo"], isGroup: true, groupName: "Crew",
      lastMessage: "Hello", lastMessageAt: .at(5), createdBy: "ann", createdAt: .at(1))
    try await data.saveConversation(conversation)
    #expect(try await data.fetchConversations() == [conversation])
  }

  @Test func `Saving again updates the name and the members, and not who created it when`()
    async throws
  {
    try await data.saveConversation(.sample("c1", with: ["ann", "ben"], at: 1))
    var conversation = Conversation.sample("c1", with: ["ann", "cleo"], createdBy: "cleo", at: 9)
    (conversation.isGroup, conversation.groupName) = (true, "Crew")
    try await data.saveConversation(conversation)
    let stored = try #require(try await fixture.conversation())
    #expect(stored.isGroup && stored.groupName == "Crew")
    #expect(stored.participantIds == ["ann", "cleo"])
    #expect(stored.createdBy == "ann" && stored.createdAt == .at(1))
  }

  @Test(arguments: ["a/b", "/", "!~", "c1~", String(repeating: "x", count: 200)])
  func `Every allowed id is one of a conversation in which messages are written and read`(
    _ id: String
  ) async throws {
    try await data.saveConversation(.sample(id))
    try await data.saveMessage(fixture.own("m1", in: id, at: 1), isSynced: false)
    try await fixture.save(.sample("m2", in: id, at: 2))
    try await data.updateMessageStatus(id: "m2", status: .read)
    #expect(try await fixture.ids(id) == ["m1", "m2"])
    #expect(try await fixture.conversation(id)?.unreadCount == 0)
    try await data.deleteMessage(id: "m1")
    try await data.deleteConversation(id: id)
    #expect(try await data.fetchConversations() == [])
  }

  @Test func `A conversation with a strange id is not saved`() async throws {
    let error = await persistenceError { try await data.saveConversation(.sample("a b")) }
    #expect(error == .saveFailed(Cause()))
    #expect(error?.cause as? Message.Problem == .invalidID)
    #expect(try await data.fetchConversations() == [])
  }

  @Test func `Whatever a caller counts, the unread messages are counted from the stored ones`()
    async throws
  {
    var conversation = Conversation.sample("c1")
    conversation.unreadCount = 7
    try await data.saveConversation(conversation)
    #expect(try await fixture.conversation()?.unreadCount == 0)
    try await fixture.save(.sample("m1"))
    try await data.saveConversation(conversation)
    #expect(try await fixture.conversation()?.unreadCount == 1)
  }

  // MARK: - The last message

  @Test func `The conversation with the latest message comes first`() async throws {
    for (number, id) in ["c1", "c2", "c3"].enumerated() {
      try await data.saveConversation(.sample(id, at: Double(number)))
    }
    #expect(try await data.fetchConversations().map(\.id) == ["c3", "c2", "c1"])
    try await fixture.save(.sample("m1", in: "c1", at: 10), .sample("m2", in: "c2", at: 9))
    #expect(try await data.fetchConversations().map(\.id) == ["c1", "c2", "c3"])
  }

  @Test func `The summary is of the last message in the order of the conversation`() async throws {
    var conversation = Conversation.sample("c1")
    (conversation.lastMessage, conversation.lastMessageAt) = ("Invented", .at(99))
    try await data.saveConversation(conversation)
    #expect(try await fixture.conversation()?.lastMessage == "Invented")
    try await fixture.save(.sample("b", "Second", at: 5))
    try await fixture.save(.sample("z", "First", at: 4), .sample("a", "Tied", at: 5))
    let stored = try #require(try await fixture.conversation())
    #expect(stored.lastMessage == "Second" && stored.lastMessageAt == .at(5))
    try await data.saveConversation(conversation)
    #expect(try await fixture.conversation()?.lastMessage == "Second")
  }

  @Test(arguments: [true, false])
  func `A deleted or hidden last message gives way to the one before, and its text to none`(
    isOwn: Bool
  ) async throws {
    try await data.saveConversation(.sample("c1"))
    let sender = isOwn ? fixture.userID : "ben"
    try await fixture.save(
      .sample("m1", "First", from: sender, at: 1), .sample("m2", "Second", from: sender, at: 2))
    try await data.deleteMessage(id: "m2")
    #expect(try await fixture.conversation()?.lastMessage == "First")
    #expect(try await fixture.conversation()?.lastMessageAt == .at(1))
    try await data.deleteMessage(id: "m1")
    #expect(try await fixture.conversation()?.lastMessage == "")
    #expect(try await fixture.conversation()?.unreadCount == 0)
    #expect(try await fixture.ids() == [])
  }

  @Test func `A changed last message changes the summary`() async throws {
    try await fixture.save(.sample("m1", "Fair"))
    try await fixture.save(.sample("m1", "Fair winds"))
    #expect(try await fixture.conversation()?.lastMessage == "Fair winds")
  }

  // MARK: - Provisional conversations

  @Test func `A message of an unknown conversation is listed in one that stands for it`()
    async throws
  {
    try await fixture.save(.sample("m1", "Hello", in: "c9", at: 3))
    let stored = try #require(try await fixture.conversation("c9"))
    #expect(stored.lastMessage == "Hello" && stored.lastMessageAt == .at(3))
    #expect(stored.unreadCount == 1 && stored.participantIds.contains("ben"))
    #expect(try await fixture.ids("c9") == ["m1"])
  }

  @Test func `The real conversation takes the place of a provisional one, with its messages`()
    async throws
  {
    try await fixture.save(.sample("m1", "Hello", in: "c9", at: 3), .sample("m2", in: "c9", at: 4))
    try await data.updateMessageStatus(id: "m1", status: .read)
    var real = Conversation.sample("c9", with: ["ann", "ben", "cleo"], at: 1)
    real.groupName = "Crew"
    try await data.saveConversation(real)
    let stored = try #require(try await fixture.conversation("c9"))
    #expect(stored.groupName == "Crew" && stored.createdBy == "ann" && stored.createdAt == .at(1))
    #expect(stored.participantIds == ["ann", "ben", "cleo"])
    #expect(stored.unreadCount == 1 && stored.lastMessageAt == .at(4))
    #expect(try await fixture.ids("c9") == ["m1", "m2"])
    #expect(try await fixture.number("SELECT count(*) FROM receipts") == 1)
    #expect(try await fixture.number("SELECT count(*) FROM conversations") == 1)
    // It is an ordinary one from then on.
    try await data.saveConversation(real)
    #expect(try await fixture.number("SELECT count(*) FROM pragma_foreign_key_check") == 0)
  }

  @Test func `A conversation with a similar id does not hinder that`() async throws {
    try await data.saveConversation(.sample("c9~"))
    try await fixture.save(.sample("n1", in: "c9~"), .sample("m1", in: "c9"))
    try await data.saveConversation(.sample("c9"))
    #expect(try await fixture.ids("c9") == ["m1"])
    #expect(try await fixture.ids("c9~") == ["n1"])
    #expect(try await fixture.number("SELECT count(*) FROM conversations") == 2)
  }

  // MARK: - Deleting

  @Test func `A conversation is deleted with its messages`() async throws {
    try await data.saveConversation(.sample("c1"))
    try await fixture.save(.sample("m1"), .sample("m2", in: "c2"))
    try await data.updateMessageStatus(id: "m1", status: .read)
    try await data.deleteConversation(id: "c1")
    #expect(try await data.fetchConversations().map(\.id) == ["c2"])
    #expect(try await fixture.texts("SELECT id FROM messages") == ["m2"])
    #expect(try await fixture.number("SELECT count(*) FROM receipts") == 0)
  }

  @Test(arguments: ["c1", "a b", ""])
  func `A missing conversation is reported`(_ id: String) async throws {
    let error = await persistenceError { try await data.deleteConversation(id: id) }
    #expect(error == .conversationNotFound)
  }
}
