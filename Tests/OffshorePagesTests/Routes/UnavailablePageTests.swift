import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePages

/// The pages of lists, which are shared.
private enum ListRoute: PageRoute {
  case list(UUID)
  var path: RoutePath {
    switch self {
    case .list(let id): "lists/\(id)"
    }
  }
  static let all: [RouteCase<ListRoute>] = [RouteCase(ListRoute.list)]
}

extension SharedKind {
  fileprivate static let list = SharedKind("list", in: "lists") { ListRoute.list($0).address }
}

/// A page that shows no error by itself.
private struct PlainPage: RoutedPage {
  let frame: AppFrame
  let list: Live<PackingList>
  func load() async throws { try await list.loadRequired() }
  func page(_ tab: Tab) -> Page { frame.page(tab, "A list", in: "lists") { p { "Things" } } }
}

/// Pages of things that went away, on two devices and a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct UnavailablePageTests {
  private let server: LoopbackServer
  private let owner: SampleApp
  private let mate: SampleApp
  private let list: PackingList
  private var address: String { ListRoute.list(list.id).address }

  init() async throws {
    server = try LoopbackServer()
    owner = try await Self.makeApp(of: "owner", server)
    mate = try await Self.makeApp(of: "mate", server)
    list = try await owner.addList("Weekend")
    let (list, owner, mate) = (list, owner, mate)
    let access = owner.sync.access(to: list.id, of: "list")
    await access.load()
    await waitUntil { access.role == .owner }
    let members = MembersModel(
      try ScopeID(kind: "list", value: list.id.uuidString), owner.sync)
    #expect(await members.invite(as: .editor))
    let joining = JoinModel(mate.sync)
    joining.code = try #require(members.invitation?.code)
    #expect(await joining.join() != nil)
  }

  private static func makeApp(of name: String, _ server: LoopbackServer) async throws -> SampleApp {
    let app = try await SampleApp(
      server: server.url,
      addPages: { router, frame in
        router.addMembers(of: frame, .list)
        router.addPages(ListRoute.self, of: frame) { route, _ in
          switch route {
          case .list(let id):
            PlainPage(frame: frame, list: Live(required: PackingList.find(id), in: frame.store))
          }
        }
      })
    try await app.sync.signUp(name: name, password: "correct horse")
    return app
  }

  private func waitUntilGone(from app: SampleApp) async throws {
    let values = app.store.values { [list] in try PackingList.find(list.id).exists($0) }
    for try await isThere in values where !isThere { return }
  }

  private typealias Change = @Sendable (Writer) throws -> Void

  /// Changes something on the mate's device without a network, ends the list for the mate, and
  /// connects the device.
  /// - Parameter outcome: counts the rows that state the result of the change.
  private func change(
    _ change: @escaping Change, until outcome: SQL, then end: () async throws -> Void
  ) async throws {
    try await mate.sync.setAirplane(true)
    try await mate.store.write(change)
    try await end()
    try await mate.sync.setAirplane(false)
    try await waitUntilGone(from: mate)
    let counts = mate.store.values { try outcome.first($0, as: Int.self) ?? 0 }
    for try await count in counts where count > 0 { return }
  }

  private func addItem() -> Change {
    { [list] in try Item(id: UUID(), listID: list.id, title: "Tent").insert($0) }
  }

  private func rename() -> Change {
    { [list] in _ = try PackingList.find(list.id).update($0) { [$0.title.set("Vis")] } }
  }

  private func deleteList() async throws {
    try await owner.store.write { [list] in try PackingList.find(list.id).delete($0) }
    try await owner.waitUntilSent()
  }

  @Test func `A page whose thing is deleted elsewhere is replaced by one that names it`()
    async throws
  {
    let opened = await mate.get(address)
    let tab = try #require(mate.tabID(opened))
    #expect(opened.status == .ok && !opened.text.contains("data-gone"))
    try await owner.store.write { [list] in try PackingList.find(list.id).delete($0) }
    #expect(await mate.change(of: tab, with: "data-gone").contains("data-gone"))
    let gone = await mate.get(address)
    #expect(gone.status == .notFound && !gone.text.contains("data-gone"))
    #expect(gone.text.contains(">No longer available</h1>"))
    #expect(gone.text.contains("“Weekend” was deleted on another device"))
    #expect(gone.text.contains(#"href="/">Go to Lists</a>"#))
    // A device that never showed it does not know its name.
    #expect(await owner.get(address).text.contains("This was deleted here"))
    await server.end(owner, mate)
  }

  @Test func `A page says that the user has no access any more`() async throws {
    let tab = try #require(mate.tabID(await mate.get(address)))
    let member = mate.sync.session.userID.uuidString
    _ = await owner.post(
      SharedKind.list.membersAddress(of: list.id), ["action": "remove", "member": member])
    #expect(await mate.change(of: tab, with: "data-gone").contains("data-gone"))
    let gone = await mate.get(address)
    #expect(gone.status == .notFound)
    #expect(gone.text.contains("You no longer have access to “Weekend”"))
    await server.end(owner, mate)
  }

  @Test func `A page about a deletion leads to the refused changes, which are kept`()
    async throws
  {
    try await change(addItem(), until: "SELECT count(*) FROM _dead") { try await deleteList() }
    let gone = await mate.get(address).text
    #expect(gone.contains("was deleted on another device"))
    #expect(gone.contains(#"Your 1 change is kept here. <a href="/profile/sync">See them</a>"#))
    #expect(!gone.contains("were not kept"))
    #expect(await mate.get("/profile/sync").text.contains("Your 1 change is kept here."))
    mate.frame.language.use(.russian)
    #expect(await mate.get(address).text.contains("Здесь сохранено: 1 изменение. <a"))
    await server.end(owner, mate)
  }

  @Test func `Refused changes are kept if access ends, and the page leads to them`() async throws {
    let member = mate.sync.session.userID.uuidString
    try await change(addItem(), until: "SELECT count(*) FROM _dead") {
      _ = await owner.post(
        SharedKind.list.membersAddress(of: list.id), ["action": "remove", "member": member])
    }
    let gone = await mate.get(address).text
    #expect(gone.contains("You no longer have access"))
    #expect(gone.contains("Your 1 change is kept here.") && !gone.contains("were not kept"))
    await server.end(owner, mate)
  }

  @Test func `A value that a deletion took away is said to be lost`() async throws {
    try await change(rename(), until: "SELECT count(*) FROM _conflict") {
      try await deleteList()
    }
    let gone = await mate.get(address).text
    #expect(gone.contains("Changes made on this device in the meantime were not kept."))
    #expect(!gone.contains("kept here"))
    await server.end(owner, mate)
  }

  @Test func `A page about a deletion says if the thing is back`() async throws {
    _ = await mate.get(address)
    try await owner.store.write { [list] in try PackingList.find(list.id).delete($0) }
    try await waitUntilGone(from: mate)
    let tab = try #require(mate.tabID(await mate.get(address)))
    try await owner.store.write { [list] in try list.insert($0) }
    let back = await mate.change(of: tab, with: "is here again")
    #expect(back.contains("“Weekend” is here again"))
    #expect(await mate.get(address).status == .ok)
    await server.end(owner, mate)
  }
}
