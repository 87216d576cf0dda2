import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

/// The library and the pages of its entries.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct LibraryPagesTests {
  private let pages: Pages
  private var repository: any LibraryRepository { pages.dependencies.libraryRepository }

  init() async throws { pages = try await Pages() }

  private func run(_ sql: SQL) async throws {
    _ = try await pages.dependencies.database.database.write { try sql.run($0) }
  }

  private func speak(_ language: Language) async {
    pages.dependencies.language.use(language)
    await pages.dependencies.language.settled()
  }

  /// Stores one entry of each part, and returns the paths of their pages.
  private func storedPages() async throws -> [(path: String, title: String)] {
    let (checklist, guide, deck) = (
      Checklist.sample("Night <watch>"), PracticeGuide.sample(), FlashcardDeck.sample()
    )
    let library = pages.dependencies.libraryStore
    try await library.save(checklist)
    try await library.save(guide)
    try await library.save(deck)
    return [
      (LibraryRoute.entry(EntityKind(Checklist.self), checklist.id).address, "Night &lt;watch&gt;"),
      (LibraryRoute.entry(EntityKind(PracticeGuide.self), guide.id).address, "Mooring"),
      (LibraryRoute.entry(EntityKind(FlashcardDeck.self), deck.id).address, "Lights"),
    ]
  }

  /// Returns the form that a page offers to undo a removal.
  private func undoForm(_ page: String, _ action: String = "undo-removal") throws -> Fields {
    let id = try #require(page.firstMatch(of: /name="removal" value="([^"]+)"/)).1
    let address = try #require(page.firstMatch(of: /name="page" value="([^"]+)"/)).1
    return ["removal": String(id), "action": action, "page": String(address)]
  }

  // MARK: - The library

  @Test func `The library has three parts with their entries`() async throws {
    let page = await pages.get("/library").text
    #expect(page.contains(#"<a href="/library" aria-current="page">Checklists"#))
    #expect(page.contains("Yacht check-in") && page.contains("37 items"))
    #expect(page.contains(#"href="/library/checklists/new""#))
    let guides = await pages.get("/library?part=guides").text
    #expect(guides.contains("No guides yet"))
    #expect(guides.contains(#"href="/library/guides/new""#))
    #expect(await pages.get("/library?part=decks").text.contains("No flashcards yet"))
    #expect(await pages.get("/library?part=nonsense").text.contains("Yacht check-in"))
    _ = try await storedPages()
    #expect(await pages.get("/library?part=guides").text.contains("Med, harbour"))
    #expect(await pages.get("/library?part=decks").text.contains("3 cards"))
  }

  @Test func `The library is in the language in use`() async throws {
    await speak(.russian)
    let page = await pages.get("/library").text
    for text in [
      "Библиотека", "Чек-листы", "Руководства", "Карточки", "Новый чек-лист", "37 пунктов",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(page.contains(#"<html lang="ru">"#))
    #expect(await pages.get("/library?part=guides").text.contains("Руководств пока нет"))
    #expect(await pages.get("/library?part=decks").text.contains("Карточек пока нет"))
  }

  @Test func `Unreadable entries are reported, and a failed part can be retried`() async throws {
    try await run("UPDATE checklists SET sections = '['")
    let page = await pages.get("/library").text
    #expect(page.contains("3 checklists cannot be read and are left out."))
    #expect(!page.contains("No checklists"))
    let id = try await pages.dependencies.database.database.read {
      try SQL("SELECT id FROM checklists").first($0, as: String.self)
    }
    let damaged = await pages.get("/library/checklists/\(try #require(id))")
    #expect(damaged.text.contains(#"role="alert""#))
  }

  // MARK: - Entries

  @Test func `Each entry has a page, a form and a copy, and can be restored after its deletion`()
    async throws
  {
    for (path, title) in try await storedPages() {
      let page = await pages.get(path)
      #expect(page.status == .ok)
      #expect(page.text.contains(title) && page.text.contains(#"href="\#(path)/edit""#))
      let copy = await pages.post(path, ["action": "copy"])
      #expect(copy.status == .seeOther)
      let copyPath = try #require(copy.headers["Location"])
      #expect(copyPath != path)
      #expect(await pages.get(copyPath).text.contains("\(title) copy"))
      let deleted = await pages.post(path, ["action": "delete"])
      #expect(deleted.status == .seeOther)
      let library = try #require(deleted.headers["Location"])
      #expect(await pages.get(path).status == .notFound)
      #expect(await pages.get(path + "/edit").status == .notFound)
      let list = await pages.get(library).text
      #expect(list.contains("“\(title)” was deleted.") && list.contains("\(title) copy"))
      let again = await pages.post(path, ["action": "delete"])
      #expect(again.headers["Location"] == library)
      let undo = try undoForm(list)
      for _ in 0..<2 {
        let undone = await pages.post("/undo", undo)
        #expect(undone.status == .seeOther && undone.headers["Location"] == library)
      }
      #expect(await pages.get(path).text.contains(title))
      #expect(!(await pages.get(library).text.contains("was deleted.")))
    }
  }

  @Test func `The title of a copy says so in the language in use`() async throws {
    await speak(.russian)
    for (path, title) in try await storedPages() {
      let copy = try #require(await pages.post(path, ["action": "copy"]).headers["Location"])
      #expect(await pages.get(copy).text.contains("\(title) копия"))
    }
  }

  @Test(arguments: [
    ("checklists", "checklists"), ("guides", "practiceGuides"), ("decks", "flashcardDecks"),
  ])
  func `An entry that could not be deleted still exists, and its page says so`(
    part: String, table: String
  ) async throws {
    let path = try #require(try await storedPages().first { $0.path.contains(part) }?.path)
    try await run(
      "CREATE TRIGGER refuse BEFORE DELETE ON \(identifier: table) BEGIN SELECT raise(ABORT, 'x'); END"
    )
    let response = await pages.post(path, ["action": "delete"])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Your change could not be saved."))
    #expect(await pages.get(path).status == .ok)
  }

  @Test func `The offer to undo is dismissed permanently`() async throws {
    let path = try await storedPages()[1].path
    _ = await pages.post(path, ["action": "delete"])
    let library = "/library?part=guides"
    let form = try undoForm(await pages.get(library).text, "dismiss-removal")
    #expect(await pages.post("/undo", form).headers["Location"] == library)
    #expect(!(await pages.get(library).text.contains("was deleted.")))
    #expect(await pages.get(path).status == .notFound)
  }

  @Test func `A checklist shows its sections with notes and critical items`() async throws {
    var checklist = Checklist.sample()
    checklist.sections[0].items[1].note = "Look & listen"
    checklist.sections[0].isExpandedByDefault = false
    checklist.sections.append(ChecklistSection(id: UUID(), title: "Empty"))
    try await repository.saveChecklist(checklist)
    let page = await pages.get(LibraryRoute.entry(EntityKind(Checklist.self), checklist.id).address)
      .text
    #expect(page.contains("Section, 3 items") && page.contains("Look &amp; listen"))
    #expect(page.matches(of: /badge bad">Critical/).count == 1)
    #expect(page.matches(of: /<details id="section-[^>]* open/).count == 1)
  }

  @Test(arguments: [
    "/library/checklists/nonsense", "/library/guides/nonsense", "/library/decks/nonsense/study",
    "/library/checklists/00000000-0000-0000-0000-000000000000",
    "/library/guides/00000000-0000-0000-0000-000000000000/edit",
    "/library/decks/00000000-0000-0000-0000-000000000000/study", "/library/elsewhere",
  ])
  func `An unknown or malformed address is 404`(path: String) async {
    #expect(await pages.get(path).status == .notFound)
  }
}
