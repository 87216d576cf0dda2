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
  /// The address of a screen of the selected tab, or of the tab's own.
  func address(of screen: AppRoute?) -> String { screen?.address ?? selectedTab.address }
}

extension AppRoute {
  /// The address of the screen under this one, where its page leads back to.
  @MainActor var backAddress: String {
    let coordinator = AppCoordinator()
    // NB: The link of a screen opens it.
    try? coordinator.open(link)
    return coordinator.address(of: coordinator.below)
  }
}

extension AppTab {
  /// The title of the part.
  public var title: LocalizedText {
    switch self {
    case .home: .home
    case .charters: .charters
    case .library: .library
    case .profile: .profile
    }
  }

  /// The address of the part's first page.
  public var address: String {
    switch self {
    case .home: CharterRoute.home.address
    case .charters: CharterRoute.list.address
    case .library: LibraryRoute.list.address
    case .profile: SystemRoute.profile.address
    }
  }

  /// The part in the navigation of the pages.
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
