import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import Testing

@testable import OffshorePages

/// A line of a journal.
private struct Line: Identifiable, Equatable, Sendable {
  let id: Int
}

/// The lines that the pages of a test show.
@MainActor private final class Journal {
  var lines: [Line]
  var isReadable = true

  init(_ count: Int) { lines = (0..<count).map { Line(id: $0) } }

  private func read(_ isIncluded: (Line) -> Bool) throws -> [Line] {
    guard isReadable else { throw AppError.database(.busy) }
    return lines.filter(isIncluded)
  }

  func window(at position: WindowPosition<Int>) -> PagedWindow<Line> {
    PagedWindow(
      at: position, pageSize: 10, maximumCount: 40,
      before: { [self] line, size in
        Array(try read { each in line.map { each.id < $0.id } ?? true }.suffix(size))
      },
      after: { [self] line, size in
        Array(try read { each in line.map { each.id > $0.id } ?? true }.prefix(size))
      },
      row: { [self] id in try read { $0.id == id }.first })
  }
}

private enum JournalRoute: PageRoute {
  case journal
  var path: RoutePath { "journal" }
  static let all: [RouteCase<JournalRoute>] = [RouteCase(.journal)]
}

private struct JournalPage: RoutedPage {
  let window: PagedWindow<Line>
  let say: Localizer

  func load() async { await window.load() }

  func page(_ tab: Tab) -> Page {
    var page = Page("Journal") {
      tab.region("journal") {
        WindowView(
          window, say, label: LocalizedText(en: "Lines", ru: "Строки"), address: "/journal",
          rowPrefix: "line-", empty: EmptyView(title: "No lines", text: "Write one.")
        ) { lines in
          for line in lines { tab.memo(LineView(id: line.id, isMarked: isMarked(line))) }
        }
      }
    }
    page.waitsForScript = true
    return page
  }

  private func isMarked(_ line: Line) -> Bool { window.position.markedRow == line.id }

  func perform(_ form: PageForm) async throws -> Outcome {
    if let outcome = await window.perform(form) { return outcome }
    throw form.unknownAction
  }
}

private struct LineView: Component, Equatable, Identifiable {
  let id: Int
  let isMarked: Bool

  var html: HTML {
    p(.id("line-\(id)"), isMarked ? .ariaCurrent(.item) : .none) { "This is line \(id)." }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct WindowViewTests {
  private let journal = Journal(45)

  private func router(_ language: Language = .english) -> Router {
    let (tabs, journal) = (TabRegistry(), journal)
    let say = Localizer(language, calendar: Calendar(identifier: .gregorian))
    var router = Router()
    router.addLivePages(tabs)
    router.addPages(JournalRoute.self, tabs: tabs) { _, query in
      JournalPage(window: journal.window(at: WindowPosition(query)), say: say)
    }
    return router
  }

  private func post(
    _ action: String, to target: String = "/journal", tab: String? = nil, _ router: Router
  ) async -> Response {
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    if let tab { headers["Offshore-Tab"] = tab }
    return await router.respond(
      to: Request(.post, target, headers: headers, body: Array("action=\(action)".utf8)))
  }

  private func tab(_ response: Response) throws -> String {
    String(try #require(response.text.firstMatch(of: /data-tab="([^"]+)"/)).1)
  }

  /// The shown lines of a page.
  private func lines(_ html: String) -> [Int] {
    html.matches(of: /id="line-(\d+)"/).compactMap { Int($0.1) }
  }

  @Test func `The page opens at the end, with a form for earlier rows`() async {
    let html = await router().respond(to: Request(.get, "/journal")).text
    #expect(lines(html) == Array(35..<45))
    #expect(html.contains(#"data-rows="line-" data-place="end-1" data-open="""#))
    #expect(
      html.contains(
        #"<form method="post" action="/journal?near=35" id="window-earlier" data-more="rows">"#))
    #expect(html.contains(#"href="/journal?before=35#window-end">Earlier</a>"#))
    #expect(html.contains(#"<div id="window-end"></div>"#))
    #expect(!html.contains("window-later") && !html.contains("window-newest"))
    #expect(html.contains(#"id="window-news" class="unseen" role="log" aria-label="New entries""#))
    #expect(html.firstMatch(of: /<script [^>]* blocking="render">/) != nil)
  }

  @Test func `A row that was looked for is marked, with ways to both sides and to the end`() async {
    let html = await router().respond(to: Request(.get, "/journal?at=20")).text
    #expect(lines(html) == Array(15...25))
    #expect(html.contains(#"<p id="line-20" aria-current="true">"#))
    #expect(html.contains(#"data-place="around-20-1" data-open="line-20""#))
    #expect(html.contains(#"href="/journal?after=25#window">Later</a>"#))
    #expect(html.contains(#"name="action" value="newest">To the end</button>"#))
    let near = await router().respond(to: Request(.get, "/journal?near=20")).text
    #expect(lines(near) == Array(15...25) && !near.contains("aria-current=\"true\""))
  }

  @Test func `A row at which the user was is replaced by its neighbour if it was deleted`() async {
    journal.lines.removeAll { $0.id == 20 }
    let html = await router().respond(to: Request(.get, "/journal?near=20&near=21&near=22")).text
    #expect(
      lines(html).contains(21) && html.contains(#"data-place="near-21-1" data-open="line-21""#))
  }

  @Test func `A window can open at a heading, and report the rows in view`() {
    let say = Localizer(.english, calendar: Calendar(identifier: .gregorian))
    let window = journal.window(at: .end)
    let html = WindowView(
      window, say, label: LocalizedText(en: "Lines", ru: "Строки"), address: "/journal",
      rowPrefix: "line-", seenAction: "seen", opensAt: "new"
    ) { _ in HTML() }.html
    let text = html.description
    #expect(text.contains(#"data-open="new""#))
    #expect(
      text.contains(
        #"<form method="post" action="/journal" id="window-seen" data-seen=""><input type="hidden" name="action" value="seen">"#
      ))
  }

  @Test func `Without the script, links lead to the rows before and after`() async {
    let router = router()
    let before = await router.respond(to: Request(.get, "/journal?before=35"))
    #expect(lines(before.text) == Array(25..<35))
    let after = await router.respond(to: Request(.get, "/journal?after=34"))
    #expect(lines(after.text) == Array(35..<45) && !after.text.contains("window-later"))
    let end = await post("newest", router)
    #expect(end.status == .seeOther && end.headers["Location"] == "/journal")
    // A closed tab leads back to the rows that the page showed.
    let earlier = await post("earlier", to: "/journal?near=35", router)
    #expect(earlier.headers["Location"] == "/journal?near=35")
  }

  @Test func `Earlier rows are sent without the others`() async throws {
    let router = router()
    let page = await router.respond(to: Request(.get, "/journal"))
    let tab = try tab(page)
    let done = await post("earlier", to: "/journal?near=35", tab: tab, router)
    #expect(done.status == .noContent)
    guard
      case .events(let stream) = await router.respond(
        to: Request(.get, "/live/\(tab)?after=0")
      ).body
    else {
      Issue.record("There is no stream.")
      return
    }
    defer { stream.close() }
    let patch = try #require(await stream.next()).data
    #expect(patch.contains(#""op":"prepend","target":"window""#))
    #expect(patch.contains("line 25.") && patch.contains("line 34.") && !patch.contains("line 35."))
    #expect(patch.contains("before=25"))
    #expect(!patch.contains("data-place"))
  }

  @Test func `Rows that cannot be read are not requested again by the script alone`() async throws {
    let router = router()
    let page = await router.respond(to: Request(.get, "/journal"))
    let tab = try tab(page)
    journal.isReadable = false
    #expect(await post("earlier", tab: tab, router).status == .unprocessableContent)
    guard
      case .events(let stream) = await router.respond(
        to: Request(.get, "/live/\(tab)?after=0")
      ).body
    else {
      Issue.record("There is no stream.")
      return
    }
    defer { stream.close() }
    let patch = try #require(await stream.next()).data
    #expect(patch.contains("Try again") && patch.contains("error"))
    #expect(!patch.contains("data-more") && !patch.contains("line 35."))
  }

  @Test func `A list without rows has its text, and the place for the first row`() async {
    journal.lines = []
    let html = await router().respond(to: Request(.get, "/journal")).text
    #expect(html.contains("No lines") && html.contains(#"id="window" role="group""#))
  }

  @Test func `The view is in the language of the page`() async {
    let html = await router(.russian).respond(to: Request(.get, "/journal?at=20")).text
    for text in ["Раньше", "Позже", "В конец", "Новые записи", "Строки"] {
      #expect(html.contains(text), "\(text)")
    }
  }

  @Test(arguments: [
    WindowPosition<String>.end, .start, .around("a b"), .near("a/б"), .near("a", or: ["б&", "c"]),
    .before("&x=1"), .after("#"),
  ])
  func `A position is parsed from its own address`(position: WindowPosition<String>) {
    let address = position.address(on: "/journal?filter=1", rowPrefix: "line-")
    #expect(address.hasPrefix("/journal?filter=1"))
    let request = Request(.get, String(address.prefix { $0 != "#" }))
    #expect(WindowPosition<String>(request.query) == position)
    #expect(request.query["filter"] == "1")
  }

  @Test func `The fragment of an address leads to the row, or to an end of the list`() {
    func fragment(_ position: WindowPosition<Int>) -> Substring {
      position.address(on: "/", rowPrefix: "line-").drop { $0 != "#" }
    }
    #expect(fragment(.around(7)) == "#line-7" && fragment(.near(7)) == "#line-7")
    #expect(fragment(.end) == "#window-end" && fragment(.before(7)) == "#window-end")
    #expect(fragment(.start) == "#window" && fragment(.after(7)) == "#window")
  }
}
