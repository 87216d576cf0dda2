public import Anyfleet
import OffshorePages
public import OffshorePresentation
import OffshoreWeb

extension AppTab {
  /// What the part is called.
  public var title: LocalizedText {
    switch self {
    case .home: .home
    case .charters: .charters
    case .library: .library
    case .profile: .profile
    }
  }

  /// Where the part's own page is.
  public var address: String {
    switch self {
    case .home: Address.home
    case .charters: Address.charters
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
