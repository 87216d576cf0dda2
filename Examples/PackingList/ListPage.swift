import Foundation
import Offshore
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// A list with its things, which are ticked as they are packed.
struct ListPage: RoutedPage {
  private let frame: AppFrame
  private let id: UUID
  private let list: Live<PackingList>
  private let items: Live<[Item]>
  private let access: ScopeAccess
  private let adding: AddForm<Item>

  init(_ frame: AppFrame, _ id: UUID) {
    self.frame = frame
    self.id = id
    list = Live(required: PackingList.find(id), in: frame.store)
    items = Live(Item.where { $0.listID == id }.order { $0.name }, in: frame.store)
    access = frame.sync.access(to: id, of: PackingSchema.kind)
    adding = AddForm(Item.fields, in: frame.store) { Item(id: $0, listID: id, name: "") }
  }

  func load() async throws {
    try await list.loadRequired()
    await items.load()
    await access.load()
  }

  func page(_ tab: Tab) -> Page {
    let (say, list) = (frame.say, list.state.data)
    let back = PageLink(say(.lists), to: PackingRoute.lists.address)
    return frame.page(
      tab, list?.title ?? say(.lists), in: "lists", subtitle: list?.note, back: back
    ) {
      tab.region("items") {
        StateContent(items.state, say, address: tab.address) { items in
          Card(id: "item-rows") {
            for item in items { row(item, at: tab.address) }
          }
        }
      }
      tab.region("adding") { if access.canEdit { adding.html(to: tab.address, say) } }
      tab.region("list") {
        Card {
          if access.canEdit { LinkRow(say(.edit), to: PackingRoute.editList(id).address) }
          MembersLink(frame, .list, of: id)
        }
      }
    }
  }

  private func row(_ item: Item, at address: String) -> ToolRow {
    ToolRow(id: "item-\(item.id)") {
      TickRow(
        item.name, isOn: item.isPacked, to: address, id: "tick-\(item.id)",
        isReadOnly: !access.canEdit, fields: HiddenValue("item", item.id.routeText).html)
    } tools: {
      if access.canEdit { DeleteForm(item.name, "item", item.id, to: address, frame.say) }
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    if form.action == "add" { return try await adding.perform(form) }
    let (listID, itemID) = (id, try form.value("item", as: UUID.self))
    let item = Item.where { $0.id == itemID && $0.listID == listID }
    if form.action == "delete" {
      let name = items.state.data?.first { $0.id == itemID }?.name ?? ""
      try await frame.remove(item, saying: .deleted(name))
    } else {
      let isPacked = try form.value("isOn", as: Bool.self)
      try await frame.store.update(item) { [$0.isPacked.set(isPacked)] }
    }
    return .done
  }
}
