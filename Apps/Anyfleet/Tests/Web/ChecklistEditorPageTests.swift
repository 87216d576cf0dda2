import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

/// Writing checklists, without the script unless stated.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistEditorPageTests {
  private let pages: Pages
  private var repository: any LibraryRepository { pages.dependencies.libraryRepository }
  private let new = "/library/checklists/new"

  init() async throws { pages = try await Pages() }

  /// Presses a button of a page, and gives the page that comes.
  private func press(_ action: String, on page: String, at path: String) async throws -> String {
    #expect(page.contains(#"name="action" value="\#(action)""#), "\(action)")
    let response = await pages.post(path, try pages.sent(by: page, action: action))
    #expect(response.status == .ok)
    return response.text
  }

  private func ids(_ kind: String, _ page: String) -> [String] {
    page.matches(of: /name="(section|item)" value="([^"]+)"/)
      .filter { $0.1 == kind }.map { String($0.2) }
  }

  @Test func `A section is removed at its head, by its name, in two steps`() async throws {
    let checklist = Checklist.sample()
    try await repository.saveChecklist(checklist)
    let page = await pages.get(Address.editEntry(checklist.id, in: .checklists)).text
    let section = try #require(checklist.sections.first)
    let (title, id) = (section.title, section.id)
    let confirmation = try #require(
      page.firstMatch(of: /(?s)<details id="remove-[^>]*>.*?<\/details>/).map { String($0.0) })
    #expect(confirmation.hasPrefix(#"<details id="remove-\#(id)" class="remove"><summary"#))
    #expect(confirmation.contains(#"aria-label="Remove Section: \#(title)">Remove Section<"#))
    #expect(confirmation.contains("Its items are removed with it."))
    #expect(confirmation.contains(#"value="remove-section-\#(id)">Remove “\#(title)”</button>"#))
    // Below the last item there is nothing that removes the section.
    let place = try #require(page.firstRange(of: "remove-section-"))
    let item = try #require(page.firstRange(of: #"name="item""#))
    #expect(place.lowerBound < item.lowerBound)
    #expect(page.matches(of: /remove-section-/).count == 1)
  }

  @Test(arguments: [
    (Language.english, "Edit “Departure &lt;1&gt;”"), (.russian, "Изменить «Departure &lt;1&gt;»"),
  ])
  func `A form is headed by what it changes`(language: Language, heading: String) async throws {
    pages.dependencies.language.use(language)
    let (guide, deck) = (
      PracticeGuide.sample("Departure <1>"), FlashcardDeck.sample("Departure <1>", cards: 1)
    )
    let checklist = Checklist.sample("Departure <1>")
    try await repository.saveChecklist(checklist)
    try await repository.saveGuide(guide)
    try await repository.saveDeck(deck)
    let charter = try #require(
      await pages.post("/charters/new", pages.changed("name", "Departure <1>")).headers["Location"])
    for path in [
      Address.editEntry(checklist.id, in: .checklists), Address.editEntry(guide.id, in: .guides),
      Address.editEntry(deck.id, in: .decks), charter + "/edit",
    ] {
      #expect(await pages.get(path).text.contains(">\(heading)</h1>"), "\(path)")
    }
  }

  @Test func `A new checklist is written by pressing buttons alone`() async throws {
    var page = await pages.get(new).text
    #expect(ids("section", page).count == 1 && ids("item", page).count == 1)
    var sent = try pages.sent(by: page, action: "add-section")
    sent.set("title", "Night watch")
    sent.set("section-title", "Before")
    sent.set("item-title", "Lights\r\n<on>")
    sent.set("item-note", "Red\r\nand white")
    page = await pages.post(new, sent).text
    #expect(page.contains(#"value="Night watch""#) && page.contains("Lights &lt;on&gt;"))
    #expect(try await repository.fetchUserChecklists().count == 3)
    let sections = ids("section", page)
    #expect(sections.count == 2)
    page = try await press("add-item-\(sections[0])", on: page, at: new)
    let items = ids("item", page)
    #expect(items.count == 3)
    page = try await press("remove-item-\(items[2])", on: page, at: new)
    page = try await press("move-up-item-\(items[1])", on: page, at: new)
    #expect(ids("item", page) == [items[1], items[0]])
    page = try await press("move-down-item-\(items[1])", on: page, at: new)
    page = try await press("move-down-section-\(sections[0])", on: page, at: new)
    #expect(ids("section", page) == [sections[1], sections[0]])
    page = try await press("remove-section-\(sections[1])", on: page, at: new)
    sent = try pages.sent(by: page, action: "save")
    sent.setLast("item-title", "Harness")
    sent.insert(("item-critical", "on"), afterLast: "item-note")
    let saved = await pages.post(new, sent)
    #expect(saved.status == .seeOther)
    let path = try #require(saved.headers["Location"])
    let id = try #require(UUID(uuidString: String(path.suffix(36))))
    let checklist = try #require(try await repository.fetchChecklist(id))
    #expect(checklist.title == "Night watch")
    #expect(checklist.sections.map(\.title) == ["Before"])
    #expect(checklist.sections[0].isExpandedByDefault)
    #expect(checklist.items.map(\.title) == ["Lights <on>", "Harness"])
    #expect(checklist.items[0].note == "Red\nand white")
    #expect(checklist.items.map(\.isCritical) == [false, true])
    #expect(checklist.items.map(\.id.uuidString) == Array(items[..<2]))
    #expect(checklist.creatorID == pages.dependencies.session.userID)
    #expect(await pages.post(new, sent).headers["Location"] == path)
    #expect(try await repository.fetchUserChecklists().count == 4)
  }

  @Test func `An edit keeps ids, so that progress stays`() async throws {
    let checklist = Checklist.sample()
    try await repository.saveChecklist(checklist)
    let path = Address.editEntry(checklist.id, in: .checklists)
    let page = await pages.get(path).text
    var sent = try pages.sent(by: page, action: "save")
    sent.set("title", "Renamed")
    let saved = await pages.post(path, sent)
    #expect(saved.headers["Location"] == Address.entry(checklist.id, in: .checklists))
    let stored = try #require(try await repository.fetchChecklist(checklist.id))
    #expect(stored.title == "Renamed")
    #expect(stored.sections == checklist.sections)
    #expect(stored.creatorID == checklist.creatorID)
  }

  @Test(arguments: Language.allCases)
  func `What is wrong stands beside its field, and what was typed stays`(language: Language)
    async throws
  {
    pages.dependencies.language.use(language)
    let page = await pages.get(new).text
    var sent = try pages.sent(by: page, action: "save")
    sent.set("description", "Typed & kept")
    let response = await pages.post(new, sent)
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Typed &amp; kept"))
    #expect(response.text.contains("field-title-error"))
    #expect(response.text.matches(of: /id="title-[^"]+-error"/).count == 2)
    #expect(response.text.contains("autofocus"))
    let sentence = language == .russian ? "Введите название раздела." : "Enter what the section is"
    #expect(response.text.contains(sentence))
    #expect(ids("item", response.text) == ids("item", page))
    #expect(try await repository.fetchUserChecklists().count == 3)
  }

  @Test func `In an open page a button changes the form, and saving leads on`() async throws {
    let page = await pages.get(new).text
    let tab = try pages.tabID(page)
    let response = await pages.post(new, try pages.sent(by: page, action: "add-section"), tab: tab)
    #expect(response.status == .noContent)
    #expect(response.headers["Offshore-Location"] == nil)
    var sent = try pages.sent(by: page, action: "save")
    for name in ["title", "section-title", "item-title"] { sent.set(name, "x") }
    let saved = await pages.post(new, sent, tab: tab)
    #expect(saved.headers["Offshore-Location"]?.hasPrefix("/library/checklists/") == true)
  }

  @Test func `Enter saves, whichever button comes first`() async throws {
    let page = await pages.get(new).text
    let first = try #require(page.firstMatch(of: /id="checklist-editor"[^>]*><button([^>]*)>/)).1
    #expect(first.contains(#"value="save""#) && first.contains(#"tabindex="-1""#))
  }

  @Test func `The longest checklist fits into a form`() async throws {
    var checklist = Checklist.sample()
    checklist.sections = (0..<Checklist.maximumSectionCount).map { section in
      ChecklistSection(
        id: UUID(), title: "\(section)",
        items: (0..<(Checklist.maximumItemCount / Checklist.maximumSectionCount)).map { item in
          ChecklistItem(
            id: UUID(), title: "\(item)", note: String(repeating: "я", count: 500),
            isCritical: true)
        })
    }
    try await repository.saveChecklist(checklist)
    let path = Address.editEntry(checklist.id, in: .checklists)
    let page = await pages.get(path).text
    var sent = try pages.sent(by: page, action: "save")
    sent.set("title", "Long")
    #expect(await pages.post(path, sent).status == .seeOther)
    let stored = try #require(try await repository.fetchChecklist(checklist.id))
    #expect(stored.sections == checklist.sections)
    #expect(stored.title == "Long")
  }

  @Test func `A form that no page has is refused and stores nothing`() async throws {
    let page = await pages.get(new).text
    let good = try pages.sent(by: page, action: "save")
    let (section, item) = (ids("section", page)[0], ids("item", page)[0])
    let bad: [(String, String)] = [
      ("action", "explode"), ("action", "remove-item-nonsense"), ("draft", "nonsense"),
      ("section", "nonsense"), ("item", section),
    ]
    for (name, value) in bad {
      var sent = good
      sent.set(name, value)
      #expect(await pages.post(new, sent).status == .badRequest, "\(name)")
    }
    let orphan: Fields = ["draft": section, "version": "", "item": item, "action": "save"]
    #expect(await pages.post(new, orphan).status == .badRequest)
    #expect(await pages.post(new, ["draft": section]).status == .badRequest)
    #expect(try await repository.fetchUserChecklists().count == 3)
  }
}
