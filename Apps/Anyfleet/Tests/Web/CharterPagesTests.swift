import Anyfleet
import Foundation
import Offshore
import OffshoreHTTP
import Testing

/// The list of charters, and the page of each.
@MainActor
struct CharterPagesTests {
  private let pages: Pages

  init() async throws { pages = try await Pages() }

  @Test func `The first page and the list of charters start empty, and link to the form`() async {
    for (path, text) in [("/", "Welcome aboard"), ("/charters", "No charters yet")] {
      let page = await pages.get(path)
      #expect(page.status == .ok)
      #expect(page.text.contains(text))
      #expect(page.text.contains(#"href="/charters/new""#))
    }
  }

  @Test func `A created charter shows in the list and has its own page`() async throws {
    let path = try await pages.createCharter()
    let page = await pages.get(path).text
    for text in ["Kornati week", "Alma, Biograd, 12 – 19 Jun 2027, 4 guests", "Checklists"] {
      #expect(page.contains(text))
    }
    let list = await pages.get("/charters").text
    #expect(list.contains("Kornati week") && list.contains("Upcoming"))
  }

  @Test func `An unreadable charter is reported in the list until it is repaired`()
    async throws
  {
    _ = try await pages.createCharter()
    try await pages.dependencies.database.database.write {
      try SQL("UPDATE charters SET crew = '['").run($0)
    }
    let list = await pages.get("/charters").text
    #expect(list.contains("<p>1 charter cannot be read and is left out.</p>"))
    #expect(!list.contains("Kornati week") && !list.contains("No charters yet"))
    try await pages.dependencies.database.database.write {
      try SQL("UPDATE charters SET crew = '[]'").run($0)
    }
    let mended = await pages.get("/charters").text
    #expect(mended.contains("Kornati week") && !mended.contains("left out"))
  }

  @Test
  func `A charter is deleted by its page, which leads to the list, however often it is pressed`()
    async throws
  {
    let path = try await pages.createCharter()
    let page = await pages.get(path).text
    #expect(page.contains(#"<details id="delete" class="section">"#))
    #expect(page.contains(#"name="action" value="delete""#))
    for _ in 0..<2 {
      let response = await pages.post(path, ["action": "delete"])
      #expect(response.status == .seeOther)
      #expect(response.headers["Location"] == "/charters")
    }
    #expect(await pages.get(path).status == .notFound)
    #expect(try await pages.dependencies.charterRepository.fetchAllCharters().isEmpty)
  }

  @Test(
    "A form about a charter that was deleted does not lead to the list, unless it deletes the charter",
    arguments: [
      "active", "archived", "assign", "unassign", "move", "check-in", "reset", "explode",
    ])
  func formAboutGoneCharter(_ action: String) async throws {
    let path = try await pages.createCharter()
    _ = await pages.post(path, ["action": "delete"])
    let response = await pages.post(path, ["action": action, "isOn": "true"])
    #expect(response.status == .notFound)
    let unknown = "/charters/\(UUID().uuidString)"
    #expect(await pages.post(unknown, ["action": action, "isOn": "true"]).status == .notFound)
    #expect(await pages.post(path, ["action": "remove-copy"]).headers["Location"] == "/charters")
  }

  @Test func `A charter is deleted from an open page, which then leads to the list`() async throws {
    let path = try await pages.createCharter()
    let tab = try pages.tabID(await pages.get(path).text)
    let response = await pages.post(path, ["action": "delete"], tab: tab)
    #expect(response.status == .noContent)
    #expect(response.headers["Offshore-Location"] == "/charters")
    #expect(try await pages.dependencies.charterRepository.fetchAllCharters().isEmpty)
  }

  @Test func `A deleted charter is offered in the list, and is restored with its progress`()
    async throws
  {
    let path = try await pages.createCharter()
    let checklist = try await pages.checklistPath(path)
    let item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
    _ = await pages.post(checklist, .tick(item))
    let list = try #require(await pages.post(path, ["action": "delete"]).headers["Location"])
    let offer = await pages.get(list).text
    #expect(offer.contains("“Kornati week” was deleted."))
    for _ in 0..<2 {
      let response = await pages.post("/undo", try pages.undo(offer))
      #expect(response.headers["Location"] == path)
    }
    #expect(await pages.get(checklist).text.contains("1 of "))
    #expect(await !pages.get(list).text.contains("was deleted"))
    _ = await pages.post(path, ["action": "delete"])
    let dismissed = try pages.undo(await pages.get(list).text, action: "dismiss-removal")
    #expect(await pages.post("/undo", dismissed).headers["Location"] == list)
    #expect(await !pages.get(list).text.contains("was deleted"))
    #expect(await pages.get(path).status == .notFound)
    let unknown = dismissed.setting("action", "undo-removal")
      .setting("removal", UUID().uuidString)
    #expect(await pages.post("/undo", unknown).status == .notFound)
  }

  @Test func `A charter that could not be deleted still exists, and its page says so`()
    async throws
  {
    let path = try await pages.createCharter()
    try await pages.dependencies.database.database.write {
      try SQL("CREATE TRIGGER refuse BEFORE DELETE ON charters BEGIN SELECT raise(ABORT, 'x'); END")
        .run($0)
    }
    let response = await pages.post(path, ["action": "delete"])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Your change could not be saved."))
    #expect(await pages.get(path).status == .ok)
  }

  @Test func `Markup in a name is text`() async throws {
    _ = await pages.post("/charters/new", pages.changed("name", "<script>alert(1)</script>"))
    let list = await pages.get("/charters").text
    #expect(!list.contains("<script>alert"))
    #expect(list.contains("&lt;script&gt;"))
  }

  @Test(arguments: [
    "/charters/nonsense", "/charters/00000000-0000-0000-0000-000000000000",
    "/charters/00000000-0000-0000-0000-000000000000/checklists/nonsense", "/elsewhere",
  ]) func `An unknown or malformed address is 404`(_ path: String) async {
    #expect(await pages.get(path).status == .notFound)
  }
}
