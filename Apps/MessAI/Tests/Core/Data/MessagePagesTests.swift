import Foundation
import TestSupport
import Testing

@testable import MessAI

/// The pages of a conversation, in both directions from any message.
struct MessagePagesTests {
  private let fixture: LocalFixture
  private var data: LocalDataManager { fixture.data }
  /// The messages of the conversation c1 in order. Many have the same time.
  private let messages: [Message]

  init() async throws {
    fixture = try await LocalFixture()
    messages = (0..<40).map { Message.sample("m\($0)", at: Double($0 / 7)) }
      .sorted { Message.isOrdered($0, before: $1) }
    var random = SeededRandom(seed: 3)
    for message in messages.shuffled(using: &random) { try await fixture.save(message) }
    try await fixture.save(.sample("other", in: "c2", at: 2))
  }

  @Test func `All messages are in order, and those of other conversations are not among them`()
    async throws
  {
    #expect(try await data.fetchMessages(conversationId: "c1") == messages)
    #expect(try await data.fetchMessages(conversationId: "c2").map(\.id) == ["other"])
    #expect(try await data.fetchMessages(conversationId: "none") == [])
  }

  @Test(arguments: [1, 3, 7, 39, 40, 100])
  func `Pages backward from the end are all messages once`(_ limit: Int) async throws {
    var (all, first): ([Message], Message?) = ([], nil)
    while true {
      let page = try await data.fetchMessages(conversationId: "c1", before: first, limit: limit)
      #expect(page.count <= limit)
      guard !page.isEmpty else { break }
      all = page + all
      first = page[0]
    }
    #expect(all == messages)
  }

  @Test(arguments: [1, 3, 7, 39, 100])
  func `Pages forward from the first message are all others once`(_ limit: Int) async throws {
    var all = [messages[0]]
    while let last = all.last {
      let page = try await data.fetchMessages(conversationId: "c1", after: last, limit: limit)
      guard !page.isEmpty else { break }
      all += page
    }
    #expect(all == messages)
  }

  @Test func `Around each message lie the one before and the one after`() async throws {
    for (place, message) in messages.enumerated() {
      let before = try await data.fetchMessages(conversationId: "c1", before: message, limit: 2)
      let after = try await data.fetchMessages(conversationId: "c1", after: message, limit: 2)
      #expect(before == Array(messages[..<place].suffix(2)))
      #expect(after == Array(messages[(place + 1)...].prefix(2)))
    }
  }

  @Test func `A page goes on from a message that was deleted meanwhile`() async throws {
    let message = messages[20]
    try await data.deleteMessage(id: message.id)
    let page = try await data.fetchMessages(conversationId: "c1", after: message, limit: 3)
    #expect(page == Array(messages[21...23]))
  }

  @Test func `Late messages that sort before others are on the pages of their time`() async throws {
    try await fixture.save(.sample("late", at: 2.5))
    let last = try #require(messages.last { $0.sentAt == .at(2) })
    let page = try await data.fetchMessages(conversationId: "c1", after: last, limit: 1)
    #expect(page.map(\.id) == ["late"])
  }

  @Test func `A page of no messages is empty, and a negative number is an error`() async throws {
    #expect(try await data.fetchMessages(conversationId: "c1", before: nil, limit: 0) == [])
    let error = await persistenceError {
      try await data.fetchMessages(conversationId: "c1", before: nil, limit: -1)
    }
    #expect(error?.logCode == "fetchFailed")
  }
}
