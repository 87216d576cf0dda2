import Foundation
import Offshore
import OffshoreSync
import Testing

@testable import MessAI

/// Messages and receipts between the devices of members, and a server in this process.
@Suite(.timeLimit(.minutes(1)))
struct DeliveryTests {
  // MARK: - Messages

  @Test func `A message arrives exactly once, whatever answers are lost`() async throws {
    let chat = try await Chat()
    let message = try await chat.ann.write("Hello")
    #expect(try await chat.ann.message(message.id)?.status == .sending)
    try await chat.ann.push(losingAnswer: true)
    let (request, response) = try await chat.ben.heldPull()
    try await chat.settle()
    // An answer that is late brings nothing twice.
    try await chat.ben.take(response, to: request)
    try await chat.settle()
    for phone in chat.phones { #expect(try await phone.texts() == ["Hello"]) }
    #expect(try chat.post.ids(of: "messages") == [message.id])
    let arrived = try #require(try await chat.ben.message(message.id))
    #expect(arrived.senderId == chat.ann.id && arrived.sentAt == message.sentAt)
    #expect(arrived.status == .sent)
  }

  @Test func `The server has a message when its author sees it as sent`() async throws {
    let chat = try await Chat()
    let message = try await chat.ann.write("Hello")
    #expect(try await chat.ann.data.fetchUnsyncedMessages().map(\.id) == [message.id])
    try await chat.settle()
    #expect(try await chat.ann.message(message.id)?.status == .sent)
    #expect(try await chat.ann.data.fetchUnsyncedMessages() == [])
    let row = try await chat.ann.store.read { try MessageRow.find(message.id).first($0) }
    #expect(row?.isSynced == true && row?.needsSync == false && row?.syncAttempts == 0)
    #expect(try await chat.ben.data.fetchUnsyncedMessages() == [])
    #expect(try await chat.ben.pendingCount() == 0)
  }

  @Test func `Messages of both are in one order on each device`() async throws {
    let chat = try await Chat()
    for number in 0..<5 {
      try await chat.ann.write("a\(number)")
      try await chat.ben.write("b\(number)")
    }
    try await chat.settle()
    let texts = (0..<5).flatMap { ["a\($0)", "b\($0)"] }
    for phone in chat.phones { #expect(try await phone.texts() == texts) }
  }

  @Test func `A changed text arrives, and the summary follows`() async throws {
    let chat = try await Chat()
    var message = try await chat.ann.write("Hallo")
    try await chat.settle()
    message.text = "Hello"
    try await chat.ann.data.saveMessage(message, isSynced: false)
    try await chat.settle()
    #expect(try await chat.ben.texts() == ["Hello"])
    #expect(try await chat.ben.conversation()?.lastMessage == "Hello")
    #expect(try await chat.ann.message(message.id)?.status == .sent)
  }

  @Test func `A deleted message vanishes elsewhere, and the summary follows`() async throws {
    let chat = try await Chat()
    try await chat.ann.write("First")
    let last = try await chat.ann.write("Second")
    try await chat.settle()
    try await chat.ben.receive(.delivered, last.id)
    try await chat.settle()
    #expect(try await chat.ben.conversation()?.unreadCount == 2)
    try await chat.ann.data.deleteMessage(id: last.id)
    try await chat.settle()
    for phone in chat.phones {
      #expect(try await phone.texts() == ["First"])
      #expect(try await phone.conversation()?.lastMessage == "First")
      #expect(try await phone.refusals() == [])
      #expect(try await phone.count("receipts") == 0)
    }
    #expect(try await chat.ben.conversation()?.unreadCount == 1)
    #expect(try chat.post.ids(of: "receipts") == [])
  }

  @Test func `A message of another that is hidden stays for all other members`() async throws {
    let chat = try await Chat(with: "cleo")
    let message = try await chat.ann.write("Hello")
    try await chat.settle()
    try await chat.ben.data.deleteMessage(id: message.id)
    #expect(try await chat.ben.pendingCount() == 0)
    try await chat.settle()
    #expect(try await chat.ben.texts() == [])
    #expect(try await chat.others[0].texts() == ["Hello"])
    #expect(try await chat.ann.texts() == ["Hello"])
  }

  // MARK: - Messages that count as the server's

  @Test func `A message that the server has is neither captured nor sent`() async throws {
    let chat = try await Chat()
    let message = Message.sample("m1", "From elsewhere", from: chat.ben.id)
    try await chat.ann.data.saveMessage(message)
    try await chat.ann.data.batchSaveMessages([.sample("m2", from: chat.ann.id, at: 1)])
    #expect(try await chat.ann.pendingCount() == 0)
    #expect(try await chat.ann.nextPush() == nil)
    try await chat.settle()
    #expect(try chat.post.ids(of: "messages") == [])
    #expect(try await chat.ben.texts() == [])
  }

  @Test func `A message that was saved as the server's is not twice when it arrives`() async throws
  {
    let chat = try await Chat()
    let message = try await chat.ben.write("Hello")
    try await chat.ann.data.saveMessage(message)
    try await chat.settle()
    #expect(try await chat.ann.texts() == ["Hello"])
    #expect(try await chat.ann.refusals() == [])
    #expect(try await chat.ann.conversation()?.unreadCount == 1)
  }

  @Test func `A provisional conversation is not sent, and the real one takes its place`()
    async throws
  {
    let chat = try await Chat()
    let cleo = try await chat.post.makePhone(of: "cleo")
    let message = try await chat.ann.write("Hello")
    try await cleo.data.saveMessage(message)
    #expect(try await cleo.conversation()?.lastMessage == "Hello")
    #expect(try await cleo.nextPush() == nil)
    try chat.post.grant(.editor, to: cleo)
    try await chat.post.settle(chat.phones + [cleo])
    let conversation = try #require(try await cleo.conversation())
    #expect(conversation.createdBy == chat.ann.id)
    #expect(conversation.participantIds == [chat.ann.id, chat.ben.id, cleo.id].sorted())
    #expect(try await cleo.texts() == ["Hello"])
    #expect(try await cleo.count("conversations") == 1)
    #expect(try await cleo.refusals() == [])
  }

  @Test func `Reading a provisional conversation sends nothing`() async throws {
    let post = try Post()
    let cleo = try await post.makePhone(of: "cleo")
    try await cleo.data.saveMessage(.sample("m1", in: "c9"))
    #expect(try await cleo.conversation("c9")?.unreadCount == 1)
    try await cleo.receive(.delivered, "m1")
    try await Receipts(manager: cleo.data).confirmReading(of: ["m1"])
    #expect(try await cleo.conversation("c9")?.unreadCount == 0)
    #expect(try await cleo.pendingCount() == 0)
    #expect(try await cleo.nextPush() == nil)
  }

  @Test func `A deleted provisional conversation sends nothing`() async throws {
    let post = try Post()
    let cleo = try await post.makePhone(of: "cleo")
    try await cleo.data.saveMessage(.sample("m1", in: "c9"))
    try await cleo.data.deleteConversation(id: "c9")
    #expect(try await cleo.data.fetchConversations() == [])
    #expect(try await cleo.nextPush() == nil)
  }
}
