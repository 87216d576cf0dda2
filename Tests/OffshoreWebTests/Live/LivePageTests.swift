import OffshoreHTTP
import Testing

@testable import OffshoreWeb

@MainActor struct LivePageTests {
  private let app = CounterApp()

  @Test func `A change by one tab arrives in every tab, as the one region that changed`()
    async throws
  {
    let browser = app.browser
    let (first, second) = (try await browser.open("/counter"), try await browser.open("/counter"))
    #expect(first.tab != second.tab)
    let streams = [
      try await browser.listen(first.tab, after: 0), try await browser.listen(second.tab, after: 0),
    ]
    let response = await browser.post("/counter/increment", from: first.tab)
    #expect(response.status == .noContent)
    for stream in streams {
      let change = try await stream.nextChange()
      #expect(change.op == "morph" && change.target == "count")
      #expect(change.html == #"<div id="count" data-region><p>1</p></div>"#)
    }
  }

  @Test func `The answer to the script names the revision that has the requested change`()
    async throws
  {
    let browser = app.browser
    let page = try await browser.open("/counter")
    #expect(page.revision == 0)
    let stream = try await browser.listen(page.tab, after: 0)
    let response = await browser.post("/counter/increment", from: page.tab)
    #expect(response.headers["Offshore-Revision"] == "1")
    #expect(await stream.next()?.id == "1")
  }

  @Test func `Without the script the form is answered by 303, and the page shows the change`()
    async throws
  {
    let response = await app.browser.post("/counter/increment")
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == "/counter")
    #expect(try await app.browser.open("/counter").html.contains("<p>1</p>"))
  }

  @Test func `A page learns that a browser shows it, and whether that runs the script`()
    async throws
  {
    @MainActor final class Log { var entries: [Bool] = [] }
    /// A page that records how it was opened.
    struct OpenedPage: LivePage {
      let log: Log
      func opened(isScripted: Bool) async { log.entries.append(isScripted) }
      func page(_ tab: Tab) -> Page { Page("\(log.entries.count)") }
    }
    let (tabs, log) = (TabRegistry(), Log())
    var request = Request(.get, "/")
    let page = try await tabs.open(request) { OpenedPage(log: log) }
    #expect(log.entries == [false] && page.text.contains("<h1 id=\"heading\">1</h1>"))
    request.headers["Cookie"] = "a=b; offshore-script=1"
    _ = try await tabs.open(request) { OpenedPage(log: log) }
    #expect(log.entries == [false, true])
    let form = Request(.post, "/")
    let refused = try await tabs.act(form, at: "/") {
      OpenedPage(log: log)
    } action: { _ in
      .invalid
    }
    #expect(refused.status == .unprocessableContent && log.entries.count == 2)
    await tabs.close()
  }

  @Test func `A form of a closed tab is still processed once and answered by 303`()
    async
  {
    let response = await app.browser.post("/counter/increment", from: "gone")
    #expect(response.status == .seeOther)
    #expect(app.store.count == 1)
  }

  @Test func `A change of the language arrives with the texts of the page`() async throws {
    let page = try await app.browser.open("/counter")
    #expect(page.html.contains(#"<html lang="en">"#))
    let stream = try await app.browser.listen(page.tab, after: 0)
    app.store.texts = .russian
    let change = try #require(await stream.nextChanges().first { $0.target == "skip" })
    #expect(change.html.contains(#"lang="ru""#))
    #expect(change.html.contains(PageTexts.russian.notSent))
  }

  @Test func `A tab that shows another page does not process the form`() async throws {
    var app = app
    let (store, tabs) = (app.store, app.tabs)
    app.router.get("other") { try await tabs.open($0) { CounterPage(store) } }
    let page = try await app.browser.open("/other")
    let response = await app.browser.post("/counter/increment", from: page.tab)
    #expect(response.status == .seeOther)
  }

  @Test func `A page is fetched again with its query, and still processes forms of its path`()
    async throws
  {
    let page = try await app.browser.open("/counter?sort=name&x=%26")
    #expect(page.html.contains(#"data-address="/counter?sort=name&amp;x=%26""#))
    let response = await app.browser.post("/counter/increment", from: page.tab)
    #expect(response.status == .noContent)
  }

  @Test func `A change before the stream is opened is not lost`() async throws {
    let page = try await app.browser.open("/counter")
    app.store.count = 7
    let stream = try await app.browser.listen(page.tab, after: page.revision)
    #expect(try await stream.nextChange().html.contains("<p>7</p>"))
  }

  @Test func `Several changes of one turn are one change on the page`() async throws {
    let page = try await app.browser.open("/counter")
    let stream = try await app.browser.listen(page.tab, after: 0)
    for _ in 0..<100 { app.store.count += 1 }
    let first = try #require(await stream.next())
    #expect(first.id == "1" && first.data.contains("<p>100</p>"))
    app.store.count = 0
    #expect(await stream.next()?.id == "2")
  }

  @Test func `A change that does not alter the page is not sent`() async throws {
    let page = try await app.browser.open("/counter")
    let stream = try await app.browser.listen(page.tab, after: 0)
    app.store.count += 0
    app.store.title = "Tally"
    #expect(try await stream.nextChanges().map(\.target) == ["page-title", "heading"])
  }

  @Test
  func `Values read outside of all regions are observed too, and regions stay observed`()
    async throws
  {
    let page = try await app.browser.open("/counter")
    let stream = try await app.browser.listen(page.tab, after: 0)
    app.store.title = "Tally"
    #expect(
      try await stream.nextChanges() == [
        .init(
          op: "morph", target: "page-title",
          html: #"<title id="page-title">Tally – Sample</title>"#),
        .init(op: "morph", target: "heading", html: #"<h1 id="heading">Tally</h1>"#),
      ])
    app.store.count = 3
    #expect(try await stream.nextChange().target == "count")
  }

  @Test func `Rows with ids are inserted, changed and removed separately, in one update`()
    async throws
  {
    app.store.rows = ["b", "c"]
    let page = try await app.browser.open("/counter")
    let stream = try await app.browser.listen(page.tab, after: 0)
    app.store.rows = ["a", "c", "d"]
    let changes = try await stream.nextChanges()
    #expect(changes.map(\.op) == ["remove", "prepend", "append"])
    #expect(changes.map(\.target) == ["row-b", "list", "list"])
    #expect(changes[2].html.contains(#"id="row-d""#) && !changes[2].html.contains("row-c"))
  }

  @Test func `A tab's own state changes in that tab only`() async throws {
    let browser = app.browser
    let (first, second) = (try await browser.open("/counter"), try await browser.open("/counter"))
    let own = try await browser.listen(first.tab, after: 0)
    let other = try await browser.listen(second.tab, after: 0)
    _ = await browser.post("/counter/note", from: first.tab)
    #expect(try await own.nextChange().target == "note")
    app.store.count = 1
    #expect(try await other.nextChange().target == "count")
  }
}
