public import OffshoreHTTP
import OffshorePresentation
public import OffshoreWeb

/// The pages that every app has: the user, the account, syncing, settings, and links into the app.
public enum SystemRoute: PageRoute {
  /// The user, with links to the other pages.
  case profile
  /// Signing up, in and out.
  case account
  /// The state of syncing, with the pending and the refused changes.
  case sync
  /// The language, and the location of the data.
  case settings
  /// The app, its version and its licence.
  case about
  /// A link into the app, in the query field `link`: `/open?link=anyfleet://about`.
  case open

  /// The path, which is the same in every app.
  public var path: RoutePath {
    switch self {
    case .profile: "profile"
    case .account: "profile/account"
    case .sync: "profile/sync"
    case .settings: "settings"
    case .about: "about"
    case .open: "open"
    }
  }

  /// The pages.
  public static let all: [RouteCase<SystemRoute>] = [
    RouteCase(.profile), RouteCase(.account), RouteCase(.sync), RouteCase(.settings),
    RouteCase(.about), RouteCase(.open),
  ]
}

extension Router {
  /// Adds the pages that every app has.
  ///
  /// They belong to ``AppFrame/Part/profile``. Add this part to the frame to have it in the
  /// navigation.
  public mutating func addSystemPages(of frame: AppFrame) {
    addPages(SystemRoute.self, of: frame) { route, query in route.page(of: frame, query) }
  }
}

extension SystemRoute {
  /// Returns the page, for an app that has a page of its own at the address in some cases.
  /// - Parameter query: the fields of the address.
  @MainActor public func page(of frame: AppFrame, _ query: Fields) -> any RoutedPage {
    switch self {
    case .profile: ProfilePage(frame)
    case .account: AccountPage(frame, query)
    case .sync: SyncPage(frame)
    case .settings: SettingsPage(frame)
    case .about: AboutPage(frame)
    case .open: OpenLinkPage(frame, link: query["link"])
    }
  }
}

extension AppFrame {
  /// The link back to the profile.
  public var backToProfile: PageLink { PageLink(say(.profile), to: SystemRoute.profile.address) }
}
