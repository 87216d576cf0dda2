import Foundation
import Observation
import Offshore
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// A list with its things, which are ticked as they are packed.
@Observable final class ListPage: RoutedPage {
  private struct Content: Equatable {
    let list: PackingList
    let items: [Item]
  }

  private let frame: AppFrame
  private let id: UUID
  private let content: Live<Content>
  private var adding: Draft<Item>

  init(_ frame: AppFrame, _ id: UUID) {
    self.frame = frame
    self.id = id
    adding = Self.newItem(UUID(), of: id, in: frame)
    let store = frame.store
    content = Live(required: {
      store.values { reader in
        try PackingList.find(id).one(reader).map { list in
          let items = Item.where { $0.listID == id }.order { $0.name }
          return Content(list: list, items: try items.all(reader))
        }
      }
    })
  }

  func load() async throws { try await content.loadRequired() }

  func page(_ tab: Tab) -> Page {
    let say = frame.say
    return frame.page(
      tab, content.state.data?.list.title ?? "", in: "lists",
      subtitle: content.state.data?.list.note,
      back: PageLink(say(.lists), to: PackingRoute.lists.address)
    ) {
      tab.region("items") {
        StateContent(self.content.state, say, address: tab.address) { content in
          Card(label: say(.things), id: "item-rows") {
            for item in content.items { self.row(item, at: tab.address) }
          }
        }
        PostForm(to: tab.address, id: "add") {
          HiddenValue("item", self.adding.id.routeText)
          for field in Item.fields { DraftFieldView(field, of: self.adding, say) }
          SubmitButton(say(.addThing), action: "add")
        }
      }
      Card {
        LinkRow(say(.edit), to: PackingRoute.editList(self.id).address)
      }
      PostForm(to: tab.address) {
        SubmitButton(say(.deleteList), style: .destructive, action: "delete-list")
      }
    }
  }

  private func row(_ item: Item, at address: String) -> HTML {
    let say = frame.say
    return div(.id("item-\(item.id)")) {
      TickRow(
        item.name, isOn: item.isPacked, to: address, id: "tick-\(item.id)",
        fields: HiddenValue("item", item.id.routeText).html)
      PostForm(to: address) {
        HiddenValue("item", item.id.routeText)
        SubmitButton(
          say(.delete), style: .plain, label: say(.delete(item.name)), action: "delete")
      }
    }
  }

  // MARK: - Forms

  func perform(_ form: PageForm) async throws -> Outcome {
    if form.action == "delete-list" {
      let title = content.state.data?.list.title ?? ""
      try await frame.remove(PackingList.find(id), saying: .deleted(title))
      return .go(to: PackingRoute.lists.address)
    }
    let (listID, itemID) = (id, try form.value("item", as: UUID.self))
    let item = Item.where { $0.id == itemID && $0.listID == listID }
    switch form.action {
    case "add":
      adding = Self.newItem(itemID, of: id, in: frame)
      adding["name"] = form.text("name")
      guard await adding.save() != nil else { return .invalid }
      adding = Self.newItem(UUID(), of: id, in: frame)
    case "delete":
      let name = content.state.data?.items.first { $0.id == itemID }?.name ?? ""
      try await frame.remove(item, saying: .deleted(name))
    default:
      // A tick row sends the wanted state alone.
      let isPacked = try form.value("isOn", as: Bool.self)
      try await frame.store.update(item) { [$0.isPacked.set(isPacked)] }
    }
    return .done
  }

  private static func newItem(_ id: UUID, of listID: UUID, in frame: AppFrame) -> Draft<Item> {
    Draft(Item.fields, id: id, isNew: true, in: frame.store) {
      Item(id: $0, listID: listID, name: "")
    }
  }
}
