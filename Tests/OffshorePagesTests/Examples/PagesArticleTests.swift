import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import Testing

// The examples of the article “Pages”; Tests/Gates holds the two to the same lines.

private struct Errand: Identifiable, Equatable, Sendable, Record {
  let id: UUID
  var title: String
  var isDone = false

  static let table = Table(
    "errands", Errand.init,
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("isDone", \.isDone))

  static let fields: [DraftField<Errand>] = [
    .line("title", \.title, label: .errand, limit: 80, isRequired: true)
  ]
}

extension LocalizedText {
  fileprivate static let errand = LocalizedText(en: "Errand", ru: "Дело")
  fileprivate static let errands = LocalizedText(en: "Errands", ru: "Дела")
}

private enum ErrandRoute: PageRoute {
  case errands
  case errand(UUID)

  var path: RoutePath {
    switch self {
    case .errands: "errands"
    case .errand(let id): "errands/\(id)"
    }
  }

  static let all: [RouteCase<ErrandRoute>] = [RouteCase(.errands), RouteCase(ErrandRoute.errand)]
}

private struct ErrandsPage: RoutedPage {
  let frame: AppFrame
  let errands: Live<[Errand]>
  let adding: AddForm<Errand>

  init(_ frame: AppFrame) {
    self.frame = frame
    errands = Live(Errand.order { $0.title }, in: frame.store)
    adding = AddForm(Errand.fields, in: frame.store) { Errand(id: $0, title: "") }
  }

  func load() async { await errands.load() }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, frame.say(.errands), in: "errands") {
      tab.region("rows") {
        StateContent(errands.state, frame.say, address: tab.address) { errands in
          Card(id: "errand-rows") {
            for errand in errands {
              TickRow(
                errand.title, isOn: errand.isDone, to: tab.address, id: "tick-\(errand.id)",
                fields: HiddenValue("errand", errand.id.routeText).html)
            }
          }
        }
      }
      tab.region("adding") { adding.html(to: tab.address, frame.say) }
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    if form.action == "add" { return try await adding.perform(form) }
    let id = try form.value("errand", as: UUID.self)
    let isDone = try form.value("isOn", as: Bool.self)
    try await frame.store.update(Errand.find(id)) { [$0.isDone.set(isDone)] }
    return .done
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct PagesArticleTests {
  private let store: SyncedStore
  private let router: Router

  init() async throws {
    store = try SyncedStore.temporary(
      schema: StoreSchema(
        migrations: [Migration("v1_createErrands", .create(Errand.table))],
        sync: try SyncSchema(
          version: 1, SyncTable(Errand.self, scope: .kind("errand", \.id), title: \.title),
          claimableKinds: ["errand"])))
    let tabs = TabRegistry()
    let frame = AppFrame(
      .errands, parts: [], store: store, sync: try await store.sync(with: nil),
      language: try await .start(storedBy: store, languages: [.english], calendar: { .current }),
      tabs: tabs)
    var router = Router()
    router.addLivePages(tabs)
    router.addSystemPages(of: frame)
    router.addPages(ErrandRoute.self, of: frame) { route, _ in
      switch route {
      case .errands: ErrandsPage(frame)
      case .errand(let id): Self.editor(id, frame)
      }
    }
    self.router = router
  }

  private static func editor(_ id: UUID, _ frame: AppFrame) -> EditorPage<Errand> {
    let list = ErrandRoute.errands.address
    return EditorPage(
      frame, in: "errands", back: PageLink(frame.say(.errands), to: list), Errand.fields, of: id,
      new: .errand, deletingTo: list
    ) {
      Errand(id: $0, title: "")
    } next: { _ in
      list
    }
  }

  @Test func `An errand is added, ticked and edited`() async throws {
    let request = Request(
      .post, "/errands", headers: ["Content-Type": "application/x-www-form-urlencoded"],
      body: Array("entry=\(UUID())&title=Paint&action=add".utf8))
    let posted = await router.respond(to: request)
    let page = await router.respond(to: Request(.get, "/errands"))
    #expect(posted.status == .seeOther && page.text.contains("Paint"))

    let errand = try #require(try await store.read { try Errand.all.first($0) })
    let ticked = await post("/errands", "errand=\(errand.id)&isOn=true")
    #expect(ticked.status == .seeOther)
    #expect(try await store.read { try Errand.all.first($0) }?.isDone == true)

    let editor = await router.respond(to: Request(.get, ErrandRoute.errand(errand.id).address))
    #expect(editor.status == .ok && editor.text.contains("Paint"))
    #expect(await router.respond(to: Request(.get, "/settings")).status == .ok)
  }

  private func post(_ path: String, _ fields: String) async -> Response {
    await router.respond(
      to: Request(
        .post, path, headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: Array(fields.utf8)))
  }
}
