import Foundation
import Offshore
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// All lists, each with the number of things that are packed.
struct ListsPage: RoutedPage {
  private struct Row: Equatable {
    let id: UUID
    let title: String
    let packed: Int
    let total: Int

    static let all = PackingList.leftJoining(Item.self)
      .group { list, _ in list.id }
      .order { list, _ in list.title }
      .select(Row.init) { list, item in
        list.id
        list.title
        item.id.count(where: item.isPacked == true)
        item.id.count()
      }
  }

  private let frame: AppFrame
  private let rows: Live<[Row]>

  init(_ frame: AppFrame) {
    self.frame = frame
    rows = Live(Row.all, in: frame.store)
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
                row.title, to: PackingRoute.list(row.id).address,
                text: say(.packed(row.packed, of: row.total)), id: "list-\(row.id)")
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
