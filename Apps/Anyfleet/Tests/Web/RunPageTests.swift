import Anyfleet
import Foundation
import Offshore
import OffshoreHTTP
import Testing

/// Running a checklist.
@MainActor
struct RunPageTests {
  private let pages: Pages

  init() async throws { pages = try await Pages() }

  @Test func `A missing checklist of an existing charter is 404`() async throws {
    let charter = try await pages.createCharter()
    let path = charter + "/checklists/\(UUID().uuidString)"
    #expect(await pages.get(path).status == .notFound)
  }

  @Test func `The charter's checklist is changed from its page, and the library's is unchanged`()
    async throws
  {
    let checklist = try await pages.checklistPath(try await pages.createCharter())
    let path = checklist + "/edit"
    #expect(await pages.get(checklist).text.contains(#"href="\#(path)""#))
    let form = await pages.get(path).text
    #expect(form.contains("Only this charter’s checklist changes."))
    var sent = try pages.sent(by: form, action: "save")
    sent.set("title", "On board")
    let saved = await pages.post(path, sent)
    #expect(saved.headers["Location"] == checklist)
    #expect(await pages.get(checklist).text.contains("<h1 id=\"heading\">On board</h1>"))
    #expect(await !pages.get("/library").text.contains("On board"))
    sent.set("title", "Too late")
    let second = await pages.post(path, sent)
    #expect(second.status == .unprocessableContent)
    #expect(second.text.contains("Too late") && second.text.contains(#"href="\#(checklist)""#))
    #expect(await pages.get(checklist.dropLast() + "X/edit").status == .notFound)
  }

  @Test func `A tick without the script is stored before it is answered, and shows`() async throws {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    let item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
    let response = await pages.post(checklist, .tick(item))
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == checklist)
    #expect(await pages.get(checklist).text.contains("1 of "))
    #expect(await pages.get(charter).text.contains("1 of "))
    _ = await pages.post(checklist, .tick(item))
    #expect(await pages.get(checklist).text.contains("1 of "))
    _ = await pages.post(checklist, .tick(item, "false"))
    #expect(await pages.get(checklist).text.contains(#"id="count">0 of "#))
  }

  @Test func `A tick from an open page is answered without another page`() async throws {
    let checklist = try await pages.checklistPath(try await pages.createCharter())
    let page = await pages.get(checklist).text
    let tab = try pages.tabID(page)
    let item = try #require(pages.itemIDs(page).first)
    #expect(await pages.post(checklist, .tick(item), tab: tab).status == .noContent)
    #expect(await pages.get(checklist).text.contains("1 of "))
  }

  @Test func `A tick from a page that does not show a later untick yet is stored`()
    async throws
  {
    let checklist = try await pages.checklistPath(try await pages.createCharter())
    let page = await pages.get(checklist).text
    let item = try #require(pages.itemIDs(page).first)
    let ids = try (checklist + item).matches(of: /[0-9A-F-]{36}/).map {
      try #require(UUID(uuidString: String($0.0)))
    }
    let tab = try pages.tabID(page)
    #expect(await pages.post(checklist, .tick(item), tab: tab).status == .noContent)
    let repository = pages.dependencies.executionRepository
    try await repository.saveItemState(
      checklistID: ids[1], charterID: ids[0], itemID: ids[2], isChecked: false)
    // The page may or may not have updated before the next request.
    #expect(await pages.post(checklist, .tick(item), tab: tab).status == .noContent)
    let state = try await repository.loadExecutionState(checklistID: ids[1], charterID: ids[0])
    #expect(state?.checkedCount == 1)
  }

  @Test func `An invalid tick is refused and stores nothing`() async throws {
    let checklist = try await pages.checklistPath(try await pages.createCharter())
    let item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
    #expect(await pages.post(checklist, .tick(item, "perhaps")).status == .badRequest)
    #expect(await pages.post(checklist, ["action": "tick", "item": item]).status == .badRequest)
    #expect(await pages.post(checklist, [:]).status == .badRequest)
    #expect(await pages.post(checklist, .tick(UUID().uuidString)).status == .notFound)
    #expect(await pages.post(checklist, .tick("nonsense")).status == .badRequest)
    #expect(await pages.get(checklist).text.contains(#"id="count">0 of "#))
  }

  @Test func `Unreadable progress is reported on the page, and is unchanged`() async throws {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    let item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
    _ = await pages.post(checklist, .tick(item))
    let garbage = "{not JSON"
    try await pages.dependencies.database.database.write {
      try SQL("UPDATE checklistExecutionStates SET itemStates = \(garbage)").run($0)
    }
    let page = await pages.get(checklist)
    #expect(page.text.contains(#"role="alert""#))
    let row =
      #"Progress cannot be read</small></span>"#
      + #"<span class="end"><span class="badge bad">Unreadable</span></span>"#
    let detail = await pages.get(charter)
    #expect(detail.status == .ok)
    #expect(detail.text.contains(row))
    #expect(detail.text.contains("1 record of progress cannot be read and is left out."))
    _ = await pages.post(checklist, .tick(item, "false"))
    let stored = try await pages.dependencies.database.database.read {
      try SQL("SELECT itemStates FROM checklistExecutionStates").all($0, as: String.self)
    }
    #expect(stored == [garbage])
    try await pages.dependencies.database.database.write {
      try SQL("UPDATE checklistExecutionStates SET itemStates = '{}'").run($0)
    }
    let mended = await pages.get(charter).text
    #expect(!mended.contains("Progress cannot be read") && !mended.contains("damaged"))
  }
}
