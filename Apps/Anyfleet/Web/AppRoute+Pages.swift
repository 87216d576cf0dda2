public import Anyfleet
import Foundation
import OffshorePages
public import OffshorePresentation
import OffshoreWeb

extension AppRoute {
  /// The address of the screen's page.
  public var address: String {
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
    case .join(let code): SharedKind.charter.join(by: code)
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
  public var title: LocalizedText {
    switch self {
    case .home: .home
    case .charters: .charters
    case .library: .library
    case .profile: .profile
    }
  }

  /// The address of the tab's first page.
  public var address: String {
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
