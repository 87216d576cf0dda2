import Foundation
import Offshore
import OffshoreHTTP
import OffshoreHost
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// A memo of a user.
struct Memo: Record, Equatable, Identifiable {
  let id: UUID
  var ownerID: UUID
  var text: String
  static let table = Table(
    "memos", Memo.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
    Column("text", \.text))
}

/// The pages of the app.
enum MemoRoute: PageRoute {
  case memos
  case memo(UUID)

  var path: RoutePath {
    switch self {
    case .memos: "memos"
    case .memo(let id): "memos/\(id)"
    }
  }
  static let all: [RouteCase<MemoRoute>] = [
    RouteCase(.memos), RouteCase(MemoRoute.memo),
  ]
}

/// An app with a list of memos, under any name.
enum MemoApp {
  static let schema = StoreSchema(
    migrations: [
      Migration("v1_createMemos") { try $0.create(Memo.table) },
      Migration("v2_createLists") { try $0.create(SharedList.table) },
    ],
    sync: try SyncSchema(
      version: 1, SyncTable(Memo.self, scope: .kind("person", \.ownerID), title: \.text),
      SyncTable(SharedList.self, scope: .kind(SharedList.scopeKind, \.id), title: \.title),
      claimableKinds: [SharedList.scopeKind], personalKinds: ["person"]))

  /// - Parameters:
  ///   - addPages: adds pages besides those of the memos.
  ///   - opened: called with the device of the app.
  ///   - badge: returns the badge of the app.
  static func named(
    _ name: String, _ title: String = "Memos",
    addPages: @escaping @Sendable (inout Router) -> Void = { _ in },
    opened: @escaping @MainActor @Sendable (AppDevice) -> Void = { _ in },
    badge: @escaping @MainActor @Sendable () -> AppBadge? = { nil }
  ) -> HostedApp {
    HostedApp(
      name, title: LocalizedText(verbatim: title), icon: Icon("journal", text: "m"),
      languages: [.english, .russian], schema: schema
    ) { device in
      opened(device)
      let sync = try await device.store.sync(with: device.server, sleep: device.environment.sleep)
      let frame = AppFrame(
        LocalizedText(verbatim: title),
        parts: [
          AppFrame.Part(
            "home", LocalizedText(en: "Home", ru: "Главная"), to: "/",
            icon: Icon("house", text: "h")),
          AppFrame.Part(
            "memos", LocalizedText(en: "Memos", ru: "Заметки"), to: "/memos",
            icon: Icon("journal", text: "m")),
        ], store: device.store, sync: sync, language: device.language, tabs: device.tabs)
      return OpenApp(frame, badge: badge) { router in
        router.get("") { _ in .redirect(to: MemoRoute.memos.address) }
        router.addPages(MemoRoute.self, of: frame) { route, _ in
          MemoPage(frame: frame, route: route)
        }
        addPages(&router)
      }
    }
  }
}

/// The page with all memos; a form adds one.
struct MemoPage: RoutedPage {
  let frame: AppFrame
  let route: MemoRoute
  private let memos = Memos()

  func load() async throws {
    memos.all = try await frame.store.read { try Memo.order { $0.text }.all($0) }
    if case .memo(let id) = route, !memos.all.contains(where: { $0.id == id }) {
      throw AppError.database(.notFound)
    }
  }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, frame.say(frame.name), in: "memos") {
      for memo in memos.all { p { memo.text } }
      PostForm(to: MemoRoute.memos.address) { SubmitButton("Add") }
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    let memo = Memo(id: UUID(), ownerID: frame.sync.session.userID, text: form.text("text"))
    try await frame.store.write { try memo.insert($0) }
    try await load()
    return .done
  }

  /// The memos that the page shows.
  @MainActor private final class Memos {
    var all: [Memo] = []
  }
}
