import Anyfleet
import AnyfleetWeb
import Foundation
import Offshore
import OffshoreHTTP
import OffshoreWeb
import Testing

/// The pages on the router, without a socket.
@MainActor
struct AnyfleetPagesTests {
  private let dependencies: AppDependencies
  private let router: Router

  init() async throws {
    dependencies = try await AppDependencies.makeForTesting()
    let tabs = TabRegistry()
    var router = Router()
    router.addLivePages(tabs)
    router.addAnyfleet(dependencies, tabs: tabs)
    self.router = router
  }

  private func get(_ path: String) async -> Response {
    await router.respond(to: Request(.get, path))
  }

  private func post(_ path: String, _ fields: Fields, tab: String? = nil) async -> Response {
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    if let tab { headers["Offshore-Tab"] = tab }
    return await router.respond(
      to: Request(.post, path, headers: headers, body: Array(fields.encoded.utf8)))
  }

  private let form: Fields = [
    "charterID": UUID().uuidString, "name": "Kornati week", "vessel": "Alma",
    "destination": "Biograd", "region": "",
    "startDate": "2027-06-12", "endDate": "2027-06-19", "guests": "4",
  ]

  private func changed(_ name: String, _ value: String) -> Fields {
    var fields = form
    for index in fields.items.indices where fields.items[index].name == name {
      fields.items[index].value = value
    }
    return fields
  }

  /// Creates a charter by its form.
  /// - Returns: the path of its page.
  private func createCharter() async throws -> String {
    let response = await post("/charters/new", form)
    #expect(response.status == .seeOther)
    return try #require(response.headers["Location"])
  }

  /// - Returns: the path of the first checklist of a charter.
  private func checklistPath(_ charter: String) async throws -> String {
    let page = await get(charter).text
    return String(try #require(page.firstMatch(of: /href="([^"]+\/checklists\/[^"]+)"/)?.1))
  }

  private func tabID(_ markup: String) throws -> String {
    String(try #require(markup.firstMatch(of: /data-tab="([^"]+)"/)?.1))
  }

  private func formID(_ markup: String) -> String? {
    markup.firstMatch(of: /name="charterID" value="([^"]+)"/).map { String($0.1) }
  }

  private func itemPaths(_ markup: String) -> [String] {
    markup.matches(of: /action="([^"]+\/items\/[^"]+)"/).map { String($0.1) }
  }

  // MARK: - Charters

  @Test("The first page leads to the charters, which begin empty")
  func firstPage() async {
    let first = await get("/")
    #expect(first.headers["Location"] == "/charters")
    let charters = await get("/charters")
    #expect(charters.status == .ok)
    #expect(charters.text.contains("No Charters Yet"))
  }

  @Test("A charter that is created shows in the list and on a page of its own")
  func createsCharter() async throws {
    let path = try await createCharter()
    let page = await get(path).text
    for text in ["Kornati week", "Alma, Biograd, 12 Jun – 19 Jun 2027, 4 guests", "Checklists"] {
      #expect(page.contains(text))
    }
    let list = await get("/charters").text
    #expect(list.contains("Kornati week") && list.contains("Upcoming"))
  }

  @Test("A form sent twice without the script creates one charter, and both lead to it")
  func createsOnce() async throws {
    async let first = post("/charters/new", form)
    async let second = post("/charters/new", form)
    let responses = await [first, second]
    #expect(responses.map(\.status) == [.seeOther, .seeOther])
    #expect(responses[0].headers["Location"] == responses[1].headers["Location"])
    #expect(try await dependencies.charterRepository.fetchAllCharters().count == 1)
  }

  @Test("A form sent twice from an open page creates one charter, and both lead to it")
  func createsOnceInTab() async throws {
    let page = await get("/charters/new").text
    let tab = try tabID(page)
    let fields = changed("charterID", try #require(formID(page)))
    async let first = post("/charters/new", fields, tab: tab)
    async let second = post("/charters/new", fields, tab: tab)
    let responses = await [first, second]
    #expect(responses.map(\.status) == [.noContent, .noContent])
    let address = try #require(responses[0].headers["Offshore-Location"])
    #expect(responses[1].headers["Offshore-Location"] == address)
    #expect(address == "/charters/\(try #require(formID(page)))")
    #expect(try await dependencies.charterRepository.fetchAllCharters().count == 1)
  }

  @Test("Back at the form of an open page, another charter can be created, and the same cannot")
  func createsAnotherInTab() async throws {
    let tab = try tabID(await get("/charters/new").text)
    let first = await post("/charters/new", form, tab: tab).headers["Offshore-Location"]
    let again = await post("/charters/new", form, tab: tab).headers["Offshore-Location"]
    #expect(again == first)
    let other = await post("/charters/new", changed("name", "Next year"), tab: tab)
    #expect(other.status == .noContent)
    #expect(other.headers["Offshore-Location"] != first)
    let names = try await dependencies.charterRepository.fetchAllCharters().map(\.name).sorted()
    #expect(names == ["Kornati week", "Next year"])
  }

  @Test("A form that created a charter and is sent with another says so, and then creates it")
  func createsAnotherWithoutScript() async throws {
    let path = try await createCharter()
    let response = await post("/charters/new", changed("name", "Next year"))
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("This form has created “Kornati week” before."))
    #expect(response.text.contains(#"href="\#(path)""#))
    #expect(response.text.contains(#"value="Next year""#))
    var fields = changed("name", "Next year")
    fields.items[0].value = try #require(formID(response.text))
    #expect(fields["charterID"] != form["charterID"])
    #expect(await post("/charters/new", fields).status == .seeOther)
    #expect(try await dependencies.charterRepository.fetchAllCharters().count == 2)
  }

  @Test("A form without an id is no form of this app")
  func refusesFormWithoutID() async throws {
    #expect(await post("/charters/new", changed("charterID", "nonsense")).status == .badRequest)
    #expect(try await dependencies.charterRepository.fetchAllCharters().isEmpty)
  }

  @Test(
    "What is wrong with a charter is said beside its field, and what was typed stays",
    arguments: [
      ("name", "  ", "field-name-error"),
      ("name", String(repeating: "x", count: 81), "field-name-error"),
      ("startDate", "", "field-startDate-error"),
      ("startDate", "2027-02-30", "field-startDate-error"),
      ("endDate", "2027-06-11", "field-endDate-error"), ("endDate", "", "field-endDate-error"),
      ("destination", String(repeating: "x", count: 121), "field-destination-error"),
      ("region", String(repeating: "x", count: 121), "field-region-error"),
      ("guests", "13", "field-guests-error"), ("guests", "some", "field-guests-error"),
    ])
  func refusesCharter(name: String, value: String, error: String) async throws {
    let response = await post("/charters/new", changed(name, value))
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains(error))
    #expect(response.text.matches(of: /id="field-\w+-error"/).count == 1)
    #expect(response.text.contains(#"value="Alma""#))
    #expect(formID(response.text) == form["charterID"])
    #expect(try await dependencies.charterRepository.fetchAllCharters().isEmpty)
  }

  @Test("A boat's name that is too long is said beside its field, and stays")
  func refusesLongVessel() async throws {
    let name = String(repeating: "é", count: 81)
    let response = await post("/charters/new", changed("vessel", name))
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("The boat's name may have at most 80 characters."))
    #expect(response.text.contains(#"value="\#(name)""#))
  }

  @Test("A charter that cannot be read is said in the list, and no more once it is mended")
  func unreadableCharter() async throws {
    _ = try await createCharter()
    try await dependencies.database.database.write {
      try SQL("UPDATE charters SET crew = '['").run($0)
    }
    let list = await get("/charters").text
    #expect(list.contains("Some of your data is damaged (crew of "))
    #expect(!list.contains("Kornati week") && !list.contains("No Charters Yet"))
    try await dependencies.database.database.write {
      try SQL("UPDATE charters SET crew = '[]'").run($0)
    }
    await dependencies.charterStore.loadCharters()
    let mended = await get("/charters").text
    #expect(mended.contains("Kornati week") && !mended.contains("damaged"))
  }

  @Test("A charter is deleted by its page, which leads to the list, however often it is pressed")
  func deletesCharter() async throws {
    let path = try await createCharter()
    let page = await get(path).text
    #expect(page.contains(#"<details id="delete" class="section">"#))
    #expect(page.contains(#"method="post" action="\#(path)/delete""#))
    for _ in 0..<2 {
      let response = await post(path + "/delete", [:])
      #expect(response.status == .seeOther)
      #expect(response.headers["Location"] == "/charters")
    }
    #expect(await get(path).status == .notFound)
    #expect(try await dependencies.charterRepository.fetchAllCharters().isEmpty)
  }

  @Test("A charter is deleted from an open page, which is told where to go")
  func deletesCharterInTab() async throws {
    let path = try await createCharter()
    let tab = try tabID(await get(path).text)
    let response = await post(path + "/delete", [:], tab: tab)
    #expect(response.status == .noContent)
    #expect(response.headers["Offshore-Location"] == "/charters")
    #expect(try await dependencies.charterRepository.fetchAllCharters().isEmpty)
  }

  @Test("A charter that could not be deleted is still there, and its page says so")
  func failsToDeleteCharter() async throws {
    let path = try await createCharter()
    try await dependencies.database.database.write {
      try SQL("CREATE TRIGGER refuse BEFORE DELETE ON charters BEGIN SELECT raise(ABORT, 'x'); END")
        .run($0)
    }
    let response = await post(path + "/delete", [:])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Your change could not be saved."))
    #expect(await get(path).status == .ok)
  }

  @Test("Markup in a name is text")
  func escapes() async throws {
    _ = await post("/charters/new", changed("name", "<script>alert(1)</script>"))
    let list = await get("/charters").text
    #expect(!list.contains("<script>alert"))
    #expect(list.contains("&lt;script&gt;"))
  }

  @Test(
    "An unknown or malformed address is 404",
    arguments: [
      "/charters/nonsense", "/charters/00000000-0000-0000-0000-000000000000",
      "/charters/00000000-0000-0000-0000-000000000000/checklists/nonsense", "/elsewhere",
    ])
  func unknownAddress(_ path: String) async {
    #expect(await get(path).status == .notFound)
  }

  @Test("A checklist that does not exist is 404 in a charter that does")
  func unknownChecklist() async throws {
    let charter = try await createCharter()
    let path = charter + "/checklists/\(UUID().uuidString)"
    #expect(await get(path).status == .notFound)
  }

  // MARK: - Running a checklist

  @Test("A tick without the script is stored when it is answered, and shows")
  func ticks() async throws {
    let charter = try await createCharter()
    let checklist = try await checklistPath(charter)
    let item = try #require(itemPaths(await get(checklist).text).first)
    let response = await post(item, ["isOn": "true"])
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == checklist)
    #expect(await get(checklist).text.contains("1 of "))
    #expect(await get(charter).text.contains("1 of "))
    _ = await post(item, ["isOn": "true"])
    #expect(await get(checklist).text.contains("1 of "))
    _ = await post(item, ["isOn": "false"])
    #expect(await get(checklist).text.contains(#"id="count" class="sub">0 of "#))
  }

  @Test("A tick from a page that is open is answered without another page")
  func ticksInTab() async throws {
    let checklist = try await checklistPath(try await createCharter())
    let page = await get(checklist).text
    let tab = try tabID(page)
    let item = try #require(itemPaths(page).first)
    #expect(await post(item, ["isOn": "true"], tab: tab).status == .noContent)
    #expect(await get(checklist).text.contains("1 of "))
  }

  @Test("A tick from a page that does not show yet what another one took back is stored")
  func ticksFromStalePage() async throws {
    let checklist = try await checklistPath(try await createCharter())
    let page = await get(checklist).text
    let item = try #require(itemPaths(page).first)
    let ids = try item.matches(of: /[0-9A-F-]{36}/).map {
      try #require(UUID(uuidString: String($0.0)))
    }
    let tab = try tabID(page)
    #expect(await post(item, ["isOn": "true"], tab: tab).status == .noContent)
    let repository = dependencies.executionRepository
    try await repository.saveItemState(
      checklistID: ids[1], charterID: ids[0], itemID: ids[2], isChecked: false)
    // Whether the page follows that before it is asked again must not matter.
    #expect(await post(item, ["isOn": "true"], tab: tab).status == .noContent)
    let state = try await repository.loadExecutionState(checklistID: ids[1], charterID: ids[0])
    #expect(state?.checkedCount == 1)
  }

  @Test("A tick that makes no sense is refused and stores nothing")
  func refusesTicks() async throws {
    let checklist = try await checklistPath(try await createCharter())
    let item = try #require(itemPaths(await get(checklist).text).first)
    #expect(await post(item, ["isOn": "perhaps"]).status == .badRequest)
    #expect(await post(item, [:]).status == .badRequest)
    let unknown = checklist + "/items/\(UUID().uuidString)"
    #expect(await post(unknown, ["isOn": "true"]).status == .notFound)
    #expect(await post(checklist + "/items/nonsense", ["isOn": "true"]).status == .notFound)
    #expect(await get(checklist).text.contains(#"id="count" class="sub">0 of "#))
  }

  @Test("A body that is larger than any form is refused")
  func refusesLargeBody() async throws {
    let large = changed("name", String(repeating: "x", count: 20_000))
    #expect(await post("/charters/new", large).status == .contentTooLarge)
  }

  @Test("Progress that cannot be read is said on the page, and stays as it is")
  func corruptProgress() async throws {
    let charter = try await createCharter()
    let checklist = try await checklistPath(charter)
    let item = try #require(itemPaths(await get(checklist).text).first)
    _ = await post(item, ["isOn": "true"])
    let garbage = "{not JSON"
    try await dependencies.database.database.write {
      try SQL("UPDATE checklistExecutionStates SET itemStates = \(garbage)").run($0)
    }
    let page = await get(checklist)
    #expect(page.text.contains(#"role="alert""#))
    let row =
      #"Progress cannot be read</small></span><span class="spacer"></span>"#
      + #"<span class="badge bad">Unreadable</span>"#
    let detail = await get(charter)
    #expect(detail.status == .ok)
    #expect(detail.text.contains(row))
    #expect(detail.text.contains("Some of your data is damaged (itemStates of "))
    _ = await post(item, ["isOn": "false"])
    let stored = try await dependencies.database.database.read {
      try SQL("SELECT itemStates FROM checklistExecutionStates").all($0, as: String.self)
    }
    #expect(stored == [garbage])
    try await dependencies.database.database.write {
      try SQL("UPDATE checklistExecutionStates SET itemStates = '{}'").run($0)
    }
    let mended = await get(charter).text
    #expect(!mended.contains("Progress cannot be read") && !mended.contains("damaged"))
  }
}
