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
      let total = Dictionary(uniqueKeysWithValues: try Item.group { $0.listID }.count(reader))
      let packedItems = Item.where { $0.isPacked == true }.group { $0.listID }
      let packed = Dictionary(uniqueKeysWithValues: try packedItems.count(reader))
      return try PackingList.order { $0.title }.all(reader).map {
        Row(list: $0, packed: packed[$0.id] ?? 0, total: total[$0.id] ?? 0)
      }
    }
  }

  private let frame: AppFrame
  private let rows: Live<[Row]>

  init(_ frame: AppFrame) {
    self.frame = frame
    let store = frame.store
    rows = Live { store.values { try Row.all($0) } }
  }

  func load() async { await rows.load() }

  func page(_ tab: Tab) -> Page {
    let say = frame.say
    let new = PackingRoute.newList.address
    return frame.page(tab, say(.lists), in: "lists") {
      tab.region("lists") {
        StateContent(
          rows.state, say, address: tab.address,
          empty: EmptyView(title: say(.noLists), text: say(.makeOne))
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
      p { a(.class("button"), .href(new)) { say(.newList) } }
    }
  }
}
