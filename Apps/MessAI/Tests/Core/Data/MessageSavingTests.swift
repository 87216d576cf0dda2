import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import Testing

@testable import MessAI

/// Saving messages, their statuses, and deleting them.
struct MessageSavingTests {
  private let fixture: LocalFixture
  private var data: LocalDataManager { fixture.data }

  init() async throws {
    fixture = try await LocalFixture()
    try await fixture.data.saveConversation(.sample("c1"))
  }

  // MARK: - Inserting and updating

  @Test func `A saved message is fetched as it was saved`() async throws {
    let message = Message(
      id: "m1", conversationId: "c1", senderId: "ben", text: "Fair\nwinds 👍",
      imageURL: "blob:" + String(repeating: "0f", count: 32), sentAt: .at(1.25),
      deliveredAt: .at(2), readAt: .at(3), status: .read, replyToId: "m0")
    try await data.saveMessage(message)
    #expect(try await data.fetchMessages(conversationId: "c1") == [message])
  }

  @Test(arguments: [true, false])
  func `A message is to be sent unless the server has it`(isSynced: Bool) async throws {
    try await data.saveMessage(fixture.own("m1", at: 0), isSynced: isSynced)
    let row = try #require(try await fixture.row("m1"))
    #expect(row.isSynced == isSynced && row.needsSync == !isSynced)
    #expect(try await data.fetchUnsyncedMessages().map(\.id) == (isSynced ? [] : ["m1"]))
  }

  @Test func `The server has a message unless the caller says otherwise`() async throws {
    try await data.saveMessage(.sample("m1"))
    #expect(try await fixture.row("m1")?.isSynced == true)
    #expect(try await fixture.row("m1")?.needsSync == false)
  }

  @Test func `Saving again updates the text, and neither the time nor the number of messages`()
    async throws
  {
    try await data.saveMessage(fixture.own("m1", "Fair", at: 1), isSynced: false)
    var message = fixture.own("m1", "Fair winds", at: 9)
    message.replyToId = "m0"
    try await data.saveMessage(message)
    let stored = try #require(try await fixture.message("m1"))
    #expect(stored.text == "Fair winds" && stored.replyToId == "m0" && stored.sentAt == .at(1))
    #expect(try await fixture.row("m1")?.needsSync == false)
    #expect(try await fixture.ids() == ["m1"])
  }

  @Test(arguments: MessageStatus.allCases, MessageStatus.allCases)
  func `The status of a message that is saved again never moves back`(
    _ former: MessageStatus, _ status: MessageStatus
  ) async throws {
    try await fixture.save(.sample("m1", from: fixture.userID, status: former))
    try await fixture.save(.sample("m1", from: fixture.userID, status: status))
    let expected = former.canBecome(status) ? status : former
    #expect(try await fixture.message("m1")?.status == expected)
  }

  @Test func `The times of the first entry stay`() async throws {
    try await fixture.save(.sample("m1"))
    var message = Message.sample("m1", status: .delivered)
    message.deliveredAt = .at(5)
    try await data.saveMessage(message)
    message.status = .read
    (message.deliveredAt, message.readAt) = (.at(6), .at(7))
    try await data.saveMessage(message)
    (message.deliveredAt, message.readAt) = (.at(8), .at(9))
    try await data.saveMessage(message)
    let stored = try #require(try await fixture.message("m1"))
    #expect(stored.status == .read)
    #expect(stored.deliveredAt == .at(5) && stored.readAt == .at(7))
  }

  @Test(arguments: ["", "a b", "я", String(repeating: "x", count: 201)])
  func `A message with a strange id is not saved`(_ id: String) async throws {
    let error = await persistenceError { try await data.saveMessage(.sample(id)) }
    #expect(error == .saveFailed(Cause()))
    #expect(error?.cause as? Message.Problem == .invalidID)
    #expect(try await fixture.number("SELECT count(*) FROM messages") == 0)
  }

  private struct Cause: Error {}

  // MARK: - Batches

  @Test func `A batch is saved as a whole`() async throws {
    try await data.batchSaveMessages((0..<1_000).map { .sample("m\($0)", at: Double($0)) })
    #expect(try await fixture.ids() == (0..<1_000).map { "m\($0)" })
    try await data.batchSaveMessages([])
  }

  @Test func `A batch with one message that is not allowed saves none`() async throws {
    let error = await persistenceError {
      try await data.batchSaveMessages([.sample("m1", in: "new"), .sample("m2", "")])
    }
    #expect(error == .saveFailed(Cause()))
    #expect(try await fixture.number("SELECT count(*) FROM messages") == 0)
    #expect(try await fixture.conversation("new") == nil)
  }

  @Test func `The last of several states of a message in a batch counts, but never backward`()
    async throws
  {
    try await fixture.save(.sample("old", "A"))
    for id in ["old", "new"] {
      try await fixture.save(
        .sample(id, "B", status: .read), .sample(id, "A", status: .delivered))
      let stored = try #require(try await fixture.message(id))
      #expect(stored.status == .read && stored.text == "A", "\(id)")
    }
    #expect(try await fixture.ids().sorted() == ["new", "old"])
  }

  // MARK: - Statuses

  @Test func `The status of an own message is set with its time`() async throws {
    try await data.saveMessage(fixture.own("m1", at: 0), isSynced: false)
    let steps: [(Double, MessageStatus)] = [(1, .sent), (2, .delivered), (3, .read), (4, .sent)]
    for (time, status) in steps {
      fixture.setTime(time)
      try await data.updateMessageStatus(id: "m1", status: status)
    }
    let stored = try #require(try await fixture.message("m1"))
    #expect(stored.status == .read)
    #expect(stored.deliveredAt == .at(2) && stored.readAt == .at(3))
  }

  @Test func `Reading sets the time of the delivery, too`() async throws {
    try await fixture.save(.sample("m1", from: fixture.userID))
    fixture.setTime(3)
    try await data.updateMessageStatus(id: "m1", status: .read)
    let stored = try #require(try await fixture.message("m1"))
    #expect(stored.deliveredAt == .at(3) && stored.readAt == .at(3))
  }

  @Test func `The status of another's message moves, and is also the receipt of the user`()
    async throws
  {
    // Without an account the chosen members need not include the user.
    try await fixture.save(.sample("m1", from: "ben"))
    fixture.setTime(1)
    try await data.updateMessageStatus(id: "m1", status: .delivered)
    fixture.setTime(2)
    try await data.updateMessageStatus(id: "m1", status: .read)
    try await data.updateMessageStatus(id: "m1", status: .delivered)
    let stored = try #require(try await fixture.message("m1"))
    #expect(stored.status == .read)
    #expect(stored.deliveredAt == .at(1) && stored.readAt == .at(2))
    let receipts = try await data.store.read { try ReceiptRow.all.all($0) }
    #expect(
      receipts == [
        ReceiptRow(
          id: ReceiptRow(for: "m1", in: "c1", by: fixture.userID, .read, at: .at(2)).id,
          conversationId: "c1", messageId: "m1", userId: fixture.userID, state: .read,
          deliveredAt: .at(1), readAt: .at(2))
      ])
    #expect(try await fixture.conversation()?.unreadCount == 0)
  }

  @Test func `An own message has no receipt of the user`() async throws {
    try await fixture.save(.sample("m1", from: fixture.userID))
    try await data.updateMessageStatus(id: "m1", status: .read)
    #expect(try await fixture.number("SELECT count(*) FROM receipts") == 0)
  }

  @Test func `A missing message is reported by each function of one message`() async throws {
    let errors = [
      await persistenceError { try await data.updateMessageStatus(id: "x", status: .read) },
      await persistenceError { try await data.deleteMessage(id: "x") },
      await persistenceError { try await data.markAsSynced(messageId: "x") },
      await persistenceError { try await data.incrementSyncAttempts(messageId: "x") },
    ]
    #expect(errors == [.messageNotFound, .messageNotFound, .messageNotFound, .messageNotFound])
  }

  // MARK: - Deleting

  @Test func `A deleted message does not exist any more, and others stay`() async throws {
    try await fixture.save(.sample("m1", from: fixture.userID), .sample("m2", at: 1))
    try await data.updateMessageStatus(id: "m2", status: .read)
    try await data.deleteMessage(id: "m1")
    #expect(try await fixture.ids() == ["m2"])
    #expect(try await fixture.number("SELECT count(*) FROM messages") == 1)
  }

  @Test func `Another's deleted message is not shown again when it is saved again`() async throws {
    try await fixture.save(.sample("m1", "Fair winds"), .sample("m2", at: 1))
    try await data.deleteMessage(id: "m1")
    try await fixture.save(.sample("m1", "Fair winds again"))
    #expect(try await fixture.ids() == ["m2"])
    #expect(try await data.searchMessages("winds") == [])
    #expect(
      try await data.fetchMessages(conversationId: "c1", before: nil, limit: 9).map(\.id) == ["m2"])
    #expect(try await fixture.conversation()?.unreadCount == 1)
  }
}
