import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import ServerSupport
import TestSupport

@testable import OffshoreHost
@testable import packing_list

/// The app on its own device, with its pages on a router without a socket.
@MainActor final class PackingDevice {
  let store: SyncedStore
  let frame: AppFrame
  private let router: Router

  /// Opens an empty app.
  /// - Parameters:
  ///   - server: the server to sync with, or `nil`.
  ///   - languages: the languages of the app. The first one is current.
  init(
    server: URL? = nil, languages: [Language] = PackingListApp.app.languages
  ) async throws {
    store = try SyncedStore.temporary(schema: PackingSchema.current)
    let tabs = TabRegistry()
    let language = try await LanguageSetting.start(
      storedBy: store, languages: languages, calendar: { .utc })
    let app = try await PackingListApp.app.open(
      AppDevice(store: store, language: language, server: server, tabs: tabs))
    frame = app.frame
    var router = Router()
    router.addLivePages(tabs)
    app.addPages(&router)
    router.addSystemPages(of: app.frame)
    self.router = router
  }

  /// Opens an app that syncs with a server by its own account. The first app of a name signs up,
  /// others sign in.
  convenience init(of name: String, on server: LoopbackServer) async throws {
    try await self.init(server: server.url)
    do {
      try await frame.sync.signUp(name: name, password: "correct horse")
    } catch AppError.auth(.nameTaken) {
      try await frame.sync.signIn(name: name, password: "correct horse")
    }
  }

  // MARK: - Pages

  func get(_ address: String) async -> Response {
    await router.respond(to: Request(.get, address))
  }

  func post(_ address: String, _ fields: Fields) async -> Response {
    await router.respond(
      to: Request(
        .post, address, headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: Array(fields.encoded.utf8)))
  }

  // MARK: - Rows

  /// Creates a list by its form.
  func makeList(_ title: String, items: String...) async throws -> PackingList {
    let id = UUID()
    _ = await post(
      PackingRoute.newList.address, ["entry": id.uuidString, "title": title, "action": "save"])
    for name in items { _ = await add(name, to: id) }
    return try await row(PackingList.find(id))
  }

  /// Adds a thing by the form of a list.
  func add(_ name: String, to listID: UUID, id: UUID = UUID()) async -> Response {
    await post(
      PackingRoute.list(listID).address,
      ["entry": id.uuidString, "name": name, "action": "add"])
  }

  /// Returns the only row of a query.
  func row<Row: Record>(_ query: Query<Row>) async throws -> Row {
    let rows = try await store.read { try query.all($0) }
    guard rows.count == 1 else { throw WrongCount(rows: rows.count) }
    return rows[0]
  }

  /// Waits until the rows of a query satisfy a condition.
  func wait<Row: Record & Equatable>(
    for query: Query<Row>, until isMet: ([Row]) -> Bool
  ) async throws {
    for try await rows in store.values(of: query) where isMet(rows) { return }
  }

  /// Waits until the server has all changes, and this device knows its role in a list.
  func waitUntilSent(_ listID: UUID) async throws {
    let scope = try ScopeID(kind: PackingSchema.kind, value: listID.uuidString)
    let values = store.values { [store] in try store.role(in: scope, $0) }
    for try await role in values where role != nil { break }
    for try await status in store.status() where status.pendingCount == 0 { return }
  }

  /// Creates an invitation on the page of members, and returns its code.
  func invitation(to listID: UUID, as role: Role) async throws -> String {
    let page = await post(
      SharedKind.list.membersAddress(of: listID), ["role": role.name, "action": "invite"])
    guard let code = page.text.firstMatch(of: /data-copy="([A-Za-z0-9_-]+)"/)?.1 else {
      throw WrongCount(rows: 0)
    }
    return String(code)
  }

  private struct WrongCount: Error { let rows: Int }
}

extension Response {
  var text: String {
    guard case .bytes(let bytes) = body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
