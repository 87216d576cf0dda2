import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

/// A charter that is changed by forms that may be old, without the script.
@MainActor
struct CharterEditPageTests {
  private let pages: Pages
  private let path: String

  init() async throws {
    pages = try await Pages()
    path = try await pages.createCharter()
  }

  /// What the form of the charter would send now.
  private func form() async throws -> Fields {
    try pages.sent(await pages.get(path + "/edit").text, form: "edit-charter")
  }

  private func post(_ fields: Fields) async -> Response {
    await pages.post(path + "/edit", fields)
  }

  private func charter() async throws -> CharterModel {
    try #require(try await pages.dependencies.charterRepository.fetchAllCharters().first)
  }

  @Test("A form that is older than what is stored changes only what was changed in it")
  func keepsNewer() async throws {
    var first = try await form()
    let second = try await form().setting("vessel", "Zora")
    first = first.setting("name", "Renamed “& Co”").setting("region", "Dalmatia")
      .setting("destination", "").setting("startDate", "2027-06-13").setting(
        "endDate", "2027-06-20"
      )
      .setting("guests", "7").setting("budget", "2,400.50").setting("currency", "USD")
    first.set("crewName", "Ada")
    #expect(await post(first).status == .seeOther)
    var expected = try await charter()
    #expect(await post(second).status == .seeOther)
    expected.boatName = "Zora"
    #expect(try await charter() == expected)
    #expect(expected.name == "Renamed “& Co”" && expected.crew.map(\.name) == ["Ada"])
  }

  @Test("An open page, too, changes only what was changed in it")
  func keepsNewerInTab() async throws {
    let page = await pages.get(path + "/edit").text
    _ = await post(try await form().setting("name", "Renamed"))
    let fields = try pages.sent(page, form: "edit-charter").setting("vessel", "Zora")
    let response = await pages.post(path + "/edit", fields, tab: try pages.tabID(page))
    #expect(response.status == .noContent)
    #expect(try await charter().name == "Renamed")
    #expect(try await charter().boatName == "Zora")
  }

  @Test("A charter with long names in any script can be changed")
  func longNames() async throws {
    func text(_ count: Int) -> String { String(repeating: "Ж", count: count) }
    var stored = try await charter()
    (stored.name, stored.boatName) = (text(80), text(80))
    (stored.location, stored.region) = (text(120), text(120))
    stored.crew = Array(repeating: CrewMember(name: text(80), role: .crew), count: 12)
    try await pages.dependencies.charterRepository.saveCharter(stored)
    #expect(await post(try await form().setting("vessel", "Zora")).status == .seeOther)
    #expect(try await charter().boatName == "Zora")
  }

  @Test(
    "Of what both changed the second is told, keeps what was typed, and replaces it by saving again"
  )
  func conflict() async throws {
    let (first, second) = (try await form(), try await form())
    _ = await post(first.setting("name", "First").setting("region", "Dalmatia"))
    let refused = await post(second.setting("name", "Second"))
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("This was changed elsewhere meanwhile."))
    #expect(refused.text.contains(#"href="\#(path)" target="_blank""#))
    #expect(try await charter().name == "First")
    let shown = try pages.sent(refused.text, form: "edit-charter")
    #expect(shown["name"] == "Second" && shown["region"] == "Dalmatia")
    #expect(await post(shown).status == .seeOther)
    #expect(try await charter().name == "Second")
    #expect(try await charter().region == "Dalmatia")
  }

  @Test("Days that were moved meanwhile are no half of a stay")
  func days() async throws {
    let (first, second) = (try await form(), try await form())
    let moved = first.setting("startDate", "2027-07-06").setting("endDate", "2027-07-13")
    _ = await post(moved.setting("region", "Dalmatia"))
    let refused = await post(second.setting("endDate", "2027-06-20").setting("vessel", "Zora"))
    #expect(refused.status == .unprocessableContent)
    let shown = try pages.sent(refused.text, form: "edit-charter")
    #expect(shown["startDate"] == "2027-06-12" && shown["endDate"] == "2027-06-20")
    #expect(shown["region"] == "Dalmatia" && shown["vessel"] == "Zora")
    #expect(try await charter().boatName == "Alma")
  }

  @Test("Amount and currency are one value")
  func budget() async throws {
    let (first, second) = (try await form(), try await form())
    _ = await post(first.setting("currency", "USD"))
    #expect(await post(second.setting("budget", "1500")).status == .unprocessableContent)
    #expect(try await charter().budget == CharterBudget(amount: 1200, currencyCode: "USD"))
  }

  @Test("What was typed comes back when the page is fetched again, and nothing is stored")
  func keepsDraft() async throws {
    var typed = try await form().setting("vessel", "Half a na")
    typed += ["action": "keep"]
    let kept = await post(typed)
    #expect(kept.status == .ok)
    #expect(try pages.sent(kept.text, form: "edit-charter")["vessel"] == "Half a na")
    #expect(try await charter().boatName == "Alma")
  }

  @Test("A budget stays as it is when the language was changed after the form was opened")
  func otherLanguage() async throws {
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

  @Test(
    "A form that does not say what it began with is no form of this app",
    arguments: ["before-name", "before-budget", "before-crewRole"])
  func refusesUnknown(_ name: String) async throws {
    var first = try await form()
    first.set("crewName", "Ada")
    _ = await post(first)
    var fields = try await form().setting("vessel", "Zora")
    #expect(fields[name] != nil)
    fields.items.removeAll { $0.name == name }
    #expect(await post(fields).status == .badRequest)
    #expect(try await charter().boatName == "Alma")
  }
}
