public import Observation

/// Where somebody is in an app: which tab is shown, and which screens lie on each tab's stack.
///
/// ```swift
/// let coordinator = Coordinator<AppTab, AppRoute>(selecting: .home, scheme: "anyfleet")
/// coordinator.push(.charter(id))
/// coordinator.stack  // [.charter(id)]
/// coordinator.open("anyfleet://charter?id=…")
/// ```
///
/// A tab's own screen is not on its stack: an empty stack shows that.
@MainActor
public final class Coordinator<Tab, Destination: Route>: Observable
where Tab: Linked, Destination.Tab == Tab {
  /// The tab that is shown.
  @Observed public private(set) var selectedTab: Tab
  /// Why the last link led nowhere, where it did.
  @Observed public private(set) var linkError: AppError?

  @Observed private var stacks: [Tab: [Destination]] = [:]
  private let scheme: String

  /// Takes where to begin.
  ///
  /// - Parameters:
  ///   - tab: the tab that is shown first.
  ///   - scheme: the scheme of the links that lead into the app.
  public init(selecting tab: Tab, scheme: String) {
    selectedTab = tab
    self.scheme = scheme
  }

  /// The screens over the selected tab's own, the topmost last.
  public var stack: [Destination] { stack(of: selectedTab) }

  /// The screens over a tab's own, the topmost last.
  public func stack(of tab: Tab) -> [Destination] { stacks[tab] ?? [] }

  // MARK: - Going

  /// Shows a tab with the stack that it has; where it is shown already, its own screen.
  public func select(_ tab: Tab) {
    if tab == selectedTab { stacks[tab] = nil }
    selectedTab = tab
  }

  /// Puts a screen on the selected tab's stack, unless it is the topmost there already.
  public func push(_ destination: Destination) {
    guard stack.last != destination else { return }
    stacks[selectedTab, default: []].append(destination)
  }

  /// Takes the topmost screen off the selected tab's stack.
  /// - Returns: the screen, or `nil` where there was none.
  @discardableResult
  public func pop() -> Destination? { stacks[selectedTab]?.popLast() }

  /// Takes all screens off the selected tab's stack.
  public func popToRoot() { stacks[selectedTab] = nil }

  /// The screen that is shown; `nil` if it is the tab's own.
  public var top: Destination? { stack.last }

  /// The screen under the one that is shown; `nil` if it is the tab's own.
  public var below: Destination? { stack.dropLast().last }

  // MARK: - Links

  /// Goes where a link leads: to a screen, with its parents under it, or to a tab.
  ///
  /// Where it leads nowhere, everything stays as it is and ``linkError`` says why.
  ///
  /// - Parameter address: the link as it came from outside.
  /// - Returns: whether it led anywhere.
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

  /// Takes the message about the last link away.
  public func dismissLinkError() { linkError = nil }

  /// The link that leads to what is shown, to be kept or sent.
  public var address: String {
    (stack.last?.link ?? selectedTab.link).url(scheme: scheme)
  }

  /// Opens the screen of a link, with its parents under it, or the tab.
  /// - Throws: `ContentError`: `notFound` if it leads nowhere; everything stays as it is then.
  public func open(_ link: DeepLink) throws(ContentError) {
    // NB: A tab's own screen goes first, since a screen that is both would lie over itself.
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
