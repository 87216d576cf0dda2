public import Anyfleet
public import OffshorePresentation
public import OffshoreWeb

extension AppTab {
  /// The part that has the page of a path; the first part where none has.
  public init(path: String) {
    switch path.split(separator: "/").first {
    case "charters": self = .charters
    case "library": self = .library
    case "profile", "settings", "about", "open": self = .profile
    default: self = .home
    }
  }

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
    case .library: Address.library
    case .profile: Address.profile
    }
  }

  var icon: Icon {
    switch self {
    case .home: Icon("house", text: "⌂")
    case .charters: Icon("compass", text: "⛵")
    case .library: Icon("journal-check", text: "✓")
    case .profile: Icon("person", text: "☺")
    }
  }
}

extension PageNavigation {
  /// The parts of the app.
  /// - Parameter current: the one that a page belongs to.
  public init(current: AppTab, in language: Language) {
    self.init(
      LocalizedText.partsOfTheApp.in(language),
      AppTab.allCases.map { part in
        .init(
          part.title.in(language), to: part.address, icon: part.icon, isCurrent: part == current)
      })
  }
}
