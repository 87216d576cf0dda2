import Anyfleet
import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import Testing

/// Pages with damaged data say so in the language in use, and offer the possible actions.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct DamagedPagesTests {
  private let pages: Pages

  init() async throws { pages = try await Pages() }

  private func run(_ sql: SQL) async throws {
    _ = try await pages.dependencies.database.database.write { try sql.run($0) }
  }

  private func texts(of path: String) async -> [String] {
    var texts: [String] = []
    for language in [Language.english, .russian] {
      pages.dependencies.language.use(language)
      texts.append(await pages.get(path).text)
    }
    return texts
  }

  /// Expects sentences on a page, in both languages.
  private func expect(
    _ path: String, _ english: String, _ russian: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let texts = await texts(of: path)
    #expect(texts[0].contains(english), sourceLocation: sourceLocation)
    #expect(texts[1].contains(russian), sourceLocation: sourceLocation)
    for text in texts { #expect(!text.contains("data is damaged"), sourceLocation: sourceLocation) }
  }

  // MARK: - Lists

  @Test func `The list of charters shows how many it leaves out, and the place of each`()
    async throws
  {
    let first = try await pages.createCharter()
    _ = await pages.post("/charters/new", pages.changed("entry", UUID().uuidString))
    try await run("UPDATE charters SET crew = '['")
    await expect(
      "/charters", "<p>2 charters cannot be read and are left out.</p>",
      "<p>2 чартера не читаются и не показаны.</p>")
    let id = try #require(first.split(separator: "/").last)
    for text in await texts(of: "/charters") {
      #expect(text.contains(#"<a href="\#(first)"><code>charters.crew, \#(id)</code></a>"#))
    }
    let home = await pages.get("/").text
    #expect(home.contains("<p>2 чартера не читаются и не показаны.</p>"))
    #expect(!home.contains("Ничего не запланировано."))
  }

  @Test func `Each part of the library shows how many entries it leaves out`() async throws {
    let library = pages.dependencies.libraryRepository
    for _ in 0..<5 {
      try await library.saveGuide(.sample())
      try await library.saveDeck(.sample())
    }
    for table in ["checklists", "practiceGuides", "flashcardDecks"] {
      try await run("UPDATE \(identifier: table) SET createdAt = 'never'")
    }
    await expect(
      "/library", "<p>3 checklists cannot be read and are left out.</p>",
      "<p>3 чек-листа не читаются и не показываются.</p>")
    await expect(
      "/library?part=guides", "<p>5 guides cannot be read and are left out.</p>",
      "<p>5 руководств не читаются и не показываются.</p>")
    await expect(
      "/library?part=decks", "<p>5 decks cannot be read and are left out.</p>",
      "<p>5 колод не читаются и не показываются.</p>")
  }

  @Test func `The form of a charter shows which checklists it cannot offer`() async throws {
    let title = "Departure"
    try await run("UPDATE checklists SET sections = '[' WHERE title = \(title)")
    await expect(
      "/charters/new", "<p>1 checklist cannot be read and is left out.</p>",
      "<p>1 чек-лист не читается и не показывается.</p>")
    #expect(await !pages.get("/charters/new").text.contains(title))
  }

  @Test func `The page of a charter shows which checklists and progress it leaves out`()
    async throws
  {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    for item in pages.itemIDs(await pages.get(checklist).text).prefix(2) {
      _ = await pages.post(checklist, .tick(item))
      _ = await pages.post(checklist, .note(item, "Torn"))
    }
    try await run("UPDATE checklistItemNotes SET lastUpdated = 'never'")
    try await run("UPDATE charterChecklists SET sections = '[' WHERE title = 'Yacht check-in'")
    await expect(
      charter, "<p>2 records of progress cannot be read and are left out.</p>",
      "<p>2 записи об отметках не читаются и не показаны.</p>")
    await expect(
      charter, "<p>1 checklist of this charter cannot be read and is left out.</p>",
      "<p>1 чек-лист этого чартера не читается и не показан.</p>")
  }

  @Test func `A deck shows for how many cards the progress is left out`() async throws {
    let deck = FlashcardDeck.sample(cards: 1)
    let library = pages.dependencies.libraryRepository
    try await library.saveDeck(deck)
    _ = try await library.recordAnswer(.known, cardID: deck.cards[0].id, deckID: deck.id)
    try await run("UPDATE flashcardProgress SET dueAt = 'never'")
    for page in ["", "/study"] {
      await expect(
        "/library/decks/\(deck.id.uuidString)\(page)",
        "<p>The progress of 1 card cannot be read and is left out.</p>",
        "<p>Успехи по 1 карточке не читаются и не учтены.</p>")
    }
  }

  // MARK: - Single entries

  @Test
  func `The page of an unreadable charter says so, and the charter can be deleted and restored`()
    async throws
  {
    let charter = try await pages.createCharter()
    try await run("UPDATE charters SET crew = '['")
    try await run("UPDATE charterChecklists SET sections = '['")
    for page in ["", "/edit", "/report"] {
      await expect(charter + page, "This entry cannot be read.", "Эту запись не удаётся прочитать.")
    }
    await expect(
      charter, "It can be deleted. All other data is unaffected.",
      "Её можно удалить. Остальные данные не затронуты.")
    pages.dependencies.language.use(.english)
    let page = await pages.get(charter).text
    #expect(
      page.contains("<code>charters.crew, ") && page.contains(#"aria-label="Delete Charter""#))
    #expect(!page.contains(">Try again") && !page.contains(#"id="add-checklists""#))
    #expect(!page.contains("left out"))
    #expect(await pages.post(charter, ["action": "delete"]).headers["Location"] == "/charters")
    let list = await pages.get("/charters").text
    #expect(!list.contains("left out") && list.contains("The charter was deleted."))
    _ = await pages.post("/undo", try pages.undo(list))
    try await run("UPDATE charters SET crew = '[]'")
    #expect(await pages.get(charter).text.contains("Kornati week"))
  }

  @Test func `The page of an unreadable library entry says so, and the entry can be deleted`()
    async throws
  {
    let library = pages.dependencies.libraryRepository
    let (checklist, guide, deck) = (
      Checklist.sample(), PracticeGuide.sample(), FlashcardDeck.sample()
    )
    try await library.saveChecklist(checklist)
    try await library.saveGuide(guide)
    try await library.saveDeck(deck)
    let entries = [
      ("checklists", "checklists", checklist.id), ("practiceGuides", "guides", guide.id),
      ("flashcardDecks", "decks", deck.id),
    ]
    for (table, part, id) in entries {
      try await run("UPDATE \(identifier: table) SET createdAt = 'never' WHERE id = \(id)")
      let path = "/library/\(part)/\(id.uuidString)"
      for page in ["", "/edit"] {
        await expect(path + page, "This entry cannot be read.", "Эту запись не удаётся прочитать.")
      }
      let page = await pages.get(path).text
      #expect(page.contains(#"value="delete""#) && !page.contains(#"value="copy""#))
      #expect(page.contains("<code>\(table).createdAt, \(id.uuidString)</code>"))
      #expect(await pages.post(path, ["action": "delete"]).status == .seeOther)
      #expect(await pages.get(path).status == .notFound)
    }
  }

  @Test func `Unreadable progress can be reset on the page of the charter`() async throws {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    let item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
    _ = await pages.post(checklist, .tick(item))
    try await run("UPDATE checklistExecutionStates SET itemStates = '{'")
    await expect(
      checklist, "Reset the checklist on its charter’s page to begin anew.",
      "Чтобы начать заново, сбросьте чек-лист на странице чартера.")
    #expect(await pages.get(charter).text.contains(#"name="action" value="reset""#))
    let id = try #require(checklist.split(separator: "/").last.map(String.init))
    _ = await pages.post(charter, ["action": "reset", "checklist": id])
    #expect(await pages.get(checklist).text.contains(item))
  }
}
