import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

/// The form that creates a charter.
@MainActor
struct CharterFormPageTests {
  private let pages: Pages

  init() async throws { pages = try await Pages() }

  @Test
  func `A form sent twice without the script creates one charter, and both answers lead to it`()
    async throws
  {
    async let first = pages.post("/charters/new", pages.form)
    async let second = pages.post("/charters/new", pages.form)
    let responses = await [first, second]
    #expect(responses.map(\.status) == [.seeOther, .seeOther])
    #expect(responses[0].headers["Location"] == responses[1].headers["Location"])
    #expect(try await pages.dependencies.charterRepository.fetchAllCharters().count == 1)
  }

  @Test
  func `A form sent twice from an open page creates one charter, and both answers lead to it`()
    async throws
  {
    let page = await pages.get("/charters/new").text
    let tab = try pages.tabID(page)
    let fields = pages.changed("entry", try #require(pages.formID(page)))
    async let first = pages.post("/charters/new", fields, tab: tab)
    async let second = pages.post("/charters/new", fields, tab: tab)
    let responses = await [first, second]
    #expect(responses.map(\.status) == [.noContent, .noContent])
    let address = try #require(responses[0].headers["Offshore-Location"])
    #expect(responses[1].headers["Offshore-Location"] == address)
    #expect(address == "/charters/\(try #require(pages.formID(page)))")
    #expect(try await pages.dependencies.charterRepository.fetchAllCharters().count == 1)
  }

  @Test
  func `In the form of an open page, another charter can be created, but not the same again`()
    async throws
  {
    let tab = try pages.tabID(await pages.get("/charters/new").text)
    let first = await pages.post("/charters/new", pages.form, tab: tab).headers["Offshore-Location"]
    let again = await pages.post("/charters/new", pages.form, tab: tab).headers["Offshore-Location"]
    #expect(again == first)
    let other = await pages.post("/charters/new", pages.changed("name", "Next year"), tab: tab)
    #expect(other.status == .noContent)
    #expect(other.headers["Offshore-Location"] != first)
    let names = try await pages.dependencies.charterRepository.fetchAllCharters().map(\.name)
      .sorted()
    #expect(names == ["Kornati week", "Next year"])
  }

  @Test
  func `A form that created a charter and is sent with other values says so, then creates another`()
    async throws
  {
    let path = try await pages.createCharter()
    let response = await pages.post("/charters/new", pages.changed("name", "Next year"))
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("This form has created “Kornati week” before."))
    #expect(response.text.contains(#"href="\#(path)""#))
    #expect(response.text.contains(#"value="Next year""#))
    var fields = pages.changed("name", "Next year")
    fields.items[0].value = try #require(pages.formID(response.text))
    #expect(fields["entry"] != pages.form["entry"])
    #expect(await pages.post("/charters/new", fields).status == .seeOther)
    #expect(try await pages.dependencies.charterRepository.fetchAllCharters().count == 2)
  }

  @Test func `A form without an id is refused`() async throws {
    #expect(
      await pages.post("/charters/new", pages.changed("entry", "nonsense")).status
        == .badRequest)
    #expect(try await pages.dependencies.charterRepository.fetchAllCharters().isEmpty)
  }

  @Test(arguments: [
    ("name", "  ", "field-name-error"),
    ("name", String(repeating: "x", count: 81), "field-name-error"),
    ("startDate", "", "field-startDate-error"),
    ("startDate", "2027-02-30", "field-startDate-error"),
    ("endDate", "2027-06-11", "field-endDate-error"), ("endDate", "", "field-endDate-error"),
    ("destination", String(repeating: "x", count: 121), "field-destination-error"),
    ("region", String(repeating: "x", count: 121), "field-region-error"),
    ("guests", "13", "field-guests-error"), ("guests", "some", "field-guests-error"),
    ("budget", "much", "field-budget-error"), ("budget", "-1", "field-budget-error"),
    ("currency", "euro", "field-currency-error"), ("currency", "", "field-currency-error"),
  ]) func `An error of a charter is shown beside its field, and the typed text stays`(
    name: String, value: String, error: String
  ) async throws {
    let response = await pages.post("/charters/new", pages.changed(name, value))
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains(error))
    #expect(response.text.matches(of: /id="field-\w+-error"/).count == 1)
    let focused = response.text.matches(of: /<(?:input|select)[^>]*id="field-(\w+)"[^>]* autofocus/)
    #expect(focused.map { String($0.1) } == [name])
    #expect(response.text.contains(#"value="Alma""#))
    #expect(pages.formID(response.text) == pages.form["entry"])
    #expect(try await pages.dependencies.charterRepository.fetchAllCharters().isEmpty)
  }

  @Test func `A boat's name that is too long is reported beside its field, and stays`() async throws
  {
    let name = String(repeating: "é", count: 81)
    let response = await pages.post("/charters/new", pages.changed("vessel", name))
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("The boat's name may have at most 80 characters."))
    #expect(response.text.contains(#"value="\#(name)""#))
  }

  @Test
  func `A chosen checklist that was deleted meanwhile is reported before anything is stored`()
    async throws
  {
    let page = await pages.get("/charters/new").text
    let form = try pages.sent(by: page).setting("name", "Kornati")
      .setting("startDate", "2027-06-12").setting("endDate", "2027-06-19")
    let library = pages.dependencies.libraryStore
    let gone = try #require(library.checklists.data?.first)
    #expect(form["checklists.\(gone.id.uuidString)"] == "on")
    try await library.delete(Checklist.self, gone.id)
    let refused = await pages.post("/charters/new", form)
    #expect(refused.status == .unprocessableContent)
    #expect(refused.text.contains("A checklist that you chose was deleted meanwhile."))
    #expect(try await pages.dependencies.charterRepository.fetchAllCharters().isEmpty)
    let saved = await pages.post("/charters/new", try pages.sent(by: refused.text))
    let path = try #require(saved.headers["Location"])
    let charter = await pages.get(path).text
    #expect(charter.contains("checklist-list") && !charter.contains(gone.id.uuidString))
  }

  /// Returns the part “More” of a form, from its tag on.
  private func more(_ page: String) throws -> Substring {
    page[try #require(page.firstRange(of: #"<details id="more-fields""#)).lowerBound...]
  }

  @Test func `The form of a new charter shows few fields, and a week from the next Saturday`()
    async throws
  {
    let pages = try await Pages {
      $0.now = { Date(timeIntervalSince1970: 1_812_715_200) }  // Friday, 11 June 2027
      $0.calendar = { Calendar(identifier: .gregorian) }
    }
    let page = await pages.get("/charters/new").text
    let form = try pages.sent(by: page)
    #expect(form["startDate"] == "2027-06-12" && form["endDate"] == "2027-06-19")
    let first = page[..<(try more(page).startIndex)]
    let names = first.matches(of: /\bid="field-([a-zA-Z]+)"/).map { String($0.1) }
    #expect(names == ["name", "startDate", "endDate", "vessel", "checklists"])
    #expect(!first.contains("steps") && !first.contains("class=\"hint\">Before"))
    #expect(first.contains(#"maxlength="80""#))
    let edit = await pages.get(try await pages.createCharter() + "/edit").text
    #expect(try more(edit).contains("Destination, Region, Guests, Crew, Budget"))
  }

  @Test func `“More” is open only if a field in it has an error`() async throws {
    #expect(try more(await pages.get("/charters/new").text).prefix(60).contains("open") == false)
    let wrong = await pages.post("/charters/new", pages.changed("budget", "abc"))
    #expect(try more(wrong.text).prefix(80).contains(#" open data-open="""#))
    #expect(wrong.text.contains("Enter an amount such as 1200 or 1,200.50."))
    #expect(wrong.text.contains(#"inputmode="decimal" value="abc""#))
    let nameless = await pages.post("/charters/new", pages.changed("name", ""))
    #expect(try more(nameless.text).prefix(60).contains("open") == false)
    let added = await pages.post("/charters/new", pages.changed("action", "add:crew"))
    #expect(try more(added.text).prefix(60).contains(" open>"))
  }

  @Test func `A currency is chosen from a list, and an unknown stored one stays`()
    async throws
  {
    func currencies(_ page: String) throws -> [String] {
      let start = try #require(page.firstRange(of: #"id="field-currency""#)).upperBound
      let list = page[start...].prefix { $0 != "\u{1D}" }.split(separator: "</select>")[0]
      return list.matches(of: /<option value="([^"]*)"/).map { String($0.1) }
    }
    let listed = try currencies(await pages.get("/charters/new").text)
    #expect(listed.prefix(3) == ["GBP", "EUR", "USD"] && listed.count > 100)
    #expect(listed.contains("XPF") && Set(listed).count == listed.count)
    let path = try await pages.createCharter()
    var charter = try #require(
      try await pages.dependencies.charterRepository.fetchAllCharters().first)
    charter.budget = CharterBudget(amount: 1200, currencyCode: "DEM")
    try await pages.dependencies.charterRepository.saveCharter(charter)
    let edit = await pages.get(path + "/edit").text
    #expect(try currencies(edit) == ["DEM"] + listed)
    let form = try pages.sent(by: edit).setting("vessel", "Zora")
    #expect(form["currency"] == "DEM")
    #expect(await pages.post(path + "/edit", form).status == .seeOther)
  }

  @Test func `Lines of a budget are entered, added up, and shown`() async throws {
    var form = pages.changed("budget", "")
    for (title, amount) in [("Fuel", "200.50"), ("Berths", "1,200")] {
      form = try await pages.adding("lines", to: form, at: "/charters/new")
      for index in form.items.indices where form.items[index].value.isEmpty {
        if form.items[index].name.hasSuffix(".title") { form.items[index].value = title }
        if form.items[index].name.hasSuffix(".amount") { form.items[index].value = amount }
      }
    }
    let saved = await pages.post("/charters/new", form)
    let path = try #require(saved.headers["Location"])
    let page = await pages.get(path).text
    for text in ["€1,400.50", "Fuel", "€200.50", "Berths", "€1,200.00"] {
      #expect(page.contains(text), "\(text)")
    }
    var edited = try pages.sent(by: await pages.get(path + "/edit").text)
    #expect(edited["budget"] == "")
    edited.set("amount", "100")
    #expect(await pages.post(path + "/edit", edited).status == .seeOther)
    #expect(await pages.get(path).text.contains("€200.00"))
    let wrong = edited.setting("currency", "JPY").filled(with: "1").items.map {
      $0.name.hasSuffix(".amount") ? ([$0.name: "1.50"] as Fields).items[0] : $0
    }
    edited.items = wrong
    let refused = await pages.post(path + "/edit", edited)
    #expect(refused.text.matches(of: /id="field-lines\.[^"]+\.amount-error"/).count == 2)
  }

  @Test func `An entered sum stays, even if its lines have the same total`() async throws {
    var form = try await pages.adding("lines", to: pages.form, at: "/charters/new")
    form.set("title", "Fuel")
    form.set("amount", "1200")
    let path = try #require(await pages.post("/charters/new", form).headers["Location"])
    var edited = try pages.sent(by: await pages.get(path + "/edit").text)
    #expect(edited["budget"] == "1200")
    edited.set("amount", "1300")
    let kept = await pages.post(path + "/edit", edited.setting("action", "keep"))
    #expect(kept.text.contains("The budget lines add up to more than the budget."))
    #expect(await pages.post(path + "/edit", edited).status == .seeOther)
    #expect(try pages.sent(by: await pages.get(path + "/edit").text)["budget"] == "1200")
  }

  @Test func `A body that is larger than any form is refused`() async throws {
    let large = pages.changed("name", String(repeating: "x", count: 200_000))
    #expect(await pages.post("/charters/new", large).status == .contentTooLarge)
  }
}
