import Anyfleet
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import Testing

/// Note and issue of items on the page that runs a checklist.
@MainActor
struct RunRemarksPageTests {
  private let pages: Pages
  private let checklist: String
  /// The id of the first item.
  private let item: String

  init() async throws {
    pages = try await Pages()
    checklist = try await pages.checklistPath(try await pages.createCharter())
    item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
  }

  private func note(_ text: String, before: String = "", tab: String? = nil) async -> Response {
    await pages.post(checklist, .note(item, text, before: before), tab: tab)
  }

  private func condition(_ issue: String, tab: String? = nil) async -> Response {
    await pages.post(checklist, .condition(item, issue), tab: tab)
  }

  /// Returns the page after the remarks of the item were opened without the script.
  private func opened() async throws -> String {
    let response = await pages.post(checklist, ["action": "remarks", "item": item])
    #expect(response.status == .ok)
    return response.text
  }

  private func refuseWrites(_ isRefused: Bool) async throws {
    let change: SQL =
      isRefused
      ? """
      CREATE TRIGGER refuse BEFORE INSERT ON checklistExecutionStates
      BEGIN SELECT RAISE(ABORT, 'refused by the test'); END
      """ : "DROP TRIGGER refuse"
    try await pages.dependencies.database.database.write { _ = try change.run($0) }
  }

  @Test func `The note and the condition of a row are rendered once they are opened`() async throws
  {
    #expect(!(await pages.get(checklist).text).contains("<textarea"))
    let page = try await opened()
    #expect(page.contains(#"id="remarks-\#(item)" class="remarks" open>"#))
    #expect(page.matches(of: /<textarea/).count == 1)
    let tab = try pages.tabID(await pages.get(checklist).text)
    let response = await pages.post(checklist, ["action": "remarks", "item": item], tab: tab)
    #expect(response.status == .noContent)
    let unknown: Fields = ["action": "remarks", "item": UUID().uuidString]
    #expect(await pages.post(checklist, unknown).status == .notFound)
  }

  @Test func `A note is stored before it is answered, and shows below the title`() async throws {
    let response = await note(" Torn at <the> clew\r\nand worn ")
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == checklist)
    let page = await pages.get(checklist).text
    #expect(page.contains(#"<small class="note">Torn at &lt;the&gt; clew\#nand worn</small>"#))
  }

  @Test func `A tap stores a condition and shows it, and another tap clears it`() async throws {
    #expect(await condition("damaged").status == .seeOther)
    let page = await pages.get(checklist).text
    #expect(page.contains(#"<span class="badge bad">Damaged</span>"#))
    #expect(page.contains("1 problem</p>"))
    #expect(
      try await opened().contains(
        #"aria-pressed="true" name="issue" value="">Damaged</button>"#))
    #expect(await condition("").status == .seeOther)
    #expect(!(await pages.get(checklist).text).contains(#"<span class="badge bad">Damaged"#))
  }

  @Test func `A blank note removes the note`() async throws {
    _ = await note("Torn")
    #expect(await note("  ", before: "Torn").status == .seeOther)
    #expect(!(await pages.get(checklist).text).contains("Torn"))
  }

  @Test func `A form that was opened before another member wrote a note does not remove it`()
    async throws
  {
    _ = await note("By one")
    #expect(await note("").status == .seeOther)
    #expect(await pages.get(checklist).text.contains(#"<small class="note">By one</small>"#))
  }

  @Test func `An open page is answered without another page`() async throws {
    let tab = try pages.tabID(await pages.get(checklist).text)
    #expect(await note("Torn", tab: tab).status == .noContent)
    #expect(await condition("ok", tab: tab).status == .noContent)
    #expect(await pages.get(checklist).text.contains("Torn</small>"))
  }

  @Test func `An error of saving is shown beside the field, which keeps the text`() async throws {
    try await refuseWrites(true)
    let response = await note("Torn")
    #expect(response.status == .unprocessableContent)
    #expect(response.text.matches(of: /class="remarks" open/).count == 1)
    #expect(response.text.matches(of: /aria-invalid="true"/).count == 1)
    #expect(response.text.contains(">Torn</textarea>"))
    let condition = await condition("damaged")
    #expect(condition.status == .unprocessableContent)
    #expect(condition.text.contains(#"<p class="error">"#))
    #expect(!condition.text.contains(#"<span class="badge bad">Damaged</span>"#))
    try await refuseWrites(false)
    #expect(await note("Torn").status == .seeOther)
    #expect(await pages.get(checklist).text.contains("Torn</small>"))
  }

  @Test func `A note that is too long is reported with the limit`() async throws {
    let long = String(repeating: "ё", count: ChecklistExecutionViewModel.maximumNoteLength + 1)
    let response = await note(long)
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("2,000"))
    #expect(response.text.contains("\(long)</textarea>"))
  }

  @Test func `An invalid request is refused and stores nothing`() async throws {
    #expect(await condition("sunk").status == .badRequest)
    let unknown = Fields.note(UUID().uuidString, "x")
    #expect(await pages.post(checklist, unknown).status == .notFound)
    let rows = try await pages.dependencies.database.database.read {
      try SQL("SELECT count(*) FROM checklistItemNotes").first($0, as: Int.self)
    }
    #expect(rows == 0)
  }

  @Test func `Each field and button has a distinct name, in both languages`() async throws {
    let handles: [Language: String] = [
      .english: "Note and condition", .russian: "Заметка и состояние",
    ]
    for (language, note) in handles {
      pages.dependencies.language.use(language)
      let page = await pages.get(checklist).text
      let handles = page.matches(of: /<summary class="icon-button" aria-label="([^"]+)"/).map {
        String($0.1)
      }
      #expect(handles.count == pages.itemIDs(page).count)
      #expect(Set(handles).count == handles.count)
      #expect(handles.allSatisfy { $0.hasPrefix(note) })
      let ids = page.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
      #expect(Set(ids).count == ids.count)
    }
  }
}
