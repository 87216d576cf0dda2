import Anyfleet
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import Testing

/// The actions on the page of a charter, without the script.
@MainActor
struct CharterDetailPageTests {
  private let pages: Pages

  init() async throws { pages = try await Pages() }

  private func titles(_ page: String) -> [String] {
    page.matches(of: /id="checklist-[^"]+"><svg.*?<span class="label">([^<]+)</).map {
      String($0.1)
    }
  }

  /// The forms of an action, in the order of the checklists.
  private func forms(_ action: String, _ page: String) -> [Fields] {
    page.matches(of: /(?s)<form (.*?)<\/form>/).map { String($0.1) }
      .filter { $0.contains(#"name="action" value="\#(action)""#) }
      .map { form in
        form.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)"/)
          .reduce(into: ["action": action] as Fields) { $0 += [String($1.1): String($1.2)] }
      }
  }

  @Test func `A new charter has the chosen checklists, and others can be added`() async throws {
    let path = try #require(await pages.post("/charters/new", pages.form).headers["Location"])
    let empty = await pages.get(path).text
    #expect(empty.contains("No checklists"))
    #expect(empty.contains(#"<details id="add-checklists" class="section" open>"#))
    let boxes = empty.matches(of: /name="(checklist-[^"]+)"/).map { String($0.1) }
    #expect(boxes.count == 3)
    let fields = pages.fields("action=assign&\(boxes[1])=on&\(boxes[2])=on")
    let response = await pages.post(path, fields)
    #expect(response.headers["Location"] == path)
    let page = await pages.get(path).text
    #expect(titles(page) == ["Safety briefing", "Yacht check-in"])
    #expect(page.matches(of: /name="checklist-/).count == 1)
  }

  @Test func `Checklists are moved to the requested place and removed`() async throws {
    let path = try await pages.createCharter()
    let page = await pages.get(path).text
    #expect(titles(page) == ["Departure", "Safety briefing", "Yacht check-in"])
    let move = try #require(forms("move", page).last).setting("place", "0")
    for _ in 0..<2 { _ = await pages.post(path, move) }
    #expect(
      titles(await pages.get(path).text) == ["Yacht check-in", "Departure", "Safety briefing"])
    #expect(await pages.post(path, move.setting("place", "first")).status == .badRequest)
    let remove = try #require(forms("unassign", await pages.get(path).text).first)
    #expect(await pages.post(path, remove).status == .seeOther)
    #expect(titles(await pages.get(path).text) == ["Departure", "Safety briefing"])
  }

  @Test func `A reset offers an undo, which restores the checklist`() async throws {
    let path = try await pages.createCharter()
    let checklist = try await pages.checklistPath(path)
    let item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
    _ = await pages.post(checklist, .tick(item))
    let reset = try #require(forms("reset", await pages.get(path).text).first)
    let next = try #require(await pages.post(path, reset).headers["Location"])
    let offer = await pages.get(next).text
    #expect(offer.contains("The progress of “Departure” was reset."))
    #expect(!offer.contains("1 of "))
    #expect(await pages.post("/undo", try pages.undo(offer)).headers["Location"] == path)
    #expect(await pages.get(path).text.contains("1 of "))
    #expect(await !pages.get(next).text.contains("was reset"))
  }

  @Test func `The checklist chosen for the check-in is marked, and first in the report`()
    async throws
  {
    let path = try await pages.createCharter()
    let choose = try #require(forms("check-in", await pages.get(path).text).last)
    #expect(choose["isOn"] == "true")
    #expect(await pages.post(path, choose).status == .seeOther)
    let page = await pages.get(path).text
    #expect(page.contains(#"<span class="badge accent">Check-in</span>"#))
    #expect(page.contains("Not at check-in"))
    let report = await pages.get(path + "/report").text
    let first = try #require(report.firstMatch(of: /id="report-([0-9A-F-]{36})"/))
    #expect(choose["checklist"] == String(first.1))
    let other = try #require(forms("check-in", page).first)
    _ = await pages.post(path, other.setting("isOn", "false"))
    #expect(await pages.get(path).text.contains("Not at check-in"))
    _ = await pages.post(path, choose.setting("isOn", "false"))
    #expect(await !pages.get(path).text.contains("Not at check-in"))
    #expect(await pages.post(path, choose.setting("isOn", "")).status == .badRequest)
  }

  @Test func `A charter is activated and archived, as often as requested`() async throws {
    let path = try await pages.createCharter()
    for _ in 0..<2 { _ = await pages.post(path, ["action": "active", "isOn": "true"]) }
    #expect(await pages.get(path).text.contains(#"<span class="badge good">Active</span>"#))
    for _ in 0..<2 { _ = await pages.post(path, ["action": "archived", "isOn": "true"]) }
    let archived = await pages.get(path).text
    #expect(archived.contains("Take out of archive") && archived.contains("Make active"))
    #expect(await !pages.get("/charters").text.contains(#"href="\#(path)""#))
    #expect(await pages.get("/charters?filter=archived").text.contains(#"href="\#(path)""#))
    #expect(
      await pages.post(path, ["action": "active", "isOn": "maybe"]).status == .badRequest)
    #expect(await pages.post(path, ["action": "explode"]).status == .badRequest)
  }

  @Test func `A charter is edited with its crew and its budget, and errors are shown`()
    async throws
  {
    let path = try await pages.createCharter()
    let form = await pages.get(path + "/edit").text
    for value in ["Kornati week", "2027-06-12", "2027-06-19", "Alma"] {
      #expect(form.contains(#"value="\#(value)""#))
    }
    var fields = try pages.sent(by: form).setting("name", "Renamed")
      .setting("destination", "").setting("region", "Dalmatia").setting("currency", "eur")
    fields = try await pages.adding("crew", to: fields, at: path + "/edit")
    let row = try #require(fields["crew"])
    fields.set("crew.\(row).name", "Ada")
    fields.set("crew.\(row).role", "skipper")
    let wrong = await pages.post(path + "/edit", fields.setting("budget", "much"))
    #expect(wrong.status == .unprocessableContent)
    #expect(wrong.text.contains("field-budget-error"))
    #expect(wrong.text.contains(#"value="much""#) && wrong.text.contains(#"value="Renamed""#))
    let right = await pages.post(path + "/edit", fields.setting("budget", "1,200.50"))
    #expect(right.headers["Location"] == path)
    let page = await pages.get(path).text
    for text in ["Renamed", "Dalmatia", "Ada", "Skipper", "€1,200.50"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!page.contains("Biograd") && !page.contains("Still missing"))
    let again = await pages.get(path + "/edit").text
    #expect(again.contains(#"value="1200.5""#) && again.contains(#"value="EUR""#))
    #expect(again.matches(of: /name="crew"/).count == 1)
    let unknown = "/charters/\(UUID().uuidString)"
    #expect(await pages.get(unknown + "/edit").status == .notFound)
    #expect(await pages.get(unknown + "/report").status == .notFound)
  }

  @Test
  func `A budget is shown and parsed by the language, and stays the same if it is not edited`()
    async throws
  {
    let path = try await pages.createCharter()
    let repository = pages.dependencies.charterRepository
    var charter = try #require(try await repository.fetchAllCharters().first)
    let amount = try #require(Decimal(string: "2400.555"))
    charter.budget = CharterBudget(amount: amount, currencyCode: "EUR")
    try await repository.saveCharter(charter)
    pages.dependencies.language.use(.russian)
    await pages.dependencies.language.settled()
    let form = await pages.get(path + "/edit").text
    #expect(form.contains(#"value="2400,555""#) && form.contains("1\u{a0}200,50"))
    func sent(_ amount: String, _ currency: String = "EUR") async throws -> Response {
      let form = try await pages.sent(by: pages.get(path + "/edit").text)
      return await pages.post(
        path + "/edit", form.setting("budget", amount).setting("currency", currency))
    }
    #expect(try await sent("2400,555", "USD").text.contains("field-budget-error"))
    for (text, kept) in [("2400,555", amount), ("2400,5", 2400.5), ("12 345", 12345)] {
      #expect(try await sent(text).status == .seeOther)
      #expect(try await repository.fetchCharter(id: charter.id)?.budget?.amount == kept)
    }
    for text in ["12,345", "12.345", "0.001"] {
      #expect(try await sent(text).text.contains("field-budget-error"))
      #expect(try await repository.fetchCharter(id: charter.id)?.budget?.amount == 12345)
    }
  }

  @Test func `A refused change is reported on the page`() async throws {
    let path = try await pages.createCharter()
    try await pages.dependencies.database.database.write {
      try SQL("CREATE TRIGGER refuse BEFORE UPDATE ON charters BEGIN SELECT raise(ABORT, 'x'); END")
        .run($0)
    }
    let response = await pages.post(path, ["action": "archived", "isOn": "true"])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Your change could not be saved."))
  }

  @Test func `The report has facts, ticks with their times, notes and issues`() async throws {
    let path = try await pages.createCharter()
    let checklist = try await pages.checklistPath(path)
    let item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
    _ = await pages.post(checklist, .tick(item))
    let ids = try (checklist + item).matches(of: /[0-9A-F-]{36}/).map {
      try #require(UUID(uuidString: String($0.0)))
    }
    let repository = pages.dependencies.executionRepository
    try await repository.saveItemNote(
      checklistID: ids[1], charterID: ids[0], itemID: ids[2], note: "Scratch <port>")
    try await repository.saveItemIssue(
      checklistID: ids[1], charterID: ids[0], itemID: ids[2], issue: .damaged)
    let page = await pages.get(path + "/report").text
    for text in [
      "Check-in report", "12 – 19 Jun 2027", "Alma", "Scratch &lt;port&gt;", "Damaged",
      "1 problem", #"aria-label="checked">☑"#, #"aria-label="open">☐"#,
      #"<th scope="rowgroup" colspan="3">"#,
    ] { #expect(page.contains(text), "\(text)") }
    #expect(page.matches(of: /class="report"/).count == 3)
  }

  @Test(arguments: [Language.english, .russian])
  func `A condition has one name, on the page of the run and in the report`(_ language: Language)
    async throws
  {
    let path = try await pages.createCharter()
    let checklist = try await pages.checklistPath(path)
    let items = pages.itemIDs(await pages.get(checklist).text)
    for (item, issue) in zip(items, ChecklistItemIssue.allCases) {
      _ = await pages.post(
        checklist, .condition(item, issue.rawValue))
    }
    pages.dependencies.language.use(language)
    let (run, report) = (await pages.get(checklist).text, await pages.get(path + "/report").text)
    for issue in ChecklistItemIssue.allCases {
      let name = issue.title.in(language)
      #expect(run.contains(">\(name)</span>"), "\(name)")
      #expect(report.contains("<strong>\(name)</strong>"), "\(name)")
    }
    let count = language == .english ? "3 problems" : "3 замечания"
    #expect(run.contains(count) && report.contains(count))
  }
}
