public import OffshoreHTTP

/// A page that is updated in the browser when observable state that it has read changes.
///
/// ```swift
/// struct CounterPage: LivePage {
///   let store: CounterStore  // @MainActor @Observable
///
///   func page(_ tab: Tab) -> Page {
///     Page("Counter") {
///       tab.region("count") { p { "\(store.count)" } }
///       PostForm(to: "/counter/increment", isRepeatable: false) { SubmitButton("Add one") }
///     }
///   }
/// }
/// ```
///
/// A store is data that tabs share, such as a database or the counter of this example. The app
/// passes it to the initializer of the page. A view model is an observable object with the state of
/// one tab, such as the text that the user has entered. It is isolated to the main actor. The page
/// creates its view models, and is released with the tab.
///
/// The state of view models is observed, and that of stores that are `@Observable`, such as the
/// counter. Other stores, such as a database, are not: the page reads their data in ``load()`` and
/// ``run()``, which store it in view models.
@MainActor public protocol LivePage {
  /// Loads the first content of the page. If it throws, the page does not open, and the router
  /// responds with the error.
  func load() async throws

  /// Records that a browser has requested the loaded page, and is about to show it.
  ///
  /// It is not called for a page that was created for a posted form.
  /// - Parameter isScripted: whether the browser runs the script of the device's pages, which can report the rows
  ///   in view. It is `false` for the first page that a browser opens.
  func opened(isScripted: Bool) async

  /// Updates the view models while the tab is open. When the device closes the tab, the task of
  /// this function is cancelled, and the function has to return.
  func run() async

  /// Returns the page. The observable state that it reads is observed, separately for each region.
  ///
  /// A change of state that is read outside of all regions renders the whole page again. Only the
  /// changed elements are sent.
  func page(_ tab: Tab) -> Page
}

extension LivePage {
  /// Loads nothing.
  public func load() async throws {}

  /// Records nothing.
  public func opened(isScripted: Bool) async {}

  /// Returns at once, without updating anything.
  public func run() async {}
}

/// The result of an action of the user.
public enum Outcome: Sendable, Equatable {
  /// The action is complete, and the browser stays on the page.
  case done
  /// The action is complete, and the browser goes to another page of the app. The address begins
  /// with `/`, such as `/charters`; if the app is mounted, its mount path is put before it.
  case go(to: String)
  /// Nothing is stored yet. The page shows a draft, such as a form with an additional row, asks a
  /// question, or shows the content of a ``LazyDetails``.
  case drafted
  /// A rule refused the action. The page shows the reason beside the fields, with the entered
  /// values.
  case invalid
}

extension Router {
  /// Adds the routes that live pages need: the streams of changes, the stylesheet, the script, and
  /// icons.
  ///
  /// The paths are below `/live` and `/assets`, and `/favicon.ico`. All apps of a device share
  /// them, so call this once, on the router of the device, and not on the routers of the apps that
  /// are mounted in it. `Router` is a type of the module `OffshoreHTTP`.
  /// - Precondition: The router does not have these routes yet.
  public mutating func addLivePages(_ tabs: TabRegistry) {
    get("live/:tab") { try await tabs.stream($0) }
    // Browsers request it even if no page refers to it.
    get("favicon.ico") { _ in .noContent }
    get("assets/:file") { try WebAsset.file(named: $0.parameter("file")).response(to: $0) }
    get("assets/icons/:file") { try tabs.icons.response(for: $0.parameter("file")) }
  }
}
