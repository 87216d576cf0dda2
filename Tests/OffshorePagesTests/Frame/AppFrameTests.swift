import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import Testing

@testable import OffshorePages

/// The frame of an app's pages: parts, undoing, and the life of pages.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct AppFrameTests {
  enum Route: PageRoute {
    case lists
    var path: RoutePath { "" }
    static let all: [RouteCase<Route>] = [RouteCase(.lists)]
  }

  final class ListsPage: RoutedPage {
    private let frame: AppFrame
    init(_ frame: AppFrame) { self.frame = frame }

    func page(_ tab: Tab) -> Page {
      frame.page(tab, "Lists", in: "lists") {
        tab.region("text") { p { "\(self.frame.say(.lists)) at \(tab.address)" } }
      }
    }
  }

  /// Refers to the page that was opened last, without retaining it.
  final class LastPage {
    weak var page: ListsPage?
  }

  private let last = LastPage()

  private func makeApp() async throws -> SampleApp {
    try await SampleApp(addPages: { [last] router, frame in
      router.addPages(Route.self, of: frame) { _, _ in
        let page = ListsPage(frame)
        last.page = page
        return page
      }
    })
  }

  @Test func `A page is released with its tab`() async throws {
    let app = try await makeApp()
    #expect(await app.get("/").status == .ok)
    #expect(last.page != nil)
    await app.frame.tabs.close()
    #expect(last.page == nil)
  }

  @Test func `Each page offers to undo a removal, once`() async throws {
    let app = try await makeApp()
    let list = try await app.addList("Weekend", items: "Tent")
    try await app.frame.remove(
      PackingList.find(list.id), saying: LocalizedText(verbatim: "Weekend was deleted."))
    #expect(try await app.store.read { try Item.all.count($0) } == 0)
    let page = await app.get("/settings").text
    #expect(page.contains("Weekend was deleted."))
    let id = try #require(page.firstMatch(of: /name="removal" value="([^"]+)"/)).1
    let undo: Fields = [
      "action": "undo-removal", "removal": String(id), "page": "/settings",
    ]
    for _ in 0..<2 {
      #expect(await app.post("/undo", undo).headers["Location"] == "/settings")
      #expect(try await app.store.read { try Item.all.count($0) } == 1)
    }
    #expect(await !app.get("/").text.contains("Weekend was deleted."))
  }

  @Test func `Undoing leads to the restored entry, if the removal names its address`() async throws
  {
    let app = try await makeApp()
    app.frame.offerUndo(.lists, leadingTo: "/lists/1") {}
    let page = await app.get("/settings")
    let id = try #require(page.text.firstMatch(of: /name="removal" value="([^"]+)"/)).1
    let undo: Fields = ["action": "undo-removal", "removal": String(id), "page": "/settings"]
    let live = await app.post("/undo", undo, tab: app.tabID(page))
    #expect(live.status == .noContent && live.headers["Offshore-Location"] == "/lists/1")
    let again = await app.post("/undo", undo)
    #expect(again.status == .seeOther && again.headers["Location"] == "/lists/1")
  }

  @Test func `The undo bar changes the page that shows it, and leads to pages of the app alone`()
    async throws
  {
    let app = try await makeApp()
    let list = try await app.addList("Weekend")
    try await app.frame.remove(
      PackingList.find(list.id), saying: LocalizedText(verbatim: "Weekend was deleted."))
    let page = await app.get("/settings")
    let id = try #require(page.text.firstMatch(of: /name="removal" value="([^"]+)"/)).1
    func undo(_ page: String, tab: String? = nil) async -> Response {
      await app.post(
        "/undo", ["action": "undo-removal", "removal": String(id), "page": page], tab: tab)
    }
    for foreign in ["https://example.org", "//example.org", "/\\example.org", ""] {
      #expect(await undo(foreign).status == .badRequest)
    }
    #expect(try await app.store.read { try PackingList.all.count($0) } == 0)
    let done = await undo("/settings", tab: app.tabID(page))
    #expect(done.status == .noContent)
    #expect(try await app.store.read { try PackingList.all.count($0) } == 1)
  }

  @Test func `A removal is not undone by an account that may only read`() async throws {
    let app = try await makeApp()
    let list = try await app.addList("Weekend", items: "Tent")
    try await app.frame.remove(PackingList.find(list.id), saying: .lists)
    let page = await app.get("/settings").text
    let id = try #require(page.firstMatch(of: /name="removal" value="([^"]+)"/)).1
    try await app.becomeViewer(of: list)
    let undone = await app.post(
      "/undo", ["action": "undo-removal", "removal": String(id), "page": "/settings"])
    #expect(undone.status != .seeOther)
    #expect(try await app.store.read { try PackingList.all.count($0) } == 0)
  }

  @Test func `A removal that cannot be undone any more is refused`() async throws {
    let app = try await makeApp()
    try await app.addList("Weekend")
    try await app.frame.remove(PackingList.all, saying: .lists)
    let answer = await app.post(
      "/undo",
      ["action": "undo-removal", "removal": UUID().uuidString, "page": "/settings"])
    #expect(answer.status != .seeOther && answer.status != .noContent)
    #expect(try await app.store.read { try PackingList.all.count($0) } == 0)
  }

  @Test func `A dismissed removal is not undone`() async throws {
    let app = try await makeApp()
    let list = try await app.addList("Weekend")
    try await app.frame.remove(
      PackingList.find(list.id), saying: LocalizedText(verbatim: "Weekend was deleted."))
    let page = await app.get("/").text
    let id = try #require(page.firstMatch(of: /name="removal" value="([^"]+)"/)).1
    _ = await app.post(
      "/undo", ["action": "dismiss-removal", "removal": String(id), "page": "/"])
    #expect(await !app.get("/").text.contains("Weekend was deleted."))
    #expect(try await app.store.read { try PackingList.all.count($0) } == 0)
  }

  @Test func `A path belongs to a part, and the system pages to the profile`() async throws {
    let frame = try await makeApp().frame
    for (path, part) in [
      ("/", "lists"), ("/lists/7", "lists"), ("/profile/sync", "profile"),
      ("/settings", "profile"), ("/about", "profile"), ("/open", "profile"),
    ] as [(String, AppFrame.Part.ID)] {
      #expect(frame.part(of: path)?.id == part, "\(path)")
    }
  }
}
