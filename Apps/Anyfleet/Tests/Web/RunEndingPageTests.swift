import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

/// Open critical items, finishing and resetting on the page that runs a checklist.
@MainActor
struct RunEndingPageTests {
  private let pages: Pages
  private let charter: String
  private let checklist: String
  private let ids: (charter: UUID, checklist: UUID)

  init() async throws {
    pages = try await Pages()
    charter = try await pages.createCharter()
    checklist = try await pages.checklistPath(charter)
    let found = try checklist.matches(of: /[0-9A-F-]{36}/).map {
      try #require(UUID(uuidString: String($0.0)))
    }
    ids = (found[0], found[1])
  }

  private func text() async -> String { await pages.get(checklist).text }

  private func criticalItems() async throws -> [ChecklistItem] {
    let found = try await pages.dependencies.libraryRepository.fetchChecklist(ids.checklist)
    return try #require(found).items.filter(\.isCritical)
  }

  private func tick(_ item: UUID) async throws {
    try await pages.dependencies.executionRepository.saveItemState(
      checklistID: ids.checklist, charterID: ids.charter, itemID: item, isChecked: true)
  }

  // MARK: - Critical items

  @Test func `Open critical items stand above the sections with a count and links to them`()
    async throws
  {
    let critical = try await criticalItems()
    try #require(critical.count > 1)
    let page = await text()
    let list = try #require(page.range(of: #"id="critical" class="sheet""#))
    let section = try #require(page.range(of: #"class="section""#))
    #expect(list.lowerBound < section.lowerBound)
    #expect(page.contains("\(critical.count) critical items are open</h2>"))
    for item in critical {
      #expect(page.contains(##"id="critical-\##(item.id)" href="#item-\##(item.id)">"##))
      #expect(page.contains(#"id="item-\#(item.id)""#))
    }
    try await tick(critical[0].id)
    #expect(!(await text()).contains(##"href="#item-\##(critical[0].id)""##))
    for item in critical { try await tick(item.id) }
    #expect(!(await text()).contains(#"id="critical""#))
  }

  @Test func `The count has the right plural form in both languages`() async throws {
    let critical = try await criticalItems()
    for item in critical.dropFirst() { try await tick(item.id) }
    #expect(await text().contains("1 critical item is open</h2>"))
    pages.dependencies.language.use(.russian)
    #expect(await text().contains("Не отмечен 1 важный пункт</h2>"))
  }

  // MARK: - Finishing

  @Test
  func `Finishing asks while a critical item is open, and leads to the charter when confirmed`()
    async throws
  {
    let asked = await pages.post(checklist, ["action": "finish"])
    #expect(asked.status == .ok)
    #expect(asked.text.contains("critical items are open.</p>"))
    #expect(asked.text.contains("Finish anyway"))
    #expect(asked.text.contains(#"<a class="button plain" href="\#(checklist)">Keep going</a>"#))
    #expect(!(await text()).contains("Finish anyway"))
    let confirmed = await pages.post(checklist, ["action": "confirm-finish"])
    #expect(confirmed.status == .seeOther)
    #expect(confirmed.headers["Location"] == charter)
  }

  @Test func `Finishing does not ask if all critical items are ticked`() async throws {
    for item in try await criticalItems() { try await tick(item.id) }
    let response = await pages.post(checklist, ["action": "finish"])
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == charter)
  }

  @Test func `In an open page the question appears without a reload, and the link continues`()
    async throws
  {
    let tab = try pages.tabID(await text())
    let asked = await pages.post(checklist, ["action": "finish"], tab: tab)
    #expect(asked.status == .noContent)
    #expect(asked.headers["Offshore-Location"] == nil)
    let confirmed = await pages.post(checklist, ["action": "confirm-finish"], tab: tab)
    #expect(confirmed.headers["Offshore-Location"] == charter)
  }

  @Test func `A complete checklist shows the time, and links to the report`() async throws {
    let checklist = try #require(
      try await pages.dependencies.libraryRepository.fetchChecklist(ids.checklist))
    let report = #"<a class="button primary" href="\#(charter)/report">"#
    #expect(await !text().contains(report))
    for item in checklist.items { try await tick(item.id) }
    let done = await text()
    #expect(done.contains("All \(checklist.items.count) done, "))
    #expect(done.contains(report))
    // Each section is complete and folded.
    #expect(!done.contains(#"class="section" open"#))
  }

  // MARK: - Resetting

  @Test func `A reset asks for confirmation, and can be undone from any page of the checklist`()
    async throws
  {
    let items = pages.itemIDs(await text())
    _ = await pages.post(checklist, .tick(items[0]))
    _ = await pages.post(checklist, .note(items[1], "Torn"))
    let asked = await pages.post(checklist, ["action": "reset"])
    #expect(asked.status == .ok)
    #expect(asked.text.contains("are removed from this charter.</p>"))
    #expect(await text().contains(#"id="count">1 of "#))
    let confirmed = await pages.post(checklist, ["action": "confirm-reset"])
    #expect(confirmed.status == .seeOther)
    let reset = await text()
    #expect(reset.contains(#"id="count">0 of "#) && !reset.contains("Torn"))
    #expect(reset.contains("“Departure” was reset."))
    #expect(
      await pages.post("/undo", try pages.undo(reset, action: "undo-removal")).status == .seeOther)
    let undone = await text()
    #expect(undone.contains(#"id="count">1 of "#) && undone.contains("Torn</small>"))
    #expect(!undone.contains("was reset"))
  }

  @Test func `The offer to undo can be dismissed`() async throws {
    _ = await pages.post(checklist, .tick(try #require(pages.itemIDs(await text()).first)))
    _ = await pages.post(checklist, ["action": "confirm-reset"])
    let reset = await text()
    let dismiss = try pages.undo(reset, action: "dismiss-removal")
    #expect(await pages.post("/undo", dismiss).status == .seeOther)
    #expect(!(await text()).contains("was reset"))
    // Too late: nothing is restored, and nothing fails.
    #expect(
      await pages.post("/undo", try pages.undo(reset, action: "undo-removal")).status == .seeOther)
    #expect(await text().contains(#"id="count">0 of "#))
  }

  @Test func `A request for a missing checklist is answered by 404`() async throws {
    let unknown = charter + "/checklists/\(UUID().uuidString)"
    for action in ["finish", "confirm-finish", "reset", "confirm-reset"] {
      #expect(await pages.post(unknown, ["action": action]).status == .notFound)
    }
  }

  @Test func `The whole page is in the language in use, and changes with it`() async throws {
    _ = await pages.post(checklist, ["action": "reset"])
    pages.dependencies.language.use(.russian)
    let asked = await pages.post(checklist, ["action": "reset"])
    for text in ["Готово 0 из ", "Завершить", "Заметка", "Состояние", "Продолжить проверку"] {
      #expect(asked.text.contains(text), "\(text)")
    }
    for text in ["Finish", "Reset", "Note", "Critical<", "critical"] {
      let shown = asked.text.replacing(/<[^>]+>/, with: "")
      #expect(!shown.contains(text), "\(text)")
    }
  }
}
