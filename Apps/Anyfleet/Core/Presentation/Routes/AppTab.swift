public import OffshorePresentation

/// The parts of the app, each with screens of its own.
public enum AppTab: String, CaseIterable, Sendable {
  case home, charters, library, profile
}

extension AppTab: Linked {
  /// Reads `/home`, `/charters`, `/library` and `/profile`; a link without a path leads home.
  public init?(_ link: DeepLink) {
    switch link.path.count {
    case 0: self = .home
    case 1: self.init(rawValue: link.path[0])
    default: return nil
    }
  }

  public var link: DeepLink { DeepLink([rawValue]) }
}
