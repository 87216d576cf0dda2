import Foundation
import MessAI
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import TestSupport
import Testing

@testable import MessAIWeb

/// The pages on which a conversation is created, renamed and removed.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GroupPageTests {
  private let new = MessAIRoute.newConversation.address
  private let long = String(repeating: "я", count: Conversation.nameLimit + 1)

  private func entry(_ page: Response) throws -> String {
    String(try #require(page.text.firstMatch(of: /name="entry" value="([^"]+)"/)).1)
  }

  // MARK: - Creating

  @Test func `A conversation or a group is created, once for a form that is sent twice`()
    async throws
  {
    let pages = try await ChatPages()
    for name in ["", " Crew "] {
      let id = try entry(await pages.get(new))
      for _ in 1...2 {
        let response = await pages.post(new, ["action": "create", "entry": id, "name": name])
        #expect(response.status == .seeOther)
        #expect(response.headers["Location"] == pages.address(id))
      }
      #expect(await pages.get(pages.address(id)).status == .ok)
    }
    let made = try await pages.data.fetchConversations()
    #expect(Set(made.map(\.groupName)) == [nil, "Crew"] && made.count == 2)
  }

  @Test(arguments: [
    (Language.english, "may have at most 80 characters"), (.russian, "максимум 80 символов"),
  ])
  func `A name that is too long has a sentence beside its field, and stays typed`(
    language: Language, sentence: String
  ) async throws {
    let pages = try await ChatPages(language: language)
    let response = await pages.post(
      new, ["action": "create", "entry": UUID().uuidString, "name": long])
    #expect(response.status == .unprocessableContent)
    #expect(try response.element("field-name-error", "p").contains(sentence))
    #expect(response.text.contains(#"value="\#(long)""#))
    #expect(try await pages.data.fetchConversations().isEmpty)
  }

  @Test(arguments: [(Language.english, "Enter a name."), (.russian, "Введите название.")])
  func `Several people need a name of their group`(language: Language, sentence: String)
    async throws
  {
    let pages = try await ChatPages(language: language)
    let fields: Fields = [
      "action": "create", "entry": UUID().uuidString, "name": " ", "member-\(UUID())": "on",
      "member-\(UUID())": "on", "member-nobody": "on",
    ]
    let response = await pages.post(new, fields)
    #expect(response.status == .unprocessableContent)
    #expect(try response.element("field-name-error", "p").contains(sentence))
    #expect(try await pages.data.fetchConversations().isEmpty)
  }

  @Test func `A form without an id of the conversation is refused`() async throws {
    let pages = try await ChatPages()
    for fields: Fields in [
      ["action": "create", "name": "Crew"], ["action": "create", "entry": "x", "name": "Crew"],
      ["name": "Crew"],
    ] {
      #expect(await pages.post(new, fields).status == .badRequest)
    }
    #expect(try await pages.data.fetchConversations().isEmpty)
  }

  // MARK: - Renaming and removing

  @Test func `A group is renamed`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation(group: "Crew")
    let edit = "\(pages.address(id))/edit"
    #expect(await pages.get(pages.address(id)).text.contains(#"href="\#(edit)""#))
    let page = await pages.get(edit)
    #expect(page.text.contains(#"value="Crew""#))
    let response = await pages.post(edit, ["action": "rename", "name": "Watch"])
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == pages.address(id))
    #expect(await pages.get("/").text.contains("Watch"))
  }

  @Test(arguments: [
    (Language.english, false, "Enter a name."), (.russian, false, "Введите название."),
    (.english, true, "may have at most 80 characters"), (.russian, true, "максимум 80 символов"),
  ])
  func `A new name that is not allowed has a sentence beside its field, and stays typed`(
    language: Language, isLong: Bool, sentence: String
  ) async throws {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation(group: "Crew")
    let name = isLong ? long : " "
    let response = await pages.post(
      "\(pages.address(id))/edit", ["action": "rename", "name": name])
    #expect(response.status == .unprocessableContent)
    #expect(try response.element("field-name-error", "p").contains(sentence))
    #expect(response.text.contains(#"value="\#(name)""#))
    #expect(try await pages.data.fetchConversations().first?.groupName == "Crew")
  }

  @Test func `A conversation of two has no name, and each has its members`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation()
    let page = await pages.get("\(pages.address(id))/edit")
    #expect(page.status == .ok && !page.text.contains("rename-form"))
    let members = SharedKind.conversation.membersAddress(ofScope: id)
    #expect(page.text.contains(#"href="\#(members)""#))
    #expect(await pages.get(members).status == .ok)
    #expect(await pages.get("/").text.contains(#"href="\#(SharedKind.conversation.joinAddress)""#))
  }

  @Test(arguments: [
    "c1", "new", "edit", ".", "..", "~new", "a?b#c%25", "%2e", "\"<'&>;:@\\", "0b1c-lowercase",
    String(repeating: "?", count: 200),
  ])
  func `A conversation with any id has all pages`(id: String) async throws {
    let pages = try await ChatPages()
    try await pages.addConversation(id, group: "Crew")
    try await pages.receive("Ahoy", id: "m1", in: id)
    let list = await pages.get("/")
    #expect(list.text.contains(#"href="\#(pages.address(id))""#))
    #expect(await pages.get(pages.address(id)).text.contains("Ahoy"))
    #expect(await pages.get("/?q=ahoy").text.contains(#"href="\#(pages.address(id))?at=m1"#))
    let edit = MessAIRoute.editConversation(id).address
    #expect(await pages.get(pages.address(id)).text.contains(#"href="\#(edit)""#))
    let members = SharedKind.conversation.membersAddress(ofScope: id)
    #expect(await pages.get(edit).text.contains(#"href="\#(members)""#))
    let page = await pages.get(members)
    #expect(page.status == .ok && page.text.contains("Crew"))
    #expect(page.text.contains(#"href="\#(pages.address(id))""#))
    let sent = await pages.post(pages.address(id), ["action": "send", "text": "Land"])
    #expect(sent.headers["Location"] == pages.address(id))
    let renamed = await pages.post(edit, ["action": "rename", "name": "Watch"])
    #expect(renamed.headers["Location"] == pages.address(id))
    #expect(await pages.post(edit, ["action": "remove"]).headers["Location"] == "/")
    #expect(try await pages.data.fetchConversations().isEmpty)
  }

  @Test func `A conversation with a slash in its id has no page of members, which it cannot have`()
    async throws
  {
    let pages = try await ChatPages()
    let id = try await pages.addConversation("a/b/edit", group: "Crew")
    let edit = MessAIRoute.editConversation(id).address
    let page = await pages.get(edit)
    #expect(page.text.contains(#"value="Crew""#) && !page.text.contains("people-with-access"))
    let members = SharedKind.conversation.membersAddress(ofScope: id)
    #expect(await pages.get(members).status == .notFound)
    #expect(await pages.post(edit, ["action": "remove"]).headers["Location"] == "/")
  }

  @Test func `A conversation is removed with its messages`() async throws {
    let pages = try await ChatPages()
    let id = try await pages.addConversation(group: "Crew")
    try await pages.receive("Ahoy", id: "m1", in: id)
    let edit = "\(pages.address(id))/edit"
    #expect(await pages.get(edit).text.contains("Remove from my devices"))
    let response = await pages.post(edit, ["action": "remove"])
    #expect(response.status == .seeOther && response.headers["Location"] == "/")
    #expect(await !pages.get("/").text.contains("Crew"))
    #expect(await !pages.get("/?q=ahoy").text.contains("hit-m1"))
    #expect(await pages.get(pages.address(id)).status == .notFound)
    #expect(await pages.get(edit).status == .notFound)
  }
}
