package import Anyfleet
import Foundation
package import OffshoreHTTP
package import OffshorePages
package import OffshorePresentation
import OffshoreWeb

/// A factory for the pages of Anyfleet.
struct AnyfleetPages: Sendable {
  let dependencies: AppDependencies
  /// The frame of all pages.
  let frame: AppFrame
}

extension Router {
  /// Adds the pages of Anyfleet.
  ///
  /// Each tab has its own view models, which are released with it. Stores and repositories belong
  /// to the dependencies and outlive all tabs.
  package mutating func addAnyfleet(_ dependencies: AppDependencies, of frame: AppFrame) {
    let pages = AnyfleetPages(dependencies: dependencies, frame: frame)
    addPages(
      CharterRoute.self, of: frame, missing: { try await pages.missingPage($0.charterID, $1) },
      page: { pages.page($0, $1) })
    addPages(LibraryRoute.self, of: frame) { pages.page($0, $1) }
    addPages(StudyRoute.self, of: frame) { pages.page($0, $1) }
    addPages(
      RunRoute.self, of: pages.frame, missing: { try await pages.missingPage($0.charterID, $1) },
      page: { route, _ in try pages.page(route) })
    addStylesheet(.charters)
    addMembers(of: frame, .charter)
    addHistory(
      of: frame,
      HistoryKind(
        .charter, CharterHistory.tables, texts: .ofCharters, parts: ItemHistory.tables,
        partAddress: { place, context in
          try ItemHistory.item(at: place, context).map {
            RunRoute.history(charter: $0.charter, checklist: $0.checklist, item: $0.item).address
          }
        }))
    addSystemPages(of: frame)
    addFormerAddresses()
  }
}

// MARK: - Addresses

extension AppRoute {
  /// The address of the screen's page.
  package var address: String {
    switch self {
    case .createCharter: CharterRoute.new.address
    case .charterDetail(let id): CharterRoute.detail(id).address
    case .editCharter(let id): CharterRoute.edit(id).address
    case .checklistList, .library: LibraryRoute.list.address
    case .newEntry(let kind): LibraryRoute.new(kind).address
    case .entry(let kind, let id): LibraryRoute.entry(kind, id).address
    case .editEntry(let kind, let id): LibraryRoute.edit(kind, id).address
    case .executeChecklist(let charterID, let checklistID):
      RunRoute.run(charter: charterID, checklist: checklistID).address
    case .join(let code): SharedKind.charter.joinAddress(code: code)
    case .profile: SystemRoute.profile.address
    case .settings: SystemRoute.settings.address
    case .about: SystemRoute.about.address
    }
  }
}

extension Coordinator where Tab == AppTab, Destination == AppRoute {
  /// Returns the address of a screen, or that of the selected tab for `nil`.
  func address(of screen: AppRoute?) -> String { screen?.address ?? selectedTab.address }
}

extension AppRoute {
  /// The address of the screen below this one, for the page's link back.
  @MainActor var backAddress: String {
    let coordinator = AppCoordinator()
    // NB: Opening a screen's own link always succeeds.
    try? coordinator.open(link)
    return coordinator.address(of: coordinator.below)
  }
}

extension AppTab {
  /// The title of the tab.
  package var title: LocalizedText {
    switch self {
    case .home: .home
    case .charters: .charters
    case .library: .library
    case .profile: .profile
    }
  }

  /// The address of the tab's first page.
  package var address: String {
    switch self {
    case .home: CharterRoute.home.address
    case .charters: CharterRoute.list.address
    case .library: LibraryRoute.list.address
    case .profile: SystemRoute.profile.address
    }
  }

  /// The tab in the navigation of the pages.
  var part: AppFrame.Part {
    switch self {
    case .home: .init(.home, title, to: address, icon: Icon("house", text: "⌂"))
    case .charters: .init(.charters, title, to: address, icon: Icon("compass", text: "⛵"))
    case .library: .init(.library, title, to: address, icon: Icon("journal-check", text: "✓"))
    case .profile: .profile
    }
  }
}

extension AppFrame.Part.ID {
  static let home: AppFrame.Part.ID = "home"
  static let charters: AppFrame.Part.ID = "charters"
  static let library: AppFrame.Part.ID = "library"
}

extension Stylesheet {
  /// The rules for checklists in progress, flashcards and reports.
  static let charters = Stylesheet("charters", PackageResources.charters_css)
}

extension Notices {
  /// Creates notices for the errors of reading a screen.
  init(_ errors: [AppError], _ say: Localizer, address: String) {
    self.init(UnreadableEntryNotices.notices(of: errors), say, address: address) { $0.address }
  }
}

extension StoredPlace {
  /// The address of the page on which the entry can be deleted.
  var address: String? {
    if table == "charters" { return UUID(uuidString: row).map { CharterRoute.detail($0).address } }
    return LibraryRoute.address(of: self)
  }
}
