import Foundation
import MessAI
import OffshoreHTTP
import OffshorePresentation
import TestSupport
import Testing

@testable import MessAIWeb
@testable import OffshoreHost

/// The list of conversations, the search, and the badge on the device's first page.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ConversationsPageTests {
  @Test(arguments: [
    (Language.english, "No conversations yet"), (.russian, "Бесед пока нет"),
  ])
  func `Without conversations the page says how to start one`(language: Language, title: String)
    async throws
  {
    let pages = try await ChatPages(language: language)
    let page = await pages.get("/")
    #expect(page.status == .ok && page.text.contains(title))
    #expect(page.text.contains(#"href="/new""#))
  }

  @Test func `The conversation with the last message comes first, with its unread messages`()
    async throws
  {
    let pages = try await ChatPages()
    let first = try await pages.addConversation(group: "Crew")
    let second = try await pages.addConversation(group: "Watch")
    try await pages.receive("Ahoy", id: "m1", in: first, at: 1)
    try await pages.receive("Land", id: "m2", in: first, at: 2)
    try await pages.receive("Aye", id: "m3", in: second, at: 3, status: .read)
    let page = await pages.get("/")
    let row = try page.element("conversation-\(first)", "a")
    #expect(row.contains("Crew") && row.contains("Land") && row.contains("2 new"))
    #expect(row.contains("15 Jan 2027"))
    let other = try page.element("conversation-\(second)", "a")
    #expect(other.contains("Watch") && other.contains("Aye") && !other.contains("new"))
    let ids = page.text.matches(of: /id="conversation-([^"]+)"/).map { String($0.1) }
    #expect(ids.filter { $0 != "list" } == [second, first])
    #expect(page.text.contains(#"href="\#(pages.address(first))""#))
  }

  @Test func `A conversation that ends with a photo says so`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation()
    #expect(try await pages.get("/").element("conversation-\(id)", "a").contains("No messages yet"))
    try await pages.data.saveMessage(
      Message(
        id: "m1", conversationId: id, senderId: "ben", text: "",
        imageURL: "blob:" + String(repeating: "a", count: 64), sentAt: .at(1), status: .sent))
    #expect(try await pages.get("/").element("conversation-\(id)", "a").contains("Photo"))
  }

  @Test func `Long lists have further pages`() async throws {
    let pages = try await ChatPages()
    for number in 1...45 {
      let id = try await pages.addConversation("c\(number)", group: "Group \(number)")
      try await pages.receive("Ahoy", id: "m\(number)", in: id, at: Double(number))
    }
    let first = await pages.get("/")
    #expect(first.text.contains("Group 26<") && !first.text.contains("Group 25<"))
    #expect(first.text.contains(#"href="/?pages=2""#))
    let last = await pages.get("/?pages=3")
    #expect(last.text.contains("Group 1<") && !last.text.contains(#"id="more""#))
    for pagesField in ["0", "-1", "x", "9999999999"] {
      #expect(await pages.get("/?pages=\(pagesField)").status == .ok)
    }
  }

  // MARK: - Search

  @Test func `A search shows the words that it has found, and leads to the message`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation(group: "Crew")
    try await pages.receive("We anchor at Vis tonight", id: "m1", in: id, at: 1)
    try await pages.receive("Nothing here", id: "m2", in: id, at: 2)
    let page = await pages.get("/?q=ANCH+vis")
    let hit = try page.element("hit-m1", "a")
    #expect(hit.contains("<strong>anchor</strong>") && hit.contains("<strong>Vis</strong>"))
    #expect(hit.contains("Crew") && !page.text.contains("hit-m2"))
    #expect(page.text.contains(#"value="ANCH vis""#))
    let address = "\(pages.address(id))?at=m1#message-m1"
    #expect(page.text.contains(#"href="\#(address)""#))
    let found = await pages.get("\(pages.address(id))?at=m1")
    #expect(try found.bubble("m1").contains("aria-current"))
    #expect(try !found.bubble("m2").contains("aria-current"))
  }

  @Test(arguments: [
    (Language.english, "No message has all of these words."),
    (.russian, "Ни в одном сообщении нет всех этих слов."),
  ])
  func `A search without a hit says so`(language: Language, sentence: String) async throws {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation()
    try await pages.receive("Ahoy", id: "m1", in: id)
    for text in ["land", "%22ahoy+AND", "ahoy%27%3B--+x"] {
      let page = await pages.get("/?q=\(text)")
      #expect(page.status == .ok && page.text.contains(sentence), "\(text)")
    }
  }

  @Test func `Hostile names, texts and searches stay text`() async throws {
    let pages = try await ChatPages()
    let hostile = #"<script>alert("x")</script>&'"#
    let id = try await pages.addConversation(group: hostile)
    try await pages.receive(hostile, id: "<b>\"'&", in: id)
    let addresses = [
      "/", "/?q=script", "/?q=%3Cscript%3Ealert", pages.address(id), "\(pages.address(id))/edit",
    ]
    for address in addresses {
      let page = await pages.get(address)
      #expect(page.status == .ok && page.text.contains("&lt;script"), "\(address)")
      #expect(!page.text.contains("<script>alert") && !page.text.contains("<b>\""), "\(address)")
    }
  }

  @Test func `A damaged conversation is left out and named`() async throws {
    let pages = try await ChatPages()
    try await pages.addConversation(group: "Crew")
    let damaged = try await pages.addConversation(group: "Watch")
    try await pages.damage(conversation: damaged)
    let page = await pages.get("/")
    #expect(page.text.contains("Crew") && !page.text.contains("Watch"))
    #expect(page.text.contains(#"class="notice"#))
  }

  // MARK: - The device's first page

  @Test func `The device's first page shows the number of unread messages`() async throws {
    let pages = try await ChatPages()
    #expect(pages.app.badge() == nil)
    let id = try await pages.addConversation()
    for number in 1...2 {
      try await pages.receive("Ahoy", id: "m\(number)", in: id, at: Double(number))
    }
    await waitUntil { pages.app.badge()?.text == "2" }
    #expect(pages.app.badge()?.label.in(.english) == "2 new")
    #expect(pages.app.badge()?.label.in(.russian) == "2 новых")
    _ = await pages.get(pages.address(id))
    await waitUntil { pages.app.badge() == nil }
  }
}
