import AnyfleetTestSupport
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

/// The forms of the library, without the script unless stated.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct EntryFormTests {
  private let pages: Pages
  private var repository: any LibraryRepository { pages.dependencies.libraryRepository }

  init() async throws { pages = try await Pages() }

  /// Creates a new entry by its form.
  /// - Returns: The path of its page.
  private func written(_ part: EntityKind<Library>, _ title: String = "Before") async throws
    -> String
  {
    let path = LibraryRoute.new(part).address
    var form = try pages.sent(by: await pages.get(path).text).filled(with: "x")
    form.set("title", title)
    let saved = await pages.post(path, form)
    #expect(saved.status == .seeOther)
    return try #require(saved.headers["Location"])
  }

  /// Returns the fields that a browser sends for a page's form with another title.
  private func sent(by page: String, _ title: String, action: String = "save") throws -> Fields {
    var fields = try pages.sent(by: page, action: action)
    fields.set("title", title)
    return fields
  }

  private func heading(_ path: String) async -> String? {
    await pages.get(path).text.firstMatch(of: /<h1[^>]*>([^<]*)</).map { String($0.1) }
  }

  @Test(arguments: EntityKind<Library>.allCases)
  func `A new form that is sent twice stores one entry`(part: EntityKind<Library>) async throws {
    let path = LibraryRoute.new(part).address
    let form = try pages.sent(by: await pages.get(path).text).filled(with: "x")
    let saved = await pages.post(path, form)
    let address = try #require(saved.headers["Location"])
    #expect(await pages.post(path, form).headers["Location"] == address)
    #expect(await heading(address) == "x")
  }

  @Test(arguments: EntityKind<Library>.allCases, Language.allCases)
  func `Errors are shown beside their fields, and the typed text stays`(
    part: EntityKind<Library>, language: Language
  ) async throws {
    pages.dependencies.language.use(language)
    let path = LibraryRoute.new(part).address
    var form = try pages.sent(by: await pages.get(path).text)
    for name in ["description", "tags", "back", "note"] { form.set(name, "Typed & kept") }
    let refused = await pages.post(path, form)
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("Typed &amp; kept") && refused.text.contains("autofocus"))
    #expect(refused.text.contains(#"id="field-title-error""#))
    #expect(refused.text.contains(language == .russian ? "Введите название." : "Enter a title."))
    #expect(try pages.sent(by: refused.text)["entry"] == form["entry"])
  }

  @Test(arguments: EntityKind<Library>.allCases, [false, true])
  func `A conflicting edit is reported, keeps the typed text, and wins when saved again`(
    part: EntityKind<Library>, isOpen: Bool
  ) async throws {
    let entry = try await written(part)
    let path = entry + "/edit"
    let (first, second) = (await pages.get(path).text, await pages.get(path).text)
    let tab = isOpen ? try pages.tabID(second) : nil
    #expect(await pages.post(path, try sent(by: first, "A's")).status == .seeOther)
    let refused = await pages.post(path, try sent(by: second, "B's"), tab: tab)
    #expect(refused.status == .unprocessableContent)
    #expect(await heading(entry) == "A's")
    guard !isOpen else { return }
    #expect(refused.text.contains("This was changed elsewhere meanwhile."))
    #expect(refused.text.contains(#"href="\#(entry)" target="_blank""#))
    #expect(await pages.post(path, try pages.sent(by: refused.text)).status == .seeOther)
    #expect(await heading(entry) == "B's")
  }

  @Test(arguments: EntityKind<Library>.allCases)
  func `A form whose entry was deleted meanwhile keeps its text, and stores it again on request`(
    part: EntityKind<Library>
  ) async throws {
    let entry = try await written(part)
    let path = entry + "/edit"
    let page = await pages.get(path).text
    #expect(await heading(path) == "Edit “Before”")
    _ = await pages.post(entry, ["action": "delete"])
    let drafted = await pages.post(path, try sent(by: page, "B's", action: "keep"))
    #expect(drafted.status == .ok)
    let refused = await pages.post(path, try sent(by: drafted.text, "B's"))
    #expect(refused.status == .unprocessableContent)
    #expect(
      refused.text.contains("This was deleted meanwhile.") && !refused.text.contains("_blank"))
    #expect(await pages.get(entry).status == .notFound)
    let again = try pages.sent(by: refused.text)
    #expect(await pages.post(path, again).headers["Location"] == entry)
    #expect(await heading(entry) == "B's")
  }

  @Test func `A checklist is edited by buttons alone, and keeps its ids`() async throws {
    let path = LibraryRoute.new(EntityKind(Checklist.self)).address
    func press(_ button: Regex<(Substring, Substring)>, on page: String) async throws -> String {
      let action = try #require(page.firstMatch(of: button)).1
      let response = await pages.post(path, try pages.sent(by: page, action: String(action)))
      #expect(response.status == .ok)
      return response.text
    }
    var page = await pages.get(path).text
    page = try await press(/value="(add:sections\.[^"]+)"/, on: page)
    page = try await press(/value="(add:sections)"/, on: page)
    page = try await press(/value="(down:sections\.[^".]+)"/, on: page)
    var form = try pages.sent(by: page).filled(with: "Lights\r\non")
    form.set("title", "Night watch")
    let saved = await pages.post(path, form)
    let id = try #require(
      saved.headers["Location"].flatMap { UUID(uuidString: String($0.suffix(36))) })
    let checklist = try #require(try await repository.fetchChecklist(id))
    #expect(checklist.sections.map(\.items.count) == [1, 2])
    #expect(checklist.items[0].title == "Lights on" && checklist.items[0].note == "Lights\non")
    #expect(form.all("sections") == checklist.sections.map(\.id.uuidString))
    #expect(checklist.creatorID == pages.dependencies.session.userID)
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
    let path = LibraryRoute.edit(EntityKind(Checklist.self), checklist.id).address
    let page = await pages.get(path).text
    #expect(await pages.post(path, try sent(by: page, "Long")).status == .seeOther)
    let stored = try #require(try await repository.fetchChecklist(checklist.id))
    #expect(stored.sections == checklist.sections && stored.title == "Long")
  }
}
