import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

/// Changes of a charter by forms that may be outdated, without the script.
@MainActor
struct CharterEditPageTests {
  private let pages: Pages
  private let path: String

  init() async throws {
    pages = try await Pages()
    path = try await pages.createCharter()
  }

  /// Returns the fields that the charter's form would send now.
  private func form() async throws -> Fields {
    try pages.sent(by: await pages.get(path + "/edit").text)
  }

  private func post(_ fields: Fields) async -> Response {
    await pages.post(path + "/edit", fields)
  }

  private func charter() async throws -> CharterModel {
    try #require(try await pages.dependencies.charterRepository.fetchAllCharters().first)
  }

  @Test func `A form that is older than the stored charter changes only the fields edited in it`()
    async throws
  {
    var first = try await pages.adding("crew", to: try await form(), at: path + "/edit")
    let second = try await form().setting("vessel", "Zora")
    first = first.setting("name", "Renamed “& Co”").setting("region", "Dalmatia")
      .setting("destination", "").setting("startDate", "2027-06-13").setting(
        "endDate", "2027-06-20"
      )
      .setting("guests", "7").setting("budget", "2,400.50").setting("currency", "USD")
    let row = try #require(first["crew"])
    first.set("crew.\(row).name", "Ada")
    #expect(await post(first).status == .seeOther)
    var expected = try await charter()
    #expect(await post(second).status == .seeOther)
    expected.boatName = "Zora"
    #expect(try await charter() == expected)
    #expect(expected.name == "Renamed “& Co”" && expected.crew.map(\.name) == ["Ada"])
  }

  @Test func `An open page, too, changes only the fields edited in it`() async throws {
    let page = await pages.get(path + "/edit").text
    _ = await post(try await form().setting("name", "Renamed"))
    let fields = try pages.sent(by: page).setting("vessel", "Zora")
    let response = await pages.post(path + "/edit", fields, tab: try pages.tabID(page))
    #expect(response.status == .noContent)
    #expect(try await charter().name == "Renamed")
    #expect(try await charter().boatName == "Zora")
  }

  @Test func `A charter with long names in any script can be changed`() async throws {
    func text(_ count: Int) -> String { String(repeating: "Ж", count: count) }
    var stored = try await charter()
    (stored.name, stored.boatName) = (text(80), text(80))
    (stored.location, stored.region) = (text(120), text(120))
    stored.crew = Array(repeating: CrewMember(name: text(80), role: .crew), count: 12)
    try await pages.dependencies.charterRepository.saveCharter(stored)
    #expect(await post(try await form().setting("vessel", "Zora")).status == .seeOther)
    #expect(try await charter().boatName == "Zora")
  }

  @Test
  func
    `A conflicting edit is reported, stays in the form, and replaces the value when saved again`()
    async throws
  {
    let (first, second) = (try await form(), try await form())
    _ = await post(first.setting("name", "First").setting("region", "Dalmatia"))
    let refused = await post(second.setting("name", "Second"))
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("This was changed elsewhere meanwhile."))
    #expect(refused.text.contains(#"href="\#(path)" target="_blank""#))
    #expect(try await charter().name == "First")
    let shown = try pages.sent(by: refused.text)
    #expect(shown["name"] == "Second" && shown["region"] == "Dalmatia")
    #expect(await post(shown).status == .seeOther)
    #expect(try await charter().name == "Second")
    #expect(try await charter().region == "Dalmatia")
  }

  @Test func `Start and end that were moved meanwhile are not mixed with a new end`() async throws {
    let (first, second) = (try await form(), try await form())
    let moved = first.setting("startDate", "2027-07-06").setting("endDate", "2027-07-13")
    _ = await post(moved.setting("region", "Dalmatia"))
    let refused = await post(second.setting("endDate", "2027-06-20").setting("vessel", "Zora"))
    #expect(refused.status == .unprocessableContent)
    let shown = try pages.sent(by: refused.text)
    #expect(shown["startDate"] == "2027-06-12" && shown["endDate"] == "2027-06-20")
    #expect(shown["region"] == "Dalmatia" && shown["vessel"] == "Zora")
    #expect(try await charter().boatName == "Alma")
  }

  @Test func `Amount and currency are one value`() async throws {
    let (first, second) = (try await form(), try await form())
    _ = await post(first.setting("currency", "USD"))
    let refused = await post(second.setting("budget", "1500"))
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains(#"id="more-fields" class="section" open data-open="""#))
    #expect(try await charter().budget == CharterBudget(amount: 1200, currencyCode: "USD"))
  }

  @Test func `Typed text is preserved when the page is fetched again, and nothing is stored`()
    async throws
  {
    let typed = try await form().setting("vessel", "Half a na").setting("action", "keep")
    let kept = await post(typed)
    #expect(kept.status == .ok)
    #expect(try pages.sent(by: kept.text)["vessel"] == "Half a na")
    #expect(try await charter().boatName == "Alma")
  }

  @Test func `A budget is unchanged if the language changed after the form was opened`()
    async throws
  {
    let budget = CharterBudget(amount: 2400.5, currencyCode: "EUR")
    var stored = try await charter()
    stored.budget = budget
    try await pages.dependencies.charterRepository.saveCharter(stored)
    let fields = try await form().setting("vessel", "Zora")
    #expect(fields["budget"] == "2400.5")
    pages.dependencies.language.use(.russian)
    await pages.dependencies.language.settled()
    #expect(await post(fields).status == .seeOther)
    #expect(try await charter().budget == budget)
    #expect(try await charter().boatName == "Zora")
  }

  @Test func `A form without its original values overwrites nothing without confirmation`()
    async throws
  {
    var fields = try await form().setting("vessel", "Zora")
    fields.items.removeAll { $0.name.hasPrefix("origin.") }
    #expect(await post(fields).status == .unprocessableContent)
    #expect(try await charter().boatName == "Alma")
  }

  @Test func `Members of the crew are added, renamed and removed by the form`() async throws {
    var fields = try await form()
    for name in ["Ada", "Ben", "Cem"] {
      fields = try await pages.adding("crew", to: fields, at: path + "/edit")
      for index in fields.items.indices
      where fields.items[index].name.hasSuffix(".name") && fields.items[index].value.isEmpty {
        fields.items[index].value = name
      }
    }
    #expect(await post(fields).status == .seeOther)
    #expect(try await charter().crew == ["Ada", "Ben", "Cem"].map { .init(name: $0, role: .crew) })
    let stored = try await form()
    let rows = stored.all("crew")
    let changed = stored.setting("crew.\(rows[0]).name", "Eve")
      .setting("crew.\(rows[0]).role", "skipper").setting("crew.\(rows[1]).name", " ")
    #expect(await post(changed).status == .seeOther)
    #expect(
      try await charter().crew == [
        CrewMember(name: "Eve", role: .skipper), CrewMember(name: "Cem", role: .crew),
      ])
    let removed = await post(
      try await form().setting("action", "remove:crew.\(try await form().all("crew")[0])"))
    #expect(await post(try pages.sent(by: removed.text)).status == .seeOther)
    #expect(try await charter().crew.map(\.name) == ["Cem"])
  }

  /// Adds a row to the form and fills its fields with the given texts.
  private func adding(
    _ rows: String, _ texts: [String: String], to fields: Fields
  ) async throws -> Fields {
    var fields = try await pages.adding(rows, to: fields, at: path + "/edit")
    let row = try #require(fields.all(rows).last)
    for (name, text) in texts { fields.set("\(rows).\(row).\(name)", text) }
    return fields
  }

  @Test func `A form that is sent twice adds, changes and removes once`() async throws {
    var stored = try await charter()
    stored.crew = ["Ada", "Ben", "Cem"].map { CrewMember(name: $0, role: .crew) }
    stored.budget?.lines = [.init(title: "Fuel", amount: 200)]
    try await pages.dependencies.charterRepository.saveCharter(stored)
    var fields = try await form().setting("budget", " 1,500.00 ").setting("vessel", " Zora ")
    let rows = fields.all("crew")
    fields.set("crew.\(rows[0]).name", " Eve")
    fields.set("crew.\(rows[1]).name", " ")
    let removed = await post(fields.setting("action", "remove:crew.\(rows[2])"))
    fields = try await adding("crew", ["name": "Dan "], to: try pages.sent(by: removed.text))
    fields = try await adding("lines", ["title": "Berths", "amount": "1,200.50"], to: fields)
    #expect(await post(fields).status == .seeOther)
    let saved = try await charter()
    #expect(saved.crew.map(\.name) == ["Eve", "Dan"] && saved.budget?.amount == 1500)
    #expect(saved.budget?.lines.map(\.title) == ["Fuel", "Berths"] && saved.boatName == "Zora")
    #expect(await post(fields).status == .seeOther)
    #expect(try await charter() == saved)
  }

  @Test func `Two forms that add the same member of the crew add one`() async throws {
    let added = try await adding("crew", ["name": "Ada"], to: try await form())
    let other = try await adding("crew", ["name": " Ada "], to: try await form())
    #expect(await post(added).status == .seeOther)
    #expect(await post(other).status == .seeOther)
    #expect(try await charter().crew == [CrewMember(name: "Ada", role: .crew)])
  }

  @Test func `A form that lacks a newer field leaves the stored value unchanged`() async throws {
    let lacking: Set<String> = ["guests", "region", "crew", "lines", "budget", "currency"]
    var stored = try await charter()
    stored.crew = [CrewMember(name: "Ada", role: .skipper)]
    try await pages.dependencies.charterRepository.saveCharter(stored)
    var fields = try await form().setting("vessel", "Zora")
    fields.items.removeAll { field in
      let parts = field.name.split(separator: ".").map(String.init)
      return lacking.contains(parts[0]) || (parts[0] == "origin" && lacking.contains(parts[1]))
    }
    stored.region = "Dalmatia"
    try await pages.dependencies.charterRepository.saveCharter(stored)
    let kept = await post(fields.setting("action", "keep"))
    #expect(try pages.sent(by: kept.text)["region"] == "Dalmatia")
    for form in [fields, try pages.sent(by: kept.text)] {
      #expect(await post(form).status == .seeOther)
      var expected = stored
      expected.boatName = "Zora"
      #expect(try await charter() == expected)
    }
  }

  // MARK: - Older forms

  /// Returns the fields that the former form of the charter would send, with originals.
  private func formerForm() async throws -> Fields {
    var stored = try await charter()
    stored.crew = [CrewMember(name: "Ada", role: .skipper), CrewMember(name: "Ben", role: .crew)]
    try await pages.dependencies.charterRepository.saveCharter(stored)
    let form = try await form()
    var former: Fields = [:]
    for prefix in ["before-", ""] {
      for name in [
        "name", "vessel", "destination", "region", "startDate", "endDate", "guests", "budget",
        "currency",
      ] { former += [prefix + name: form[name] ?? ""] }
      for member in stored.crew {
        former += [prefix + "crewName": member.name, prefix + "crewRole": member.role.rawValue]
      }
    }
    former += ["crewName": "", "crewRole": "crew"]
    return former
  }

  @Test
  func `A former form that is still open is saved with its crew, and overwrites nothing newer`()
    async throws
  {
    var former = try await formerForm()
    #expect(await post(former).status == .seeOther)
    former = former.setting("vessel", "Zora")
    let last = try #require(former.items.lastIndex { $0.name == "crewName" })
    former.items[last].value = "Cem"
    var newer = try await charter()
    newer.region = "Dalmatia"
    try await pages.dependencies.charterRepository.saveCharter(newer)
    var kept = former
    kept += ["action": "keep"]
    let page = await post(kept)
    #expect(page.status == .ok && page.text.contains(#"value="Zora""#))
    #expect(page.text.contains(#"value="Cem""#))
    #expect(await post(former).status == .seeOther)
    let stored = try await charter()
    #expect(stored.boatName == "Zora" && stored.region == "Dalmatia")
    #expect(stored.crew.map(\.name) == ["Ada", "Ben", "Cem"])
    #expect(stored.crew.map(\.role) == [.skipper, .crew, .crew])
  }

  @Test func `A former form of a new charter creates one, however often it is sent`()
    async throws
  {
    let form = await pages.get("/charters/new").text
    let box = try #require(form.firstMatch(of: /name="checklists\.([^"]+)"/)).1
    var former: Fields = [:]
    for item in pages.form.items where !["entry", "action"].contains(item.name) {
      former.items.append(item)
    }
    former += [
      "charterID": UUID().uuidString, "crewName": "Ada", "crewRole": "skipper",
      "checklist-\(box)": "on",
    ]
    let first = try #require(await pages.post("/charters/new", former).headers["Location"])
    #expect(await pages.post("/charters/new", former).headers["Location"] == first)
    let page = await pages.get(first).text
    #expect(page.contains("Ada") && page.contains("/checklists/\(box)"))
  }
}
