import Anyfleet
import AnyfleetTestSupport
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import AnyfleetWeb

/// The list of charters with its filters, search and pages; and the first page.
@MainActor
struct CharterListPageTests {
  private let pages: Pages

  init() async throws { pages = try await Pages() }

  /// Stores charters that begin on consecutive days, the first of them this many days from now.
  private func store(_ names: [String], from distance: Double = 30) async throws {
    for (number, name) in names.enumerated() {
      let start = Date().addingTimeInterval((distance + Double(number)) * 86_400)
      try await pages.dependencies.charterStore.createCharter(
        name: name, boatName: nil, location: nil, startDate: start,
        endDate: start.addingTimeInterval(86_400))
    }
  }

  private func names(_ page: String) -> [String] {
    page.matches(of: /id="charter-[^"]+"><span class="label">([^<]+)</).map { String($0.1) }
  }

  @Test func `A filter shows its charters with their number, and preserves the search`()
    async throws
  {
    try await store(["Past"], from: -30)
    try await store(["Next", "Later"])
    #expect(names(await pages.get("/charters").text) == ["Next", "Later", "Past"])
    let upcoming = await pages.get("/charters?filter=upcoming&q=late").text
    #expect(names(upcoming) == ["Later"])
    #expect(upcoming.contains(#"href="/charters?filter=past&amp;q=late""#))
    #expect(upcoming.contains(#"name="filter" value="upcoming""#))
    #expect(upcoming.contains(#"value="late""#))
    let past = await pages.get("/charters?filter=past").text
    #expect(names(past) == ["Past"])
    #expect(past.contains(#"href="/charters?filter=past" aria-current="page">Past"#))
    #expect(names(await pages.get("/charters?filter=nonsense&pages=-1").text).count == 3)
  }

  @Test func `A search or a filter without charters says so, and links to more`() async throws {
    try await store(["Kornati"])
    #expect(await pages.get("/charters?q=nowhere").text.contains("Nothing found"))
    let archived = await pages.get("/charters?filter=archived").text
    #expect(archived.contains("None here") && archived.contains("Show all"))
  }

  @Test func `A link shows more charters, page by page`() async throws {
    try await store((1...45).map { "Charter \($0)" })
    let first = await pages.get("/charters").text
    #expect(names(first).count == 20)
    let more = try #require(first.firstMatch(of: /id="more"[^>]*href="([^"#]+)#/)?.1)
    #expect(more == "/charters?pages=2")
    let second = await pages.get(String(more)).text
    #expect(names(second).count == 40)
    #expect(second.contains("/charters?pages=3#"))
    let third = await pages.get("/charters?pages=3").text
    #expect(names(third).count == 45)
    #expect(!third.contains(#"id="more""#))
  }

  @Test func `An open page shows more charters when the user scrolls near its end`() async throws {
    try await store((1...45).map { "Charter \($0)" })
    let page = await pages.get("/charters").text
    let tab = try pages.tabID(page)
    #expect(page.contains(#"action="/charters" id="more-form" data-more="""#))
    #expect(await pages.post("/charters", ["action": "more"], tab: tab).status == .noContent)
    #expect(await pages.post("/charters", ["action": "more"], tab: tab).status == .noContent)
  }

  @Test func `The filters depend on dates alone, and those without charters are left out`()
    async throws
  {
    let pages = try await Pages { $0.now = { .day(6, 10) } }
    let charter = CharterModel.sample("Kornati", from: .day(6, 6))
    try await pages.dependencies.charterRepository.createCharter(charter)
    try await pages.dependencies.charterRepository.setActiveCharter(charter.id)
    let page = await pages.get("/charters?filter=inProgress").text
    #expect(names(page) == ["Kornati"])
    let filters = page.matches(of: /id="filter-([a-zA-Z]+)"[^>]*>[^<]*<span class="count"> (\d+)</)
      .map { "\($0.1) \($0.2)" }
    #expect(filters == ["all 1", "inProgress 1"])
  }

  @Test func `The back link of a charter leads to the list with its filter and search`()
    async throws
  {
    let path = try await pages.createCharter()
    #expect(await pages.get(path).text.contains(#"<a href="/charters">‹ Charters</a>"#))
    _ = await pages.get("/charters?filter=upcoming&q=korn")
    #expect(
      await pages.get(path).text.contains(
        #"<a href="/charters?filter=upcoming&amp;q=korn">‹ Charters</a>"#))
    _ = await pages.get("/charters")
    #expect(await pages.get(path).text.contains(#"<a href="/charters">‹ Charters</a>"#))
  }

  @Test func `When a page has as many charters as it can have, the list continues after the last`()
    async throws
  {
    let limit = CharterListViewModel.maximumPageCount * CharterPage.defaultSize
    try await store((1...(limit + 21)).map { String(format: "Charter %04d", $0) })
    var address = "/charters?pages=\(CharterListViewModel.maximumPageCount)"
    var found: [String] = []
    for expected in [limit, 20, 21] {
      let page = await pages.get(address).text
      #expect(names(page).count == expected, "\(address)")
      if expected != 20 { found += names(page) }
      guard let more = page.firstMatch(of: /id="more"[^>]*href="([^"#]+)/)?.1 else { break }
      address = String(more).replacing("&amp;", with: "&")
    }
    #expect(found.count == limit + 21 && Set(found).count == limit + 21)
    #expect(address.contains("after=") && address.contains("pages=2"))
    let gone = await pages.get("/charters?after=\(UUID().uuidString)").text
    #expect(names(gone).count == 20, "A charter that was deleted meanwhile begins the list anew.")
  }

  @Test func `A row of the list's menu refreshes it and preserves filter, search and pages`()
    async throws
  {
    try await store(["Next"])
    let page = await pages.get("/charters?filter=upcoming&q=next").text
    #expect(
      page.contains(#"action="/charters?filter=upcoming&amp;q=next" novalidate id="refresh""#))
    let answer = await pages.post(
      "/charters?filter=upcoming&q=next&pages=2", ["action": "refresh"])
    #expect(answer.headers["Location"] == "/charters?filter=upcoming&q=next&pages=2")
    #expect(page.contains(">Refresh</button>"))
    pages.dependencies.language.use(.russian)
    #expect(await pages.get("/charters").text.contains(">Обновить</button>"))
  }

  @Test func `A notice about outdated data has a link that reads it again`() throws {
    let say = Localizer(.english, calendar: .utc)
    let stale = Notices([.database(.readFailed)], say, address: "/charters").html.description
    #expect(stale.contains(#"<p>Your data could not be read.</p>"#))
    #expect(stale.contains(#"<a class="refresh" href="/charters">"#))
    let damaged = AppError.database(.unreadable(.init(table: "charters", column: "crew", row: "1")))
    #expect(!Notices([damaged], say, address: "/charters").html.description.contains("refresh"))
  }

  @Test func `An address is parsed to the value that it was made from`() throws {
    let query = CharterListQuery(filter: .past, search: "a+b & ç?", pageCount: 3)
    let request = Request(.get, query.address)
    #expect(CharterListQuery(request.query) == query)
    #expect(CharterListQuery().address == "/charters")
  }

  @Test
  func `The first page shows the active charter, the next ones, and the checklist to continue`()
    async throws
  {
    let path = try await pages.createCharter()
    try await store(["Next"])
    _ = await pages.post(path, ["action": "active", "isOn": "true"])
    let checklist = try await pages.checklistPath(path)
    let item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
    _ = await pages.post(checklist, .tick(item))
    let page = await pages.get("/").text
    let hero = try #require(page.firstMatch(of: /class="hero".*?<\/section>/)?.0)
    #expect(hero.contains("Kornati week") && hero.contains("Upcoming"))
    #expect(hero.contains(#"href="\#(checklist)""#))
    #expect(hero.contains("Continue “Departure”, 1/"))
    #expect(names(page) == ["Next"])
  }

  @Test
  func `Without an active charter, those in progress are shown, and one can be activated there`()
    async throws
  {
    let pages = try await Pages { $0.now = { .day(6, 10) } }
    let id = UUID()
    try await pages.dependencies.charterRepository.createCharter(
      CharterModel(
        id: id, name: "Kornati <1>", boatName: nil, location: nil, startDate: .day(6, 6),
        endDate: .day(6, 13), createdAt: .day(1, 1), checkInChecklistID: nil))
    let page = await pages.get("/").text
    #expect(page.contains("Day 5 of 8"))
    #expect(page.contains("Kornati &lt;1&gt;") && page.contains(#"name="action" value="sail""#))
    #expect(page.contains(#"aria-label="Make active: Kornati &lt;1&gt;""#))
    for _ in 0..<2 {
      let response = await pages.post("/", ["action": "sail", "charter": id.uuidString])
      #expect(response.status == .seeOther && response.headers["Location"] == "/")
    }
    let active = await pages.get("/").text
    #expect(active.contains(#"class="hero""#) && !active.contains(#"value="sail""#))
    let unknown = await pages.post(
      "/", ["action": "sail", "charter": UUID().uuidString])
    #expect(unknown.status == .unprocessableContent && unknown.text.contains(#"role="alert""#))
    #expect(await pages.post("/", ["action": "sail"]).status == .badRequest)
  }

  @Test func `The pages are in the language in use`() async throws {
    let path = try await pages.createCharter()
    pages.dependencies.language.use(.russian)
    await pages.dependencies.language.settled()
    for (path, texts) in [
      ("/", ["Ближайшие", "Kornati week"]), ("/charters", ["Предстоящие", "Новый чартер"]),
      (path, ["4 гостя", "0 из ", "Удалить этот чартер"]), (path + "/edit", ["Первый день"]),
      (path + "/report", ["Отчёт о приёмке"]),
      ("/charters/new", ["Сохранить", "Добавить члена команды"]),
    ] {
      let page = await pages.get(path).text
      for text in texts { #expect(page.contains(text), "\(text) on \(path)") }
      #expect(page.contains(#"lang="ru""#))
    }
  }
}
