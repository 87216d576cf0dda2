import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

/// Two browsers that have one entry's editor open. What one of them stored, the other never overwrites
/// unasked, and what the other typed is never lost.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct TwoEditorsPageTests {
  private let pages: Pages
  private var repository: any LibraryRepository { pages.dependencies.libraryRepository }

  init() async throws { pages = try await Pages() }

  /// Stores an entry.
  private func store(_ part: LibraryPart) async throws -> UUID {
    switch part {
    case .checklists:
      let checklist = Checklist.sample("Before")
      try await repository.saveChecklist(checklist)
      return checklist.id
    case .guides:
      let guide = PracticeGuide.sample("Before")
      try await repository.saveGuide(guide)
      return guide.id
    case .decks:
      let deck = FlashcardDeck.sample("Before")
      try await repository.saveDeck(deck)
      return deck.id
    }
  }

  /// What is stored of an entry; `nil` where it is not there.
  private func stored(_ part: LibraryPart, _ id: UUID) async throws -> (
    title: String, updatedAt: Date
  )? {
    switch part {
    case .checklists:
      try await repository.fetchChecklist(id).map { ($0.title, $0.updatedAt) }
    case .guides: try await repository.fetchGuide(id).map { ($0.title, $0.updatedAt) }
    case .decks: try await repository.fetchDeck(id).map { ($0.title, $0.updatedAt) }
    }
  }

  private func title(_ part: LibraryPart, _ id: UUID) async throws -> String? {
    try await stored(part, id)?.title
  }

  /// What a browser sends of a page's form under another title.
  private func sent(by page: String, titled title: String, action: String = "save") throws
    -> Fields
  {
    var fields = try pages.sent(by: page, action: action)
    fields.set("title", title)
    return fields
  }

  private let wasChanged = "This was changed elsewhere meanwhile."
  private let wasDeleted = "This was deleted meanwhile."

  // MARK: - Without the script

  @Test(arguments: LibraryPart.allCases)
  func `The second to save is told, keeps what was typed, and replaces it by saving again`(
    part: LibraryPart
  ) async throws {
    let id = try await store(part)
    let path = Address.editEntry(id, in: part)
    let (first, second) = (await pages.get(path).text, await pages.get(path).text)
    #expect(await pages.post(path, try sent(by: first, titled: "A's")).status == .seeOther)
    let refused = await pages.post(path, try sent(by: second, titled: "B's"))
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains(wasChanged))
    let link = #"href="\#(Address.entry(id, in: part))" target="_blank""#
    #expect(refused.text.contains(link))
    #expect(try await title(part, id) == "A's")
    let again = try pages.sent(by: refused.text)
    #expect(again["title"] == "B's")
    #expect(await pages.post(path, again).status == .seeOther)
    #expect(try await title(part, id) == "B's")
  }

  @Test(arguments: LibraryPart.allCases)
  func `What was deleted meanwhile is not lost to who writes it, and is stored anew when asked`(
    part: LibraryPart
  ) async throws {
    let id = try await store(part)
    let path = Address.editEntry(id, in: part)
    let page = await pages.get(path).text
    _ = await pages.post(Address.deleteEntry(id, in: part), [:])
    let refused = await pages.post(path, try sent(by: page, titled: "B's"))
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains(wasDeleted) && !refused.text.contains("_blank"))
    #expect(try await title(part, id) == nil)
    let again = try pages.sent(by: refused.text)
    #expect(again["title"] == "B's" && again["version"] == "")
    #expect(await pages.post(path, again).status == .seeOther)
    #expect(try await title(part, id) == "B's")
  }

  @Test(arguments: [
    (LibraryPart.checklists, "add-section"), (.decks, "add-card"), (.checklists, "keep"),
    (.guides, "keep"), (.decks, "keep"),
  ])
  func `A page that comes back with a draft keeps what that began with`(
    part: LibraryPart, action: String
  ) async throws {
    let id = try await store(part)
    let path = Address.editEntry(id, in: part)
    let (first, second) = (await pages.get(path).text, await pages.get(path).text)
    #expect(await pages.post(path, try sent(by: first, titled: "A's")).status == .seeOther)
    let drafted = await pages.post(path, try sent(by: second, titled: "B's", action: action))
    #expect(drafted.status == .ok)
    #expect(try pages.sent(by: drafted.text)["version"] == pages.sent(by: second)["version"])
    _ = await pages.post(Address.deleteEntry(id, in: part), [:])
    let gone = await pages.post(path, try sent(by: drafted.text, titled: "B's", action: action))
    #expect(gone.status == .ok)
    #expect(try pages.sent(by: gone.text)["title"] == "B's")
  }

  @Test(arguments: LibraryPart.allCases)
  func `A new form that is sent twice stores one, and other content is not lost to it`(
    part: LibraryPart
  ) async throws {
    let path = Address.newEntry(in: part)
    var form = try sent(by: await pages.get(path).text, titled: "New")
    for name in ["section-title", "item-title", "front", "back", "body"] { form.set(name, "x") }
    let saved = await pages.post(path, form)
    #expect(saved.status == .seeOther)
    #expect(await pages.post(path, form).headers["Location"] == saved.headers["Location"])
    form.set("title", "Other")
    let refused = await pages.post(path, form)
    #expect(refused.status == .unprocessableContent && refused.text.contains(wasChanged))
    let id = try #require(form["draft"].flatMap(UUID.init(uuidString:)))
    #expect(try await title(part, id) == "New")
    #expect(await pages.post(path, try pages.sent(by: refused.text)).status == .seeOther)
    #expect(try await title(part, id) == "Other")
  }

  @Test(arguments: LibraryPart.allCases)
  func `A version that no page gave out is refused, or known to be none`(part: LibraryPart)
    async throws
  {
    let id = try await store(part)
    let path = Address.editEntry(id, in: part)
    var form = try sent(by: await pages.get(path).text, titled: "B's")
    for version in ["nonsense", "1.5", "9223372036854775808", " "] {
      form.set("version", version)
      #expect(await pages.post(path, form).status == .badRequest, "\(version)")
    }
    for version in ["", "0", "9223372036854775807", "-9223372036854775808"] {
      form.set("version", version)
      #expect(await pages.post(path, form).status == .unprocessableContent, "\(version)")
    }
    form.items.removeAll { $0.name == "version" }
    #expect(await pages.post(path, form).status == .badRequest)
    #expect(try await title(part, id) == "Before")
  }

  @Test func `What happened is said in the language in use`() async throws {
    pages.dependencies.language.use(.russian)
    let id = try await store(.guides)
    let path = Address.editEntry(id, in: .guides)
    var form = try sent(by: await pages.get(path).text, titled: "Б")
    form.set("version", "0")
    let changed = await pages.post(path, form).text
    #expect(changed.contains("Тем временем это изменили в другом месте."))
    #expect(changed.contains("Показать другую версию в новой вкладке"))
    _ = await pages.post(Address.deleteEntry(id, in: .guides), [:])
    #expect(await pages.post(path, form).text.contains("Тем временем это удалили."))
  }

  // MARK: - With the script

  /// The markup that a tab was sent after it was opened.
  private func changes(of page: String, _ tab: String) async throws -> String {
    let revision = try #require(page.firstMatch(of: /data-revision="(\d+)"/)).1
    let response = await pages.get("/live/\(tab)?after=\(revision)")
    guard case .events(let channel) = response.body else { return "" }
    channel.close()
    var markup = ""
    while let event = await channel.next() { markup += event.data }
    return markup
  }

  @Test(arguments: LibraryPart.allCases)
  func `In open pages the second to save is told, and saving again replaces`(part: LibraryPart)
    async throws
  {
    let id = try await store(part)
    let path = Address.editEntry(id, in: part)
    let (first, second) = (await pages.get(path).text, await pages.get(path).text)
    let (one, other) = (try pages.tabID(first), try pages.tabID(second))
    let saved = await pages.post(path, try sent(by: first, titled: "A's"), tab: one)
    #expect(saved.status == .noContent)
    var form = try sent(by: second, titled: "B's")
    // Pressed twice before the page changed, it is still not knowingly.
    for _ in 0..<2 {
      #expect(await pages.post(path, form, tab: other).status == .unprocessableContent)
    }
    #expect(try await title(part, id) == "A's")
    let version = EntryVersion.text(of: try await stored(part, id)?.updatedAt)
    let markup = try await changes(of: second, other)
    #expect(markup.contains(wasChanged) && markup.contains(version))
    form.set("version", version)
    let again = await pages.post(path, form, tab: other)
    #expect(again.headers["Offshore-Location"] == Address.entry(id, in: part))
    #expect(try await title(part, id) == "B's")
  }

  @Test(arguments: LibraryPart.allCases)
  func `In an open page the form stays when what it is about is deleted`(part: LibraryPart)
    async throws
  {
    let id = try await store(part)
    let path = Address.editEntry(id, in: part)
    let page = await pages.get(path).text
    let tab = try pages.tabID(page)
    _ = await pages.post(Address.deleteEntry(id, in: part), [:])
    var form = try sent(by: page, titled: "B's")
    #expect(await pages.post(path, form, tab: tab).status == .unprocessableContent)
    let markup = try await changes(of: page, tab)
    #expect(markup.contains(wasDeleted) && !markup.contains("not any more"))
    form.set("version", "")
    #expect(await pages.post(path, form, tab: tab).status == .noContent)
    #expect(try await title(part, id) == "B's")
  }
}
