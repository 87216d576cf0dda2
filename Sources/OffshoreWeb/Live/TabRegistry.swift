public import OffshoreHTTP

/// The open tabs of a device, with functions to open them and to perform the user's actions.
///
/// ```swift
/// let tabs = TabRegistry()
/// router.addLivePages(tabs)
/// router.get("counter") { try await tabs.open($0) { CounterPage(store: store) } }
/// router.post("counter/increment") { request in
///   try await tabs.act(request, at: "/counter") {
///     CounterPage(store: store)
///   } action: { page in
///     await page.store.increment()
///     return .done
///   }
/// }
/// ```
///
/// Apps that are mounted in one router share a registry.
///
/// A tab is closed if no browser connects to it during a grace period. The period begins when the
/// page is served, and again when the last connection of a browser ends. If the browser still shows
/// the page when it connects later, the script fetches the page again, which opens a new tab.
@MainActor public final class TabRegistry {
  /// The header field in which the script names the tab of a form.
  static let header = "Offshore-Tab"
  /// The cookie by which the script tells that it runs in the browser. A page that is opened by a link has no
  /// header fields of the script.
  static let scriptCookie = "offshore-script"

  /// The icons of the pages.
  nonisolated let icons: Icons
  private let gracePeriod: Duration
  private let maximumCount: Int
  private let clock: any Clock<Duration>
  private var generator: any RandomNumberGenerator & Sendable
  private var tabs: [String: Tab] = [:]
  /// The tasks that close the tabs in their grace period.
  private(set) var expiries: [String: Task<Void, Never>] = [:]
  /// The ids of tabs without a connection, beginning with the one that is unconnected for longest.
  private var unconnected: [String] = []
  private var isClosed = false

  /// Creates a registry without tabs, for 500 tabs and with a grace period of 30 seconds.
  ///
  /// Beyond 500, each new tab closes the one that has been without a connected browser for longest.
  /// A tab with a connected browser is not closed for another one, so there may be more.
  public nonisolated convenience init() { self.init(icons: .system) }

  /// Creates a registry without tabs.
  /// - Parameters:
  ///   - icons: the icons of the pages.
  ///   - gracePeriod: the time for which a tab without a connected browser exists.
  ///   - maximumCount: the maximum number of tabs. Beyond it, a tab without a connected browser is
  ///     closed.
  ///   - clock: the clock for the grace period.
  package nonisolated init(
    icons: Icons = .system, gracePeriod: Duration = .seconds(30), maximumCount: Int = 500,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.icons = icons
    self.gracePeriod = gracePeriod
    self.maximumCount = maximumCount
    self.clock = clock
    generator = SystemRandomNumberGenerator()
  }

  /// The number of tabs.
  var count: Int { tabs.count }

  // MARK: - Pages

  /// Loads a page and responds with it, in a tab of its own.
  /// - Throws: the errors of creating and loading the page.
  public func open(
    _ request: Request, page: @MainActor () async throws -> some LivePage
  ) async throws -> Response {
    let page = try await page()
    try await page.load()
    await page.opened(isScripted: request.cookies[Self.scriptCookie] != nil)
    let query = request.rawQuery.isEmpty ? "" : "?\(request.rawQuery)"
    return show(page, at: request.path + query, request)
  }

  /// Performs an action of the user on a page, and responds after the action is complete.
  ///
  /// With the script, the action is performed on the page in the tab that sent the form. The tab
  /// receives the changes separately, so the response has no content: it is 422 for
  /// ``Outcome/invalid``, and otherwise 204. For ``Outcome/go(to:)``, a header has the address of
  /// the next page.
  ///
  /// Without the script, or if the tab was closed, the action is performed on a new page. The
  /// response for ``Outcome/done`` and ``Outcome/go(to:)`` is a redirect (303) to the address or to
  /// the next page. The response for ``Outcome/drafted`` (200) and ``Outcome/invalid`` (422) has
  /// the new page.
  ///
  /// - Parameters:
  ///   - request: the posted form.
  ///   - address: the path of the page with the form, without the app's mount path; a query may
  ///     follow. The redirect leads to it, with the mount path.
  ///   - page: creates a page if the tab does not exist.
  ///   - action: performs the action, and returns after the result is durable.
  /// - Throws: the errors of creating and loading the page, and of the action.
  public func act<Content: LivePage>(
    _ request: Request, at address: String, page: @MainActor () async throws -> Content,
    action: @MainActor (Content) async throws -> Outcome
  ) async throws -> Response {
    if let (tab, page) = tab(for: request, at: address, as: Content.self) {
      return answer(try await action(page), in: tab, request)
    }
    let page = try await page()
    try await page.load()
    switch try await action(page) {
    case .done: return .redirect(to: address)
    case .go(let next): return .redirect(to: next)
    case .drafted: return show(page, at: address, request)
    case .invalid: return show(page, at: address, request, status: .unprocessableContent)
    }
  }

  /// Performs an action that does not belong to a page, and responds after the action is complete.
  ///
  /// The tab with the form updates itself, or goes to the address of the outcome. Without the
  /// script, the response is 303.
  ///
  /// - Parameters:
  ///   - request: the posted form.
  ///   - address: the path of the page with the form; a query may follow.
  ///   - action: performs the action, and returns `done` or the address to go to after the result
  ///     is durable.
  /// - Throws: the errors of the action; `HTTPError` with 400 if the address is not one of the
  ///   app's pages.
  package func act(
    _ request: Request, returningTo address: String, action: @MainActor () async throws -> Outcome
  ) async throws -> Response {
    guard WebAddress.isOfApp(address) else {
      throw HTTPError(.badRequest, "The form names no page of the app to return to.")
    }
    let outcome = try await action()
    let tab = request.headers[Self.header].flatMap { tabs[$0] }
    if let tab, tab.base == request.base { return answer(outcome, in: tab, request) }
    if case .go(let next) = outcome { return .redirect(to: next) }
    return .redirect(to: address)
  }

  private func show(
    _ page: some LivePage, at address: String, _ request: Request, status: Response.Status = .ok
  ) -> Response {
    let context = RenderContext(
      icons: icons, base: request.base,
      isFramed: request.headers["Sec-Fetch-Dest"] == "iframe")
    let tab = Tab(id: makeID(), address: address, for: context, page: page)
    add(tab)
    var response = Response.html(tab.render(), status: status)
    response.headers["Cache-Control"] = "no-store"
    return response
  }

  /// Returns the open page at an address that sent a request, or `nil` if there is no such page.
  package func page(for request: Request, at address: String) -> (any LivePage)? {
    tab(for: request, at: address)?.page
  }

  private func tab<Content: LivePage>(
    for request: Request, at address: String, as type: Content.Type
  ) -> (Tab, Content)? {
    guard let tab = tab(for: request, at: address), let page = tab.page as? Content else {
      return nil
    }
    return (tab, page)
  }

  private func tab(for request: Request, at address: String) -> Tab? {
    guard let tab = request.headers[Self.header].flatMap({ tabs[$0] }),
      tab.base == request.base, Self.path(tab.address) == Self.path(address)
    else { return nil }
    return tab
  }

  private static func path(_ address: String) -> Substring { address.prefix { $0 != "?" } }

  /// Returns a response without a page. The page updates by its stream, up to the revision in the
  /// response.
  private func answer(_ outcome: Outcome, in tab: Tab, _ request: Request) -> Response {
    tab.flush()
    var response = outcome == .invalid ? Response(.unprocessableContent) : .noContent
    response.headers["Offshore-Revision"] = "\(tab.revision)"
    if case .go(let next) = outcome { response.headers["Offshore-Location"] = request.base + next }
    return response
  }

  // MARK: - Streams

  /// The number of open streams of all tabs.
  var streamCount: Int { tabs.values.reduce(0) { $0 + $1.streamCount } }

  /// Returns the stream of a tab's changes. If the tab was closed, the stream requests to fetch the
  /// page again.
  func stream(_ request: Request) throws -> Response {
    let id: String = try request.parameter("tab")
    guard let tab = tabs[id] else { return Self.refetch }
    let known = request.headers["Last-Event-ID"] ?? request.query["after"]
    let stream = tab.connect(after: known.flatMap { Int($0) } ?? 0)
    updateExpiry(of: tab)
    stream.onClose { [weak self, weak tab] in
      Task { @MainActor in
        guard let tab else { return }
        tab.removeClosedStreams()
        self?.updateExpiry(of: tab)
      }
    }
    return .events(stream)
  }

  private static var refetch: Response {
    let stream = EventChannel()
    stream.send(.refetch)
    stream.close()
    return .events(stream)
  }

  // MARK: - Lifetime

  /// Closes all tabs, and returns after the tasks of their pages have ended.
  ///
  /// Call it after the server has stopped, and before you close the stores that pages use. If
  /// the server still serves a page after this call, the page is shown, but its tab is not
  /// registered and receives no changes.
  public func close() async {
    isClosed = true
    let open = Array(tabs.values)
    for tab in open { closeTab(tab.id) }
    for tab in open { await tab.ended() }
  }

  /// Closes the tabs of an app, so that browsers fetch their pages again, with new view models.
  ///
  /// It is for a change that no page observes, such as one of the place at which all data is stored.
  /// - Parameter path: the mount path of the app, such as `/trips`, or an empty text for a router
  ///   that is not mounted. The tabs of other apps stay open.
  public func refetch(under path: String) {
    for tab in Array(tabs.values) where tab.base == path { closeTab(tab.id) }
  }

  private func add(_ tab: Tab) {
    guard !isClosed else { return }
    if tabs.count >= maximumCount, let oldest = unconnected.first { closeTab(oldest) }
    tabs[tab.id] = tab
    tab.start()
    updateExpiry(of: tab)
  }

  /// Starts the grace period of a tab without a connected browser, or ends that of a connected one.
  private func updateExpiry(of tab: Tab) {
    let id = tab.id
    guard tabs[id] != nil, tab.isConnected == (expiries[id] != nil) else { return }
    if tab.isConnected {
      expiries.removeValue(forKey: id)?.cancel()
      unconnected.removeAll { $0 == id }
    } else {
      unconnected.append(id)
      expiries[id] = Task { [weak self, clock, gracePeriod] in
        try? await clock.sleep(for: gracePeriod)
        if !Task.isCancelled { self?.closeTab(id) }
      }
    }
  }

  private func closeTab(_ id: String) {
    expiries.removeValue(forKey: id)?.cancel()
    unconnected.removeAll { $0 == id }
    tabs.removeValue(forKey: id)?.close()
  }

  /// Returns 128 random bits, so that other users cannot guess the id of a tab.
  private func makeID() -> String {
    let halves: [UInt64] = [generator.next(), generator.next()]
    return halves.map { String($0, radix: 36) }.joined()
  }
}
