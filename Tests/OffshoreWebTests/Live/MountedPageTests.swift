import OffshoreHTTP
import Testing

@testable import OffshoreWeb

/// Pages of an app that is served below a path.
@MainActor struct MountedPageTests {
  private let app = CounterApp()
  private let router: Router

  init() {
    var router = Router()
    router.addLivePages(app.tabs)
    var pages = Router()
    app.addRoutes(to: &pages)
    router.mount(pages, at: "/apps/counter")
    self.router = router
  }

  private func send(_ target: String, tab: String? = nil, _ form: Fields = [:]) async -> Response {
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    headers[TabRegistry.header] = tab
    return await router.respond(
      to: Request(.post, target, headers: headers, body: Array(form.encoded.utf8)))
  }

  @Test func `Links, forms and the page's own address lead below the path`() async {
    app.store.rows = ["a"]
    let page = await router.respond(to: Request(.get, "/apps/counter/counter?x=1")).text
    #expect(page.contains(#"action="/apps/counter/counter/increment""#))
    #expect(page.contains(#"href="/apps/counter/a""#))
    #expect(page.contains(#"data-address="/apps/counter/counter?x=1""#))
    #expect(page.contains(#"href="/assets/look-"#))
  }

  @Test func `What changes later leads below the path, too`() async throws {
    let browser = Browser(router: router)
    let opened = try await browser.open("/apps/counter/counter")
    let stream = try await browser.listen(opened.tab, after: 0)
    app.store.rows = ["a"]
    _ = await send("/apps/counter/counter/increment", tab: opened.tab)
    let patch = try #require(await stream.next())
    #expect(patch.data.contains(#"href=\"/apps/counter/a\""#), "\(patch.data)")
  }

  @Test func `Who is sent on to another page stays below the path`() async throws {
    let opened = try await Browser(router: router).open("/apps/counter/counter")
    let answer = await send("/apps/counter/counter/note", tab: opened.tab, ["note": "x"])
    #expect(answer.headers["Offshore-Location"] == "/apps/counter/counter?kept=1")
    let plain = await send("/apps/counter/counter/note", ["note": "x"])
    #expect(plain.headers["Location"] == "/apps/counter/counter?kept=1")
  }
}

@MainActor struct FramedPageTests {
  private struct PlainPage: LivePage {
    func page(_ tab: Tab) -> Page { Page("Plain") { Icon("plus-lg", text: "+") } }
  }

  /// Opens the page as a browser does for a destination.
  private func html(for destination: String?) async throws -> String {
    let drawing = #"<svg viewBox="0 0 16 16"><path d="M0 0"/></svg>"#
    let tabs = TabRegistry(icons: Icons(["plus-lg": drawing]))
    var request = Request(.get, "/")
    request.headers["Sec-Fetch-Dest"] = destination
    let response = try await tabs.open(request) { PlainPage() }
    await tabs.close()
    return String(decoding: response.bytes, as: UTF8.self)
  }

  @Test func `A document that an iframe requests is marked, and refers to no drawings`()
    async throws
  {
    let framed = try await html(for: "iframe")
    #expect(framed.contains(#"<html lang="en" class="framed">"#))
    #expect(framed.contains(#"<path d="M0 0"/>"#) && !framed.contains("<use"))
    for destination in ["document", nil] {
      let other = try await html(for: destination)
      #expect(other.contains(#"<html lang="en">"#) && other.contains("<use"))
    }
  }
}
