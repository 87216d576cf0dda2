import Foundation
import OffshoreHTTP
package import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import Synchronization

/// The page in place of one whose content is no longer on this device, with the reason.
struct UnavailablePage: RoutedPage {
  private let frame: AppFrame
  private let address: String
  private let end: ScopeEnd
  /// The former title of the content, if it is known.
  private let title: String?
  /// The title of the content if it is on this device again.
  private let returned: Live<String?>
  /// All refused changes of this device.
  private let refused: Live<[RefusedItem]>
  /// The key of the row that left this device.
  private let key: UUID

  /// - Parameters:
  ///   - key: the key of the row that left this device.
  ///   - address: the address of the page.
  ///   - title: the title of the row when it left this device, if it is known.
  init(_ frame: AppFrame, _ key: UUID, at address: String, end: ScopeEnd, title: String?) {
    self.frame = frame
    self.key = key
    self.address = address
    self.end = end
    self.title = frame.title(of: key.uuidString) ?? title
    let store = frame.store
    returned = Live {
      store.values { reader in
        try store.rows(withKey: key, reader).first.flatMap {
          try store.titleIfStored(of: $0, reader)
        }
      }
    }
    let items = RefusedItems(in: store, of: frame.conflictKinds.withLock(\.self))
    refused = Live { items.values() }
  }

  private var say: Localizer { frame.say }

  func load() async {
    async let changes: Void = refused.load()
    await returned.load()
    await changes
  }

  func page(_ tab: Tab) -> Page {
    let part = frame.part(of: address)
    return frame.page(
      tab, say(.noLongerAvailable), in: part?.id ?? .profile,
      back: part.map { PageLink(say($0.title), to: $0.address) }
    ) {
      tab.region("gone") {
        if let title = returned.state.data.flatMap(\.self) {
          EmptyView(
            icon: part?.icon, title: say(title.isEmpty ? .isBack : .isBack(title)), text: "",
            action: .link(say(title.isEmpty ? .show : .show(title)), to: address))
        } else {
          refusedChangesNotice
          EmptyView(
            icon: part?.icon, title: say(heading), text: details,
            action: part.map { .link(say(.goTo(say($0.title))), to: $0.address) })
        }
      }
    }
  }

  private var heading: LocalizedText {
    switch end.kind {
    case .deletedElsewhere: .deleted(title, frame.facts.elsewhere)
    case .deletedHere: title.map { .deletedHere($0) } ?? .deletedHere
    case .revoked: title.map { .accessEnded(to: $0) } ?? .accessEnded
    }
  }

  private var details: String {
    let when: String =
      switch end.kind {
      case .deletedElsewhere(let date), .deletedHere(let date): say.dayAndTime(date) + "."
      case .revoked: say(.leftDevice)
      }
    return end.hasLostChanges && refusedChanges.isEmpty
      ? "\(when) \(say(.changesDidNotStay))" : when
  }

  /// The refused changes of the content, which the page of syncing lists.
  private var refusedChanges: [RefusedItem] {
    refused.state.data?.filter { $0.change.end?.scope.value == key.uuidString } ?? []
  }

  @HTMLBuilder private var refusedChangesNotice: HTML {
    if !refusedChanges.isEmpty {
      div(.class("notices"), .id("kept")) {
        p {
          "\(say(frame.summary(of: refusedChanges))) "
          a(.href(SystemRoute.sync.address)) { say(.seeThem) }
        }
      }
    }
  }
}

extension AppFrame {
  /// Returns a page that explains why a row of a path is no longer on this device; `nil` if no row
  /// of the path has left the device.
  /// - Throws: `DatabaseError`.
  func unavailablePage(at path: RoutePath) async throws -> UnavailablePage? {
    for key in path.keys {
      if let end = try await store.end(ofRow: key) {
        let title = try await store.formerTitle(ofRow: key)
        return UnavailablePage(self, key, at: path.address, end: end, title: title)
      }
    }
    return nil
  }
}

extension LocalizedText {
  fileprivate static let noLongerAvailable = LocalizedText(
    en: "No longer available", ru: "Больше недоступно")

  fileprivate static func deleted(_ title: String?, _ place: LocalizedText) -> LocalizedText {
    title.map { LocalizedText(en: "“\($0)” was deleted \(place)", ru: "«\($0)» удалили \(place)") }
      ?? LocalizedText(en: "This was deleted \(place)", ru: "Это удалили \(place)")
  }

  fileprivate static let deletedHere = LocalizedText(
    en: "This was deleted here", ru: "Это удалили здесь")
  fileprivate static func deletedHere(_ title: String) -> LocalizedText {
    LocalizedText(en: "“\(title)” was deleted here", ru: "«\(title)» удалили здесь")
  }

  fileprivate static let accessEnded = LocalizedText(
    en: "You no longer have access to this", ru: "У вас больше нет доступа к этому")
  fileprivate static func accessEnded(to title: String) -> LocalizedText {
    LocalizedText(
      en: "You no longer have access to “\(title)”", ru: "У вас больше нет доступа к «\(title)»")
  }
  fileprivate static let leftDevice = LocalizedText(
    en: "You do not take part in it any more, so it has left this device.",
    ru: "Вы больше в этом не участвуете, поэтому на этом устройстве его нет.")
  fileprivate static let changesDidNotStay = LocalizedText(
    en: "Changes made on this device in the meantime were not kept.",
    ru: "Изменения, сделанные за это время на этом устройстве, не сохранились.")
  fileprivate static let seeThem = LocalizedText(en: "See them", ru: "Показать")

  fileprivate static let isBack = LocalizedText(en: "It is here again", ru: "Это снова здесь")
  fileprivate static func isBack(_ title: String) -> LocalizedText {
    LocalizedText(en: "“\(title)” is here again", ru: "«\(title)» снова здесь")
  }

  /// Returns the label of a link to a part of the app.
  package static func goTo(_ part: String) -> LocalizedText {
    LocalizedText(en: "Go to \(part)", ru: "Перейти в раздел «\(part)»")
  }
}
