import Offshore
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// All lists, each with the number of things that are packed.
struct ListsPage: RoutedPage {
  private struct Row: Equatable {
    let list: PackingList
    let packed: Int
    let total: Int

    static func all(_ reader: Reader) throws -> [Row] {
      let total = try Item.group { $0.listID }.count(reader)
      let packed = try Item.where { $0.isPacked == true }.group { $0.listID }.count(reader)
      return try PackingList.order { $0.title }.all(reader).map { list in
        Row(
          list: list, packed: packed.first { $0.0 == list.id }?.1 ?? 0,
          total: total.first { $0.0 == list.id }?.1 ?? 0)
      }
    }
  }

  private let frame: AppFrame
  private let rows: Live<[Row]>

  init(_ frame: AppFrame) {
    let store = frame.store
    self.frame = frame
    rows = Live { store.values { try Row.all($0) } }
  }

  func load() async { await rows.load() }

  func page(_ tab: Tab) -> Page {
    let say = frame.say
    return frame.page(tab, say(.lists), in: "lists") {
      tab.region("lists") {
        StateContent(
          rows.state, say, address: tab.address,
          empty: EmptyView(
            title: say(.noLists), text: say(.makeOne),
            action: .link(say(.newList), to: PackingRoute.newList.address))
        ) { rows in
          Card(label: say(.lists), id: "list-rows") {
            for row in rows {
              LinkRow(
                row.list.title, to: PackingRoute.list(row.list.id).address,
                text: say(.packed(row.packed, of: row.total)), id: "list-\(row.list.id)")
            }
          }
        }
      }
      div(.class("buttons", "centered")) { JoinLink(frame, .list) }
    } actions: {
      BarLink.new(say(.newList), to: PackingRoute.newList.address)
    }
  }
}
