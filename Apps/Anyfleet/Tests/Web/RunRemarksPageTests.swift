import Anyfleet
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import Testing

/// Note and issue of items on the page on which a checklist is run.
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

  private func post(_ fields: Fields, tab: String? = nil) async -> Response {
    await pages.post(checklist, .remark(item, fields), tab: tab)
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

  @Test func `Note and issue are stored when they are answered, and show`() async throws {
    let response = await post(["note": " Torn at <the> clew\r\nand worn ", "issue": "damaged"])
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == checklist)
    let page = await pages.get(checklist).text
    #expect(page.contains("Torn at &lt;the&gt; clew\nand worn</summary>"))
    #expect(page.contains(#"<span class="badge bad">Damaged</span>"#))
    #expect(page.contains("1 problem</p>"))
    #expect(page.contains(#"<option value="damaged" selected>Damaged</option>"#))
  }

  @Test func `Empty fields remove note and issue`() async throws {
    _ = await post(["note": "Torn", "issue": "damaged"])
    let fields: Fields = [
      "note": "  ", "issue": "", "noteBefore": "Torn", "issueBefore": "damaged",
    ]
    #expect(await post(fields).status == .seeOther)
    let page = await pages.get(checklist).text
    #expect(!page.contains("Torn") && !page.contains(#"<span class="badge bad">Damaged"#))
  }

  @Test func `A form that was opened before others changed something takes nothing of that back`()
    async throws
  {
    _ = await post(["note": "By one", "issue": "ok"])
    // Opened when there was nothing; only the issue is changed in it.
    let stale: Fields = ["note": "", "noteBefore": "", "issue": "missing", "issueBefore": ""]
    #expect(await post(stale).status == .seeOther)
    let page = await pages.get(checklist).text
    #expect(page.contains("By one</summary>"))
    #expect(page.contains(#"<span class="badge warn">Missing</span>"#))
  }

  @Test func `In an open page the same is answered without another page`() async throws {
    let tab = try pages.tabID(await pages.get(checklist).text)
    #expect(await post(["note": "Torn", "issue": ""], tab: tab).status == .noContent)
    #expect(await pages.get(checklist).text.contains("Torn</summary>"))
  }

  @Test func `What cannot be saved is said beside the fields, which keep what was entered`()
    async throws
  {
    try await refuseWrites(true)
    let response = await post(["note": "Torn", "issue": "damaged"])
    #expect(response.status == .unprocessableContent)
    let page = response.text
    #expect(page.matches(of: /class="remarks" open/).count == 1)
    #expect(page.matches(of: /aria-invalid="true"/).count == 2)
    #expect(page.contains(">Torn</textarea>"))
    #expect(page.contains(#"<option value="damaged" selected>"#))
    #expect(!page.contains(#"<span class="badge bad">Damaged</span>"#))
    try await refuseWrites(false)
    let again = await post(["note": "Torn", "issue": "damaged"])
    #expect(again.status == .seeOther)
    #expect(await pages.get(checklist).text.contains("Torn</summary>"))
  }

  @Test func `A note that is too long is said so, with its limit`() async throws {
    let long = String(repeating: "ё", count: ChecklistExecutionViewModel.maximumNoteLength + 1)
    let response = await post(["note": long, "issue": ""])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("2,000"))
    #expect(response.text.contains("\(long)</textarea>"))
  }

  @Test func `What makes no sense is refused and stores nothing`() async throws {
    #expect(await post(["issue": "sunk"]).status == .badRequest)
    #expect(await post(["note": "x", "issueBefore": "sunk"]).status == .badRequest)
    let unknown = Fields.remark(UUID().uuidString, ["note": "x"])
    #expect(await pages.post(checklist, unknown).status == .notFound)
    let rows = try await pages.dependencies.database.database.read {
      try SQL("SELECT count(*) FROM checklistItemNotes").one($0, as: Int.self)
    }
    #expect(rows == 0)
  }

  @Test func `Each field and button has a name of its own, in both languages`() async throws {
    let handles: [Language: String] = [
      .english: "Note and condition", .russian: "Заметка и состояние",
    ]
    for (language, note) in handles {
      pages.dependencies.language.use(language)
      let page = await pages.get(checklist).text
      let handles = page.matches(of: /<summary aria-label="([^"]+)"/).map { String($0.1) }
      #expect(handles.count == pages.itemIDs(page).count)
      #expect(Set(handles).count == handles.count)
      #expect(handles.allSatisfy { $0.hasPrefix(note) })
      let ids = page.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
      #expect(Set(ids).count == ids.count)
    }
  }
}
