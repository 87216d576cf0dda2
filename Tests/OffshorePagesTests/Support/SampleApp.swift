import Foundation
import Offshore
import OffshoreHTTP
import OffshoreLogging
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import ServerSupport
import TestSupport

@testable import OffshorePages

/// A list of things to pack, which is shared.
struct PackingList: Record, Equatable, Identifiable {
  let id: UUID
  var title: String
  static let table = Table(
    "lists", PackingList.init, Column("id", \.id).primaryKey(), Column("title", \.title))
}

/// A thing to pack.
struct Item: Record, Equatable, Identifiable {
  let id: UUID
  var listID: UUID
  var title: String
  static let table = Table(
    "items", Item.init, Column("id", \.id).primaryKey(),
    Column("listID", \.listID).references("lists", onDelete: .cascade),
    Column("title", \.title))
}

/// A bag to pack things into, which is shared and has no title.
struct Bag: Record, Equatable, Identifiable {
  let id: UUID
  var litres: Int
  static let table = Table(
    "bags", Bag.init, Column("id", \.id).primaryKey(), Column("litres", \.litres))
}

/// The pages of a small app, on a router without a socket.
@MainActor final class SampleApp {
  static let schema = StoreSchema(
    migrations: [
      Migration("v1_createAll") { writer in
        try writer.create(PackingList.table)
        try writer.create(Item.table)
        try writer.create(Bag.table)
      }
    ],
    sync: try SyncSchema(
      version: 1,
      SyncTable(PackingList.self, scope: .kind("list", \.id), title: \.title),
      SyncTable(
        Item.self, scope: .kind("list", \.listID), title: \.title,
        partOf: (PackingList.self, \.listID)),
      SyncTable(Bag.self, scope: .kind("bag", \.id), keepsRefused: true),
      claimableKinds: ["list", "bag"], admittingKinds: ["list"], membershipLimits: ["bag": 2]),
    attemptLimits: [.accountFull: 2])

  let frame: AppFrame
  private let router: Router

  var store: SyncedStore { frame.store }
  var sync: SyncService { frame.sync }

  /// Opens an empty app.
  /// - Parameters:
  ///   - language: the language until the user chooses one.
  ///   - weekday: the setting of the first day of the week.
  ///   - sleep: suspends for a duration.
  ///   - addPages: adds pages besides the system pages.
  init(
    server: URL? = nil, language: Language = .english, weekday: WeekdaySetting? = nil,
    sleep: @escaping @Sendable (Duration) async throws -> Void = waitUntilCancelled,
    addPages: (inout Router, AppFrame) -> Void = { _, _ in }
  ) async throws {
    var environment = SyncedStore.Environment()
    environment.logger = AppLogger(.sync, to: .none)
    let store = try SyncedStore.temporary(schema: Self.schema, environment: environment)
    frame = AppFrame(
      LocalizedText(verbatim: "Packing"),
      parts: [
        AppFrame.Part("lists", .lists, to: "/", icon: Icon("list", text: "☰")), .profile,
      ], store: store, sync: try await store.sync(with: server, sleep: sleep),
      language: try await .start(
        storedBy: store, languages: [.english, .russian], preferring: language,
        calendar: { .autoupdatingCurrent }),
      weekday: weekday,
      tabs: TabRegistry(),
      facts: AppFacts(
        version: "1.2.3", licence: LocalizedText(verbatim: "MIT"),
        kinds: ["lists": LocalizedText(en: "List", ru: "Список")]))
    var router = Router()
    router.addLivePages(frame.tabs)
    router.addSystemPages(of: frame)
    addPages(&router, frame)
    self.router = router
  }

  func get(_ path: String) async -> Response { await router.respond(to: Request(.get, path)) }

  func post(_ path: String, _ fields: Fields, tab: String? = nil) async -> Response {
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    if let tab { headers["Offshore-Tab"] = tab }
    return await respond(
      to: Request(.post, path, headers: headers, body: Array(fields.encoded.utf8)))
  }

  func respond(to request: Request) async -> Response { await router.respond(to: request) }

  /// The id of the tab that shows a page.
  func tabID(_ response: Response) -> String? {
    response.text.firstMatch(of: /data-tab="([^"]+)"/).map { String($0.1) }
  }

  /// Adds a list with items.
  @discardableResult
  func addList(_ title: String, items: String...) async throws -> PackingList {
    let list = PackingList(id: UUID(), title: title)
    try await store.write { writer in
      try list.insert(writer)
      for title in items { try Item(id: UUID(), listID: list.id, title: title).insert(writer) }
    }
    return list
  }

  /// Links an account that may only read a list.
  func becomeViewer(of list: PackingList) async throws {
    let scope = try ScopeID(kind: "list", value: list.id.uuidString)
    try await store.link(LinkedAccount(id: UUID(), name: "ben"), token: nil)
    try await store.write { writer in
      try SQL(
        """
        INSERT INTO _cursor (scope, role) VALUES (\(scope.text), \(Int64(Role.viewer.rawValue)))
        """
      ).run(writer)
    }
  }

  /// Waits for a change of a tab with a text, as JSON, among those since its page was opened.
  func change(of tab: String, with text: String) async -> String {
    guard case .events(let stream) = await get("/live/\(tab)?after=0").body else { return "" }
    defer { stream.close() }
    while let change = await stream.next()?.data {
      if change.contains(text) { return change }
    }
    return ""
  }

  /// Waits until no change is pending.
  func waitUntilSent() async throws {
    for try await status in store.status() where status.pendingCount == 0 { return }
  }
}

extension LocalizedText {
  static let lists = LocalizedText(en: "Lists", ru: "Списки")
}

extension LoopbackServer {
  /// Starts a server of the small app.
  @MainActor convenience init(opensSignUp: Bool = true) throws {
    try self.init(SampleApp.schema.manifest, opensSignUp: opensSignUp)
  }

  /// Stops apps and the server.
  @MainActor func end(_ apps: SampleApp...) async {
    for app in apps { await app.sync.stop() }
    await stop()
  }
}
