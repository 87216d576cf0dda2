import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The library: its parts, and the entries of one of them.
struct LibraryPage: RoutedPage {
  let frame: AppFrame
  let store: LibraryStore
  let part: LibraryPart

  private var say: Speaker { frame.say }

  func load() async {
    for part in LibraryPart.allCases { await load(part.kind) }
  }

  private func load<Entry: ShownEntry>(_ kind: Entry.Type) async {
    await store.loadIfNeeded(kind)
  }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.library), in: .library) {
      tab.region("library-parts") { parts }
      tab.region("library-entries") { entries(of: part.kind) }
    }
  }

  private var parts: HTML {
    nav(.id("parts"), .class("filters"), .ariaLabel(say(.partsOfTheLibrary))) {
      for part in LibraryPart.allCases {
        a(.href(part.address), part == self.part ? .ariaCurrent(.page) : .none) {
          say(part.kind.texts.many)
          if let count = count(of: part.kind) {
            " "
            span(.class("count")) { say.number(count) }
          }
        }
      }
    }
  }

  private func count<Entry: ShownEntry>(of kind: Entry.Type) -> Int? {
    let state = store.entries(of: kind)
    return state.isEmpty ? 0 : state.data?.count
  }

  @HTMLBuilder private func entries<Entry: ShownEntry>(of kind: Entry.Type) -> HTML {
    let texts = kind.texts
    Notices(store.notices(of: kind), say, address: part.address)
    EntryList(
      store.entries(of: kind), say, title: texts.many, id: "\(part.rawValue)-list",
      address: part.address,
      new: PageLink(say(texts.new), to: LibraryRoute.new(part).address),
      empty: (kind.icon, texts.none, texts.hint)
    ) { entry in
      LinkRow(
        entry.title, to: LibraryRoute.entry(part, entry.id).address,
        text: entry.subtitle.map { say($0) }, id: "entry-\(entry.id)")
    }
  }
}

extension LocalizedText {
  fileprivate static let partsOfTheLibrary = LocalizedText(
    en: "Parts of the library", ru: "Разделы библиотеки")
}
