import Foundation
import TestSupport
import Testing

@testable import MessAI

/// The values that a message and a conversation may have, and their order.
struct MessageTests {
  private static let hash = String(repeating: "0123456789abcdef", count: 4)

  // MARK: - Ids

  @Test(arguments: ["a", "7", "!~", UUID().uuidString, String(repeating: "x", count: 200)])
  func `An id has 1 to 200 visible characters of ASCII`(_ id: String) {
    #expect(Message.isValid(id: id))
  }

  @Test(arguments: [
    "", " ", "a b", "a\n", "a\0", "\u{7F}", "é", "я", "👍", String(repeating: "x", count: 201),
  ])
  func `A text with other characters or another length is no id`(_ id: String) {
    #expect(!Message.isValid(id: id))
    let good = Message.sample("m1")
    #expect(throws: Message.Problem.invalidID) { try Message.sample(id).check() }
    #expect(throws: Message.Problem.invalidID) {
      try Message.sample("m1", in: id).check()
    }
    #expect(throws: Message.Problem.invalidID) { try Message.sample("m1", from: id).check() }
    var answer = good
    answer.replyToId = id
    #expect(throws: Message.Problem.invalidID) { try answer.check() }
  }

  @Test(arguments: ["", "a b", "я"])
  func `The ids of a conversation, its creator and its members are checked`(_ id: String) {
    #expect(throws: Message.Problem.invalidID) { try Conversation.sample(id).check() }
    #expect(throws: Message.Problem.invalidID) {
      try Conversation.sample("c1", createdBy: id).check()
    }
    #expect(throws: Message.Problem.invalidID) {
      try Conversation.sample("c1", with: ["ann", id]).check()
    }
  }

  // MARK: - Contents

  @Test func `A text has 20,000 characters at the most, however many bytes each has`() throws {
    for character in ["a", "я", "e\u{301}"] {
      let longest = String(repeating: character, count: 20_000)
      try Message.sample("m1", longest).check()
      #expect(throws: Message.Problem.tooLong) {
        try Message.sample("m1", longest + character).check()
      }
    }
  }

  @Test func `A text is empty only beside an image`() throws {
    var message = Message.sample("m1", "")
    #expect(throws: Message.Problem.empty) { try message.check() }
    message.imageURL = "blob:\(Self.hash)"
    try message.check()
  }

  @Test(arguments: [
    "", "blob:", hash, "blob:\(hash)0", "blob:\(hash.dropLast())", "blob:\(hash.uppercased())",
    "https://example.org/a.png", "blob:\(hash.dropLast())я",
  ])
  func `An image is the hash of its content`(_ image: String) {
    var message = Message.sample("m1")
    message.imageURL = image
    #expect(throws: Message.Problem.invalidImage) { try message.check() }
  }

  @Test func `Times, image and reply are absent unless given`() {
    let message = Message(
      id: "m1", conversationId: "c1", senderId: "ann", text: "Hello", sentAt: .at(0),
      status: .sending)
    #expect(message.imageURL == nil && message.replyToId == nil)
    #expect(message.deliveredAt == nil && message.readAt == nil)
    let conversation = Conversation(
      id: "c1", participantIds: [], isGroup: false, lastMessage: "", lastMessageAt: .at(0),
      createdBy: "ann", createdAt: .at(0))
    #expect(conversation.unreadCount == 0 && conversation.groupName == nil)
  }

  // MARK: - Order

  @Test func `Messages are ordered by time, and those of one time by id`() {
    let ordered = [
      Message.sample("z", at: 0), .sample("a", at: 1), .sample("b", at: 1), .sample("0", at: 2),
    ]
    for (first, message) in ordered.enumerated() {
      for (second, other) in ordered.enumerated() {
        #expect(Message.isOrdered(message, before: other) == (first < second))
      }
    }
    var random = SeededRandom(seed: 1)
    #expect(
      ordered.shuffled(using: &random).sorted { Message.isOrdered($0, before: $1) } == ordered)
  }
}
