import OffshoreHTTP
import Testing

@testable import OffshoreWeb

@MainActor struct LiveFormTests {
  private let app = CounterApp()

  private struct Refusal: ResponseError {
    var response: Response { .text("Not today.", status: .conflict) }
  }

  @Test
  func `An invalid form without the script comes back as a page with the error, to be sent again`()
    async throws
  {
    let response = await app.browser.post("/counter/note", ["note": ""])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Write something"))
    #expect(response.text.contains("autofocus"))
    #expect(response.text.contains(#"data-address="/counter""#))
  }

  @Test func `The page of an invalid form is live: its tab acts for the next try`() async throws {
    let page = try app.browser.opened(await app.browser.post("/counter/note", ["note": ""]))
    let response = await app.browser.post("/counter/note", from: page.tab, ["note": "x"])
    #expect(response.status == .noContent)
  }

  @Test func `An invalid form by the script is answered without a page, and its region says why`()
    async throws
  {
    let page = try await app.browser.open("/counter")
    let stream = try await app.browser.listen(page.tab, after: 0)
    let response = await app.browser.post("/counter/note", from: page.tab, ["note": ""])
    #expect(response.status == .unprocessableContent)
    #expect(response.bytes.isEmpty)
    let change = try await stream.nextChange()
    #expect(change.target == "note" && change.html.contains(#"aria-invalid="true""#))
  }

  @Test func `An action that leads on does so by a field for the script and by 303 without it`()
    async throws
  {
    let page = try await app.browser.open("/counter")
    let live = await app.browser.post("/counter/note", from: page.tab, ["note": "x"])
    #expect(live.status == .noContent)
    #expect(live.headers["Offshore-Location"] == "/counter?kept=1")
    let plain = await app.browser.post("/counter/note", ["note": "x"])
    #expect(plain.status == .seeOther && plain.headers["Location"] == "/counter?kept=1")
  }

  @Test func `A draft comes back as a page without the script, and shows in its region with it`()
    async throws
  {
    let plain = await app.browser.post("/counter/draft", ["note": "half a th"])
    #expect(plain.status == .ok)
    #expect(plain.text.contains(#"value="half a th""#))
    #expect(plain.text.contains(#"data-address="/counter""#))
    let page = try await app.browser.open("/counter")
    let stream = try await app.browser.listen(page.tab, after: 0)
    let live = await app.browser.post("/counter/draft", from: page.tab, ["note": "half a th"])
    #expect(live.status == .noContent && live.headers["Offshore-Location"] == nil)
    #expect(try await stream.nextChange().html.contains(#"value="half a th""#))
  }

  @Test func `What loading or acting throws is presented, and leaves no tab behind`() async {
    struct Failing: LivePage {
      func load() async throws { throw Refusal() }
      func page(_ tab: Tab) -> Page { Page("Never") }
    }
    var app = app
    let (store, tabs) = (app.store, app.tabs)
    app.router.get("failing") { try await tabs.open($0) { Failing() } }
    app.router.post("refused") { request in
      try await tabs.act(request, at: "/counter") {
        CounterPage(store)
      } action: { _ in
        throw Refusal()
      }
    }
    #expect(await app.router.respond(to: Request(.get, "/failing")).status == .conflict)
    #expect(await app.browser.post("/refused").text == "Not today.")
    #expect(tabs.count == 0)
  }

  @Test func `A live page is never kept by the browser`() async {
    let response = await app.router.respond(to: Request(.get, "/counter"))
    #expect(response.headers["Cache-Control"] == "no-store")
  }
}
