import Foundation
import Offshore
import TestSupport
import Testing

@testable import MessAI

/// The numbers of unread messages and the last messages, which equal a recount after each step.
struct UnreadCountTests {
  private static let conversations = ["c1", "c2", "c3"]

  private let fixture: LocalFixture
  private var data: LocalDataManager { fixture.data }

  init() async throws { fixture = try await LocalFixture() }

  /// A plain model of the stored messages.
  private struct Model {
    var messages: [String: Message] = [:]
    var read: Set<String> = []
    var hidden: Set<String> = []

    func shown(_ conversation: String) -> [Message] {
      messages.values.filter { $0.conversationId == conversation && !hidden.contains($0.id) }
        .sorted { Message.isOrdered($0, before: $1) }
    }

    func unread(_ conversation: String, by userID: String) -> Int {
      shown(conversation).count { $0.senderId != userID && !read.contains($0.id) }
    }
  }

  private func expect(_ model: Model, _ step: String) async throws {
    let stored = try await data.fetchConversations()
    for id in Self.conversations {
      let shown = model.shown(id)
      #expect(try await fixture.ids(id) == shown.map(\.id), "\(step)")
      guard let conversation = stored.first(where: { $0.id == id }) else {
        #expect(shown.isEmpty, "\(step)")
        continue
      }
      #expect(conversation.unreadCount == model.unread(id, by: fixture.userID), "\(step)")
      #expect(conversation.lastMessage == shown.last?.text ?? "", "\(step)")
      if let last = shown.last { #expect(conversation.lastMessageAt == last.sentAt, "\(step)") }
    }
  }

  private func message(_ number: Int, _ random: inout SeededRandom) -> Message {
    .sample(
      "m\(number)", "Text \(number)", in: random.pick(Self.conversations),
      from: random.pick(["ben", "cleo", fixture.userID]), at: Double(random.number(below: 20)))
  }

  /// Performs a random step, as the model does.
  private func perform(
    _ number: Int, _ model: inout Model, _ random: inout SeededRandom
  ) async throws -> String {
    let known = model.messages.keys.filter { !model.hidden.contains($0) }.sorted()
    switch known.isEmpty ? 0 : random.number(below: 12) {
    case 0...3:
      let new = message(number, &random)
      model.messages[new.id] = new
      try await data.saveMessage(new, isSynced: random.number(below: 2) == 0)
      return "save \(new.id)"
    case 4:
      let new = (0..<5).map { message(10_000 + number * 10 + $0, &random) }
      for message in new { model.messages[message.id] = message }
      try await data.batchSaveMessages(new)
      return "save \(new.map(\.id))"
    case 5...7:
      let id = random.pick(known)
      model.read.insert(id)
      try await data.updateMessageStatus(id: id, status: .read)
      return "read \(id)"
    case 8:
      let id = random.pick(known)
      try await data.updateMessageStatus(id: id, status: .delivered)
      return "deliver \(id)"
    case 9:
      var changed = try #require(model.messages[random.pick(known)])
      changed.text += "!"
      model.messages[changed.id] = changed
      try await data.saveMessage(changed)
      return "change \(changed.id)"
    case 10:
      let id = random.pick(known)
      if model.messages[id]?.senderId == fixture.userID {
        model.messages[id] = nil
      } else {
        model.hidden.insert(id)
      }
      try await data.deleteMessage(id: id)
      return "delete \(id)"
    default:
      guard random.number(below: 4) == 0 else { return "nothing" }
      let id = random.pick(Self.conversations)
      model.messages = model.messages.filter { $0.value.conversationId != id }
      _ = await persistenceError { try await data.deleteConversation(id: id) }
      return "delete \(id)"
    }
  }

  @Test(arguments: UInt64(1)...6)
  func `They equal a recount after each of many random steps`(seed: UInt64) async throws {
    var (random, model) = (SeededRandom(seed: seed), Model())
    for number in 1...120 {
      let step = try await perform(number, &model, &random)
      try await expect(model, "seed \(seed), step \(number): \(step)")
    }
    #expect(model.messages.count > 20 && !model.read.isEmpty && !model.hidden.isEmpty)
  }

  @Test func `A late message that sorts before a read one is unread`() async throws {
    try await fixture.save(.sample("m2", at: 2))
    try await data.updateMessageStatus(id: "m2", status: .read)
    #expect(try await fixture.conversation()?.unreadCount == 0)
    try await fixture.save(.sample("m1", at: 1))
    #expect(try await fixture.conversation()?.unreadCount == 1)
  }

  @Test(arguments: [true, false])
  func `A message that was deleted on this device is shown again, and is as unread as before`(
    isRead: Bool
  ) async throws {
    try await fixture.save(.sample("m1", "Ahoy"))
    if isRead { try await data.updateMessageStatus(id: "m1", status: .read) }
    try await data.deleteMessage(id: "m1")
    #expect(try await fixture.ids() == [])
    #expect(try await fixture.conversation()?.unreadCount == 0)
    try await data.restoreMessage(id: "m1")
    #expect(try await fixture.ids() == ["m1"])
    #expect(try await fixture.conversation()?.unreadCount == (isRead ? 0 : 1))
    #expect(try await fixture.conversation()?.lastMessage == "Ahoy")
    let error = await persistenceError { try await data.restoreMessage(id: "m9") }
    #expect(error == .messageNotFound)
  }

  @Test func `Own messages are not unread, and a delivered one still is`() async throws {
    try await fixture.save(.sample("m1", from: fixture.userID), .sample("m2", at: 1))
    try await data.updateMessageStatus(id: "m2", status: .delivered)
    #expect(try await fixture.conversation()?.unreadCount == 1)
  }
}
