import Foundation
import Offshore
import OffshoreSync
import TestSupport
import Testing

@testable import MessAI

/// Receipts, which move the status of a message on the devices of all members.
@Suite(.timeLimit(.minutes(2)))
struct ReceiptTests {
  @Test func `Receipts of the other member move a message to delivered and read`() async throws {
    let chat = try await Chat()
    let message = try await chat.ann.write("Hello")
    try await chat.settle()
    #expect(try await chat.ben.conversation()?.unreadCount == 1)
    try await chat.ben.receive(.delivered, message.id)
    let deliveredAt = chat.ben.store.now()
    try await chat.settle()
    let delivered = try #require(try await chat.ann.message(message.id))
    #expect(delivered.status == .delivered && delivered.readAt == nil)
    #expect(abs(delivered.deliveredAt?.timeIntervalSince(deliveredAt) ?? .infinity) < 1)
    try await chat.ben.receive(.read, message.id)
    #expect(try await chat.ben.conversation()?.unreadCount == 0)
    try await chat.settle()
    let read = try #require(try await chat.ann.message(message.id))
    #expect(read.status == .read && read.deliveredAt == delivered.deliveredAt)
    let readAt = try #require(read.readAt)
    #expect(readAt > deliveredAt)
    // All devices agree.
    #expect(try await chat.ben.message(message.id) == read)
  }

  @Test func `In a group a message has the lowest status of all other members`() async throws {
    let chat = try await Chat(with: "cleo")
    let cleo = chat.others[0]
    let message = try await chat.ann.write("Hello")
    try await chat.settle()
    let steps: [(Phone, MessageStatus, MessageStatus)] = [
      (chat.ben, .read, .sent), (cleo, .delivered, .delivered), (cleo, .read, .read),
    ]
    for (phone, status, expected) in steps {
      try await phone.receive(status, message.id)
      try await chat.settle()
      for phone in chat.phones {
        #expect(try await phone.message(message.id)?.status == expected)
      }
    }
  }

  @Test(arguments: [true, false])
  func `Who leaves or is removed is not waited for`(isRemoved: Bool) async throws {
    let chat = try await Chat(with: "cleo")
    let cleo = chat.others[0]
    let message = try await chat.ann.write("Hello")
    try await chat.settle()
    try await chat.ben.receive(.read, message.id)
    try await chat.settle()
    #expect(try await chat.ann.message(message.id)?.status == .sent)
    if isRemoved {
      try await chat.ann.store.removeMember(cleo.account.id, from: .known("c1"))
    } else {
      try await cleo.store.leave(.known("c1"), retainingCopy: true)
    }
    try await chat.settle()
    #expect(try await chat.ann.message(message.id)?.status == .read)
    let participants = try await chat.ann.conversation()?.participantIds
    #expect(participants == [chat.ann.id, chat.ben.id].sorted())
  }

  @Test func `A message stays read when a new member has not read it`() async throws {
    let chat = try await Chat()
    let message = try await chat.ann.write("Hello")
    try await chat.settle()
    try await chat.ben.receive(.read, message.id)
    try await chat.settle()
    let cleo = try await chat.post.makePhone(of: "cleo")
    try chat.post.grant(.editor, to: cleo)
    try await chat.post.settle(chat.phones + [cleo])
    #expect(try await chat.ann.message(message.id)?.status == .read)
    // Messages from before a member joined count as read.
    #expect(try await cleo.texts() == ["Hello"])
    #expect(try await cleo.conversation()?.unreadCount == 0)
    try await chat.ann.write("Welcome")
    try await chat.post.settle(chat.phones + [cleo])
    #expect(try await cleo.conversation()?.unreadCount == 1)
  }

  @Test func `A member who has joined after a message is not waited for`() async throws {
    let chat = try await Chat()
    let message = try await chat.ann.write("Hello")
    try await chat.settle()
    let cleo = try await chat.post.makePhone(of: "cleo")
    try chat.post.grant(.editor, to: cleo)
    let phones = chat.phones + [cleo]
    try await chat.post.settle(phones)
    #expect(try await chat.ann.conversation()?.participantIds.count == 3)
    for status in [MessageStatus.delivered, .read] {
      try await chat.ben.receive(status, message.id)
      try await chat.post.settle(phones)
      for phone in phones { #expect(try await phone.message(message.id)?.status == status) }
    }
    let later = try await chat.ann.write("Welcome")
    try await chat.post.settle(phones)
    try await chat.ben.receive(.read, later.id)
    try await chat.post.settle(phones)
    #expect(try await chat.ann.message(later.id)?.status == .sent)
  }

  @Test func `A viewer, who cannot confirm messages, is not waited for`() async throws {
    let chat = try await Chat()
    let cleo = try await chat.post.makePhone(of: "cleo")
    try chat.post.grant(.viewer, to: cleo)
    let phones = chat.phones + [cleo]
    try await chat.post.settle(phones)
    #expect(try await chat.ann.conversation()?.participantIds.count == 3)
    let message = try await chat.ann.write("Hello")
    try await chat.post.settle(phones)
    try await chat.ben.receive(.read, message.id)
    try await chat.post.settle(phones)
    #expect(try await chat.ann.message(message.id)?.status == .read)
    // For the viewer it is unread until they read it.
    #expect(try await cleo.conversation()?.unreadCount == 1)
    try await cleo.receive(.read, message.id)
    #expect(try await cleo.conversation()?.unreadCount == 0)
  }

  @Test func `A message from before all others have joined is read once one of them reads it`()
    async throws
  {
    let post = try Post()
    let (ann, ben) = (try await post.makePhone(of: "ann"), try await post.makePhone(of: "ben"))
    try await ann.data.saveConversation(.sample("c1", with: [ann.id], createdBy: ann.id))
    let message = try await ann.write("Hello")
    try await post.settle(ann)
    try post.grant(.editor, to: ben)
    try await post.settle(ann, ben)
    #expect(try await ben.conversation()?.unreadCount == 0)
    for phone in [ann, ben] { #expect(try await phone.message(message.id)?.status == .sent) }
    try await ben.receive(.read, message.id)
    try await post.settle(ann, ben)
    for phone in [ann, ben] { #expect(try await phone.message(message.id)?.status == .read) }
  }

  @Test func `A member who was chosen for a new conversation has its first messages as new ones`()
    async throws
  {
    let chat = try await Chat()
    let (ann, ben) = (chat.ann, chat.ben)
    try await ann.data.saveConversation(
      .sample("c2", with: [ann.id, ben.id], createdBy: ann.id))
    try await ann.store.addMember(ben.account.id, as: .editor, to: .known("c2"))
    let message = try await ann.write("Hello", in: "c2")
    // The server receives all of it later.
    chat.post.tick(60_000)
    try await chat.settle()
    #expect(try await ben.conversation("c2")?.unreadCount == 1)
    try await ben.receive(.delivered, message.id)
    try await chat.settle()
    #expect(try await ann.message(message.id)?.status == .delivered)
  }

  @Test func `What is read on one device of a person is read on the others`() async throws {
    let chat = try await Chat()
    let second = try Phone(chat.ben.account, of: chat.post, MessAISchema.current)
    try await second.link()
    let message = try await chat.ann.write("Hello")
    try await chat.post.settle(chat.phones + [second])
    #expect(try await second.conversation()?.unreadCount == 1)
    try await chat.ben.receive(.read, message.id)
    try await chat.post.settle(chat.phones + [second])
    #expect(try await second.conversation()?.unreadCount == 0)
    // Both may say so at once: it is one receipt.
    try await second.receive(.read, message.id)
    try await chat.post.settle(chat.phones + [second])
    #expect(try chat.post.ids(of: "receipts").count == 1)
  }

  // MARK: - Any order

  /// The statuses and times of the messages that a device has shown, none of which may move back.
  private struct Watch {
    private var shown: [String: Message] = [:]

    mutating func expect(_ messages: [Message], _ step: String) {
      for message in messages {
        defer { shown[message.id] = message }
        guard let former = shown[message.id] else { continue }
        #expect(message.status.rank >= former.status.rank, "\(step)")
        #expect(message.sentAt == former.sentAt, "\(step)")
        if let time = former.deliveredAt { #expect(message.deliveredAt == time, "\(step)") }
        if let time = former.readAt { #expect(message.readAt == time, "\(step)") }
        #expect((message.readAt != nil) == (message.status == .read), "\(step)")
      }
    }
  }

  /// The steps of a random course: receipts, repeats, late pulls, and one of three members who leaves.
  private struct Course {
    let chat: Chat
    var random: SeededRandom
    private var ids: [String] = []
    /// The members who have read each message.
    private var readers: [String: Set<String>] = [:]
    private var held: [(phone: Phone, request: PullRequest, response: PullResponse)] = []
    private var hasLeft = false

    init(seed: UInt64) async throws {
      chat = try await Chat(with: "cleo")
      random = SeededRandom(seed: seed)
      for number in 0..<4 { ids.append(try await chat.ann.write("\(number)").id) }
      try await chat.settle()
    }

    private var cleo: Phone { chat.others[0] }

    mutating func step() async throws -> String {
      let phone = random.pick(chat.phones)
      switch random.number(below: 10) {
      case 0...3:
        let reader = random.pick(hasLeft ? [chat.ben] : [chat.ben, cleo])
        let (id, isRead) = (random.pick(ids), random.number(below: 2) == 0)
        try await reader.receive(isRead ? .read : .delivered, id)
        if isRead { readers[id, default: []].insert(reader.id) }
        return "\(reader.account.name) \(isRead ? "reads" : "receives")"
      case 4: try await phone.push(losingAnswer: true)
      case 5: try await phone.push()
      case 6:
        let (request, response) = try await phone.heldPull()
        held.append((phone, request, response))
      case 7:
        guard !held.isEmpty else { break }
        let late = held.remove(at: random.number(below: held.count))
        try await late.phone.take(late.response, to: late.request)
        return "\(late.phone.account.name) takes a late pull"
      case 8: try await phone.pullAll()
      default:
        guard !hasLeft, random.number(below: 6) == 0 else { break }
        hasLeft = true
        try await cleo.store.leave(.known("c1"), retainingCopy: true)
        return "cleo leaves"
      }
      return "\(phone.account.name) syncs"
    }

    /// Syncs all devices, and returns the ids of the messages that all remaining members have read.
    mutating func end() async throws -> Set<String> {
      try await chat.settle()
      if !hasLeft { try await cleo.store.leave(.known("c1"), retainingCopy: true) }
      try await chat.settle()
      return Set(ids.filter { readers[$0]?.contains(chat.ben.id) == true })
    }
  }

  @Test(arguments: UInt64(1)...8)
  func `Statuses and times never move back, in any order of receipts, repeats and late pulls`(
    seed: UInt64
  ) async throws {
    var course = try await Course(seed: seed)
    var watches = course.chat.phones.map { _ in Watch() }
    for number in 1...80 {
      let event = try await course.step()
      let step = "seed \(seed), step \(number): \(event)"
      for (place, phone) in course.chat.phones.enumerated() {
        watches[place].expect(
          try await phone.data.fetchMessages(conversationId: "c1"), step)
      }
    }
    let read = try await course.end()
    for (place, phone) in [course.chat.ann, course.chat.ben].enumerated() {
      let messages = try await phone.data.fetchMessages(conversationId: "c1")
      watches[place].expect(messages, "seed \(seed), end")
      #expect(Set(messages.filter { $0.status == .read }.map(\.id)) == read, "seed \(seed)")
    }
    let unread = try await course.chat.ben.conversation()?.unreadCount
    #expect(unread == 4 - read.count, "seed \(seed)")
  }
}
