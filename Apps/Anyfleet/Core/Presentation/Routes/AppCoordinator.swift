public import OffshorePresentation

/// Where somebody is in the app: which tab is shown, and which screens lie on each tab's stack.
public typealias AppCoordinator = Coordinator<AppTab, AppRoute>

extension Coordinator where Tab == AppTab, Destination == AppRoute {
  /// The scheme of the links that lead into the app: `anyfleet://charter?id=UUID`.
  public nonisolated static var scheme: String { "anyfleet" }

  /// Begins at home.
  public convenience init() { self.init(selecting: .home, scheme: Self.scheme) }
}
