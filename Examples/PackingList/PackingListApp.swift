import Foundation
import OffshoreHTTP
import OffshoreHost
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The app, as a program that serves it on this device.
@main enum PackingListApp {
  static let app = HostedApp(
    "packing", title: .appName, icon: Icon("backpack", text: "▣"), languages: [.english, .russian],
    schema: PackingSchema.current
  ) { device in
    let sync = try await device.store.sync(with: device.server)
    let lists = AppFrame.Part(
      "lists", .lists, to: PackingRoute.lists.address, icon: Icon("list-check", text: "☰"))
    let frame = AppFrame(
      .appName, parts: [lists, .profile], store: device.store, sync: sync,
      language: device.language, tabs: device.tabs)
    return OpenApp(frame) { router in router.addPackingList(frame) }
  }

  static func main() async { await HostProgram("packing-list", apps: [app]).run() }
}

extension Router {
  /// Adds the pages of the app.
  mutating func addPackingList(_ frame: AppFrame) {
    addMembers(of: frame, .list)
    addPages(PackingRoute.self, of: frame) { route, _ in
      switch route {
      case .lists: ListsPage(frame)
      case .newList: editor(nil, in: frame)
      case .list(let id): ListPage(frame, id)
      case .editList(let id): editor(id, in: frame)
      }
    }
  }
}

/// Makes the page on which a list is made or edited.
@MainActor private func editor(_ id: UUID?, in frame: AppFrame) -> EditorPage<PackingList> {
  let (lists, list) = (PackingRoute.lists.address, id.map { PackingRoute.list($0).address })
  return EditorPage(
    frame, in: "lists", back: PageLink(frame.say(.lists), to: list ?? lists), PackingList.fields,
    of: id, new: .newList, deletingTo: lists
  ) {
    PackingList(id: $0, title: "")
  } next: {
    PackingRoute.list($0.id).address
  }
}
