import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import Testing

@testable import OffshorePages

/// A form in an open page: sent again, and refused.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct EditorPageTests {
  enum Route: PageRoute {
    case new
    case edit(UUID)
    var path: RoutePath {
      switch self {
      case .new: "lists/new"
      case .edit(let id): "lists/\(id)/edit"
      }
    }
    static let all: [RouteCase<Route>] = [RouteCase(.new), RouteCase(Route.edit)]
  }

  private static let fields: [DraftField<PackingList>] = [
    .line("title", \.title, label: LocalizedText(verbatim: "Title"), isRequired: true)
  ]

  private func makeApp() async throws -> SampleApp {
    try await SampleApp(addPages: { router, frame in
      router.addPages(Route.self, of: frame) { route, _ in
        let id: UUID? = if case .edit(let id) = route { id } else { nil }
        return EditorPage(
          frame, in: "lists", back: PageLink("Lists", to: "/"), Self.fields, of: id,
          deletingTo: "/"
        ) {
          PackingList(id: $0, title: "")
        } next: {
          "/lists/\($0.id.uuidString)"
        }
      }
    })
  }

  private func entry(_ page: Response) throws -> String {
    String(try #require(page.text.firstMatch(of: /name="entry" value="([^"]+)"/)).1)
  }

  @Test func `An open page says that its form has created another entry, and then creates its own`()
    async throws
  {
    let app = try await makeApp()
    let entry = try entry(await app.get("/lists/new"))
    let first: Fields = ["entry": entry, "title": "Weekend", "action": "save"]
    #expect(await app.post("/lists/new", first).headers["Location"] == "/lists/\(entry)")
    let tab = try #require(app.tabID(await app.get("/lists/new")))
    let other: Fields = ["entry": entry, "title": "Sailing", "action": "save"]
    #expect(await app.post("/lists/new", other, tab: tab).status == .unprocessableContent)
    let change = await app.change(of: tab, with: "This form has created “Weekend” before.")
    #expect(change.contains("Sailing"))
    let next = try #require(change.firstMatch(of: /name=\\"entry\\" value=\\"([^"\\]+)/)).1
    #expect(next != entry)
    let again: Fields = ["entry": String(next), "title": "Sailing", "action": "save"]
    #expect(await app.post("/lists/new", again, tab: tab).status == .noContent)
    let titles = try await app.store.read { try PackingList.all.all($0) }.map(\.title)
    #expect(titles.sorted() == ["Sailing", "Weekend"])
  }

  @Test func `A form that is encoded for files saves, and its digests detect another edit`()
    async throws
  {
    let app = try await makeApp()
    let path = Route.edit(try await app.addList("Weekend").id).address
    let rest = await app.get(path).text.split(separator: "id=\"editor-form\"").last
    let form = try #require(rest?.split(separator: "</form>").first)
    let hidden = form.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/)
      .map { "Content-Disposition: form-data; name=\"\($0.1)\"\r\n\r\n\($0.2)" }
    #expect(hidden.contains { $0.contains("origin.title") })
    func save(_ title: String) async -> Response {
      let typed: Fields = ["title": title, "action": "save"]
      return await app.respond(to: .multipart(path, hidden + typed.items.map(\.multipart)))
    }
    #expect(await save("Sailing").status == .seeOther)
    #expect(await save("Skiing").status == .unprocessableContent)
    let titles = try await app.store.read { try PackingList.all.all($0) }.map(\.title)
    #expect(titles == ["Sailing"])
  }

  @Test func `A refused deletion keeps the entry, and the page says why`() async throws {
    let app = try await makeApp()
    let list = try await app.addList("Weekend")
    let path = Route.edit(list.id).address
    try await app.becomeViewer(of: list)
    let tab = try #require(app.tabID(await app.get(path)))
    let form: Fields = ["entry": list.id.uuidString, "action": "delete"]
    #expect(await app.post(path, form, tab: tab).status == .unprocessableContent)
    #expect(await !app.change(of: tab, with: "role=\\\"alert\\\"").isEmpty)
    #expect(await app.post(path, form).status == .unprocessableContent)
    #expect(try await app.store.read { try PackingList.all.count($0) } == 1)
  }
}
