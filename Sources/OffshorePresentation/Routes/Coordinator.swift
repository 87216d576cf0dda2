public import Observation

/// The navigation of an app: the selected tab, and the stack of screens of each tab.
///
/// ```swift
/// let coordinator = Coordinator<AppTab, AppRoute>(selecting: .home, scheme: "anyfleet")
/// coordinator.push(.charter(id))
/// coordinator.stack  // [.charter(id)]
/// coordinator.open("anyfleet://charter?id=…")
/// ```
///
/// A tab's own screen is not on its stack: it is shown if the stack is empty.
@MainActor
public final class Coordinator<Tab, Destination: Route>: Observable
where Tab: LinkDestination, Destination.Tab == Tab {
  /// The selected tab.
  @Observed public private(set) var selectedTab: Tab
  /// The reason why the last link could not be opened, or `nil` if it could.
  @Observed public private(set) var linkError: AppError?

  @Observed private var stacks: [Tab: [Destination]] = [:]
  private let scheme: String

  /// Creates a coordinator with empty stacks.
  ///
  /// - Parameters:
  ///   - tab: the tab that is selected first.
  ///   - scheme: the scheme of the links into the app.
  public init(selecting tab: Tab, scheme: String) {
    selectedTab = tab
    self.scheme = scheme
  }

  /// The screens above the selected tab's own, the topmost last.
  public var stack: [Destination] { stack(of: selectedTab) }

  /// Returns the screens above a tab's own, the topmost last.
  public func stack(of tab: Tab) -> [Destination] { stacks[tab] ?? [] }

  // MARK: - Navigating

  /// Selects a tab, which shows its stack. If it is selected already, pops all its screens.
  public func select(_ tab: Tab) {
    if tab == selectedTab { stacks[tab] = nil }
    selectedTab = tab
  }

  /// Pushes a screen onto the selected tab's stack, unless it is the topmost already.
  public func push(_ destination: Destination) {
    guard stack.last != destination else { return }
    stacks[selectedTab, default: []].append(destination)
  }

  /// Pops the topmost screen of the selected tab's stack.
  /// - Returns: the screen, or `nil` if the stack is empty.
  @discardableResult
  public func pop() -> Destination? { stacks[selectedTab]?.popLast() }

  /// Pops all screens of the selected tab's stack.
  public func popToRoot() { stacks[selectedTab] = nil }

  /// The topmost screen; `nil` if the tab's own screen is shown.
  public var top: Destination? { stack.last }

  /// The screen below the topmost one; `nil` if that is the tab's own or if there is none.
  public var below: Destination? { stack.dropLast().last }

  // MARK: - Links

  /// Opens the screen of a link, with its parents below it, or a tab.
  ///
  /// If the link is not valid, the navigation does not change, and ``linkError`` has the reason.
  ///
  /// - Parameter address: the link as received.
  /// - Returns: whether the link was opened.
  @discardableResult
  public func open(_ address: String) -> Bool {
    do {
      try open(DeepLink(address, scheme: scheme))
      linkError = nil
      return true
    } catch {
      linkError = .content(error)
      return false
    }
  }

  /// Clears ``linkError``.
  public func dismissLinkError() { linkError = nil }

  /// The link to the current screen, to be stored or shared.
  public var address: String {
    (stack.last?.link ?? selectedTab.link).url(scheme: scheme)
  }

  /// Opens the screen of a link, with its parents below it, or a tab.
  /// - Throws: ``ContentError`` with `notFound` if the link leads to neither. The navigation does
  ///   not change then.
  public func open(_ link: DeepLink) throws(ContentError) {
    // NB: Tabs are checked first, because a screen that is also a tab's own would be pushed onto
    // itself.
    if let tab = Tab(link) {
      selectedTab = tab
      stacks[tab] = nil
    } else if let destination = Destination(link) {
      selectedTab = destination.tab
      stacks[destination.tab] = destination.parents + [destination]
    } else {
      throw .notFound
    }
  }
}

/// A screen of an app with its parameters: an `enum` with a case for each screen.
///
/// ```swift
/// enum AppRoute: Route {
///   case charter(UUID)
///
///   var tab: AppTab { .charters }
///   var link: DeepLink {
///     switch self {
///     case .charter(let id): DeepLink(["charter"], query: ["id": id.uuidString])
///     }
///   }
///   init?(_ link: DeepLink) {
///     switch link.path {
///     case ["charter"]:
///       guard let id = link.query["id"].flatMap(UUID.init) else { return nil }
///       self = .charter(id)
///     default: return nil
///     }
///   }
/// }
/// ```
public protocol Route: LinkDestination {
  /// The tabs of the app.
  associatedtype Tab: Hashable & Sendable

  /// The tab whose stack the screen is opened on.
  var tab: Tab { get }

  /// The screens that a link opens below this one, the lowest first; empty by default.
  var parents: [Self] { get }
}

extension Route {
  public var parents: [Self] { [] }
}
