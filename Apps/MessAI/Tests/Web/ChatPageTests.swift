import Foundation
import MessAI
import OffshoreHTTP
import OffshorePresentation
import TestSupport
import Testing

@testable import MessAIWeb

/// The page of a conversation, as it is read.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChatPageTests {
  @Test func `Messages are bubbles under their days, with the status of own ones in words`()
    async throws
  {
    let pages = try await ChatPages()
    let id = try await pages.addConversation(group: "Crew")
    try await pages.receive("Ahoy", id: "m1", in: id, at: 0)
    try await pages.receive("Land", id: "m2", in: id, at: 60)
    let user = pages.userID
    let statuses = [(MessageStatus.sent, "Sent"), (.delivered, "Delivered"), (.read, "Read")]
    for (status, _) in statuses {
      try await pages.receive(
        "Own", id: "own-\(status)", in: id, from: user, at: 86_400, status: status)
    }
    try await pages.queue("Waiting", id: "w1", in: id, at: 90_000)
    try await pages.queue("Failed", id: "w2", in: id, at: 90_001)
    try await pages.fail("w2")
    let page = await pages.get(pages.address(id))
    #expect(page.status == .ok)
    #expect(page.text.matches(of: /class="day"/).count == 2)
    #expect(page.text.contains("15 January 2027") && page.text.contains("16 January 2027"))
    let received = try page.bubble("m1")
    #expect(received.contains("Ahoy") && received.contains("12:00"))
    #expect(received.contains(#"class="bubble""#))
    #expect(!received.contains("Sent"))
    for (status, word) in statuses {
      let bubble = try page.bubble("own-\(status)")
      #expect(bubble.contains(#"class="bubble own""#) && bubble.contains(word), "\(status)")
    }
    #expect(try page.bubble("w1").contains("Sending"))
    #expect(try page.bubble("w2").contains("Not sent"))
    let order = page.text.matches(of: /<article id="message-([^"]+)"/).map { String($0.1) }
    #expect(order == ["m1", "m2", "own-delivered", "own-read", "own-sent", "w1", "w2"])
  }

  @Test(arguments: [Language.english, .russian])
  func `The status and the actions are in the language of the page`(language: Language)
    async throws
  {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation()
    let user = pages.userID
    try await pages.receive("Своё", id: "m1", in: id, from: user, at: 1, status: .read)
    try await pages.receive("Чужое", id: "m2", in: id, at: 2)
    let page = await pages.get(pages.address(id))
    let words =
      language == .english
      ? ("Read", "Delete for all members", "Delete on this device")
      : ("Прочитано", "Удалить у всех", "Удалить здесь")
    let (own, other) = (try page.bubble("m1"), try page.bubble("m2"))
    #expect(own.contains(words.0) && own.contains(words.1) && !own.contains(words.2))
    #expect(!other.contains(words.0) && !other.contains(words.1) && other.contains(words.2))
  }

  @Test func `A reply quotes its message, leads to it, and says that it was deleted`() async throws
  {
    let pages = try await ChatPages()
    let id = try await pages.addConversation()
    try await pages.receive("Where are you?", id: "m1", in: id, at: 1)
    try await pages.receive(
      "At Vis", id: "m2", in: id, from: pages.userID, at: 2, replyTo: "m1")
    let quoting = try await pages.get(pages.address(id)).bubble("m2")
    #expect(quoting.contains("Where are you?"))
    #expect(quoting.contains("at=m1#message-m1"))
    _ = await pages.post(pages.address(id), ["action": "delete", "message": "m1"])
    let page = await pages.get(pages.address(id))
    #expect(!page.text.contains("Where are you?"))
    #expect(try page.bubble("m2").contains("Deleted message"))
  }

  @Test(arguments: [
    (Language.english, "Unknown member", "Former member"),
    (.russian, "Неизвестный участник", "Бывший участник"),
  ])
  func `A member whose name is not known is not called a former one`(
    language: Language, name: String, other: String
  ) async throws {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation(group: "Crew")
    try await pages.receive("Where?", id: "m1", in: id)
    try await pages.receive("Vis", id: "m2", in: id, from: pages.userID, at: 1, replyTo: "m1")
    let page = await pages.get(pages.address(id))
    #expect(try page.bubble("m2").contains("<strong>\(name)</strong>"))
    #expect(!page.text.contains(other))
  }

  @Test func `A long conversation opens at its end, or around a message`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation()
    for number in 1...150 {
      try await pages.receive(
        "Ahoy \(number).", id: "m\(number)", in: id, at: Double(number), status: .read)
    }
    let end = await pages.get(pages.address(id))
    #expect(end.text.contains("Ahoy 150.") && !end.text.contains("Ahoy 90."))
    #expect(end.text.contains("before=m101") && !end.text.contains("window-later"))
    let middle = await pages.get("\(pages.address(id))?at=m75")
    #expect(middle.text.contains("Ahoy 75.") && !middle.text.contains("Ahoy 150."))
    #expect(middle.text.contains("window-earlier") && middle.text.contains("window-later"))
    let earlier = await pages.get("\(pages.address(id))?before=m101")
    #expect(earlier.text.contains("Ahoy 100.") && !earlier.text.contains("Ahoy 101."))
  }

  @Test(arguments: [(Language.english, "New messages"), (.russian, "Новые сообщения")])
  func `A conversation opens at the first unread message, below a heading`(
    language: Language, heading: String
  ) async throws {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation()
    for number in 1...150 {
      try await pages.receive(
        "Ahoy \(number).", id: "m\(number)", in: id, at: Double(number),
        status: number < 60 ? .read : .sent)
    }
    let page = await pages.get(pages.address(id), isScripted: true)
    #expect(page.text.contains(#"data-open="new-messages""#))
    #expect(page.text.contains("Ahoy 50.") && !page.text.contains("Ahoy 150."))
    let parts = page.text.components(separatedBy: #"id="new-messages">\#(heading)</h2>"#)
    #expect(parts.count == 2)
    #expect(parts[0].contains("Ahoy 59.") && !parts[0].contains("Ahoy 60."))
    let hit = await pages.get("\(pages.address(id))?at=m100", isScripted: true)
    #expect(hit.text.contains(#"data-open="message-m100""#) && !hit.text.contains("new-messages"))
    for number in 60...150 {
      try await pages.data.updateMessageStatus(id: "m\(number)", status: .read)
    }
    let last = await pages.get(pages.address(id), isScripted: true)
    #expect(last.text.contains("Ahoy 150.") && !last.text.contains("new-messages"))
    #expect(last.text.contains(#"data-open="""#))
  }

  @Test(arguments: [
    (Language.english, "The message was deleted, or is not on this device."),
    (.russian, "Сообщение удалено или его нет на этом устройстве."),
  ])
  func `A link to a message that does not exist says so, and shows the last ones`(
    language: Language, sentence: String
  ) async throws {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation()
    try await pages.receive("Ahoy", id: "m1", in: id)
    for message in ["m9", "%20", "%3Cscript%3E", String(repeating: "x", count: 500)] {
      let page = await pages.get("\(pages.address(id))?at=\(message)")
      #expect(page.status == .ok && page.text.contains(sentence), "\(message)")
      #expect(page.text.contains("Ahoy"), "\(message)")
    }
    #expect(await !pages.get(pages.address(id)).text.contains(sentence))
  }

  @Test func `A conversation that is not on this device is not found`() async throws {
    let pages = try await ChatPages()
    let strange = [
      UUID().uuidString, "nope", "%20", "a%2Fb", "..", "%00", String(repeating: "x", count: 500),
    ]
    let refusals: Set<Response.Status> = [.notFound, .badRequest]
    for id in strange {
      for address in ["/conversations/\(id)", "/conversations/\(id)/edit"] {
        let page = await pages.get(address)
        #expect(refusals.contains(page.status), "\(address)")
        let fields: Fields = ["action": "send", "text": "Ahoy"]
        let response = await pages.post(address, fields)
        #expect(refusals.contains(response.status), "\(address)")
      }
    }
    #expect(try await pages.data.fetchUnsyncedMessages().isEmpty)
  }

  @Test func `An id with a slash and other signs is an address`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation("a/b?c#d%25", group: "Crew")
    try await pages.receive("Ahoy", id: "m1", in: id)
    #expect(pages.address(id) == "/conversations/a%2Fb%3Fc%23d%2525")
    #expect(await pages.get(pages.address(id)).text.contains("Ahoy"))
  }

  @Test func `Reading a conversation makes its messages read`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation(group: "Crew")
    try await pages.receive("Ahoy", id: "m1", in: id)
    #expect(await pages.get("/").text.contains("1 new"))
    _ = await pages.get(pages.address(id))
    #expect(await !pages.get("/").text.contains("1 new"))
  }

  @Test func `With the script, the messages that were in view become read, and no others`()
    async throws
  {
    let pages = try await ChatPages()
    let id = try await pages.addConversation()
    for number in 1...3 {
      try await pages.receive("Ahoy", id: "m\(number)", in: id, at: Double(number))
    }
    func unreadCount() async throws -> Int? {
      try await pages.data.fetchConversations().first?.unreadCount
    }
    let page = await pages.get(pages.address(id), isScripted: true)
    #expect(try await unreadCount() == 3)
    #expect(page.text.contains(#"id="window-seen" data-seen="""#))
    let tab = try #require(page.text.firstMatch(of: /data-tab="([^"]+)"/)).1
    for number in 1...3 { #expect(try page.bubble("m\(number)").contains(#"data-unseen="""#)) }
    let fields: Fields = ["action": "seen", "row": "m1", "row": "m2", "row": "m9"]
    let seen = await pages.post(pages.address(id), fields, tab: String(tab))
    #expect(seen.status == .noContent)
    #expect(try await unreadCount() == 1)
    let next = await pages.get(pages.address(id), isScripted: true)
    #expect(try !next.bubble("m2").contains("data-unseen"))
    #expect(try next.bubble("m3").contains("data-unseen"))
  }

  @Test func `A posted form makes nothing read, also without the script`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation()
    try await pages.receive("Ahoy", id: "m1", in: id)
    for fields: Fields in [
      ["action": "send", "text": ""], ["action": "keep", "text": "Half"],
      ["action": "reply", "message": "m1"], ["action": "newest"],
    ] {
      _ = await pages.post(pages.address(id), fields)
      #expect(try await pages.data.fetchConversations().first?.unreadCount == 1)
    }
    _ = await pages.get(pages.address(id))
    #expect(try await pages.data.fetchConversations().first?.unreadCount == 0)
  }

  @Test func `A message that arrives appears without a reload, and is read when it is in view`()
    async throws
  {
    let pages = try await ChatPages()
    let id = try await pages.addConversation()
    let page = await pages.get(pages.address(id), isScripted: true)
    let tab = try #require(page.text.firstMatch(of: /data-tab="([^"]+)"/)).1
    try await pages.receive("Ahoy there", id: "m1", in: id)
    #expect(try await pages.change(of: page, with: "Ahoy there").contains("data-unseen"))
    #expect(try await pages.data.fetchConversations().first?.unreadCount == 1)
    let fields: Fields = ["action": "seen", "row": "m1"]
    let seen = await pages.post(pages.address(id), fields, tab: String(tab))
    #expect(seen.status == .noContent)
    #expect(try await pages.data.fetchConversations().first?.unreadCount == 0)
  }

  @Test func `A place that is remembered leads to its neighbours after its message was deleted`()
    async throws
  {
    let pages = try await ChatPages()
    let id = try await pages.addConversation()
    for number in 1...150 {
      try await pages.receive(
        "Ahoy \(number).", id: "m\(number)", in: id, at: Double(number), status: .read)
    }
    _ = await pages.post(pages.address(id), ["action": "delete", "message": "m70"])
    let page = await pages.get("\(pages.address(id))?near=m70&near=m71&near=m72")
    #expect(page.text.contains(#"data-open="message-m71""#) && page.text.contains("Ahoy 69."))
    #expect(!page.text.contains("The message was deleted, or is not"))
  }

  @Test func `A damaged message is left out and named`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation()
    for number in 1...2 {
      try await pages.receive("Ahoy \(number).", id: "m\(number)", in: id, at: Double(number))
    }
    try await pages.damage(message: "m1")
    let page = await pages.get(pages.address(id))
    #expect(!page.text.contains("Ahoy 1.") && page.text.contains("Ahoy 2."))
    #expect(page.text.contains(#"class="notice"#))
  }
}
