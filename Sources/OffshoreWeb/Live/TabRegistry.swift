public import OffshoreHTTP

/// The tabs of a device: opens them, finds them for what a person does, and drops them when they are gone.
///
/// ```swift
/// let tabs = TabRegistry()
/// router.addLivePages(tabs)
/// router.get("counter") { try await tabs.open($0) { CounterPage(counter: counter) } }
/// router.post("counter/increment") { request in
///   try await tabs.act(request, at: "/counter") {
///     CounterPage(counter: counter)
///   } action: { page in
///     await page.counter.increment()
///     return .done
///   }
/// }
/// ```
///
/// Several apps that are mounted below paths of one router share a registry.
///
/// A tab lives while a browser listens to it, and for a grace period before and after.
@MainActor public final class TabRegistry {
  /// The field by which the script names the tab that a form belongs to.
  static let header = "Offshore-Tab"

  /// The icons of the pages.
  nonisolated let icons: Icons
  private let gracePeriod: Duration
  private let maximumCount: Int
  private let clock: any Clock<Duration>
  private var generator: any RandomNumberGenerator & Sendable
  private var tabs: [String: Tab] = [:]
  /// The tabs in their grace period.
  private(set) var expiries: [String: Task<Void, Never>] = [:]
  /// The ids of tabs to which nobody listens, the one that has waited longest first.
  private var waiting: [String] = []
  private var isClosed = false

  /// Makes a registry without tabs.
  /// - Parameters:
  ///   - icons: The icons of the pages.
  ///   - gracePeriod: For how long a tab lives to which no browser listens.
  ///   - maximumCount: How many tabs there are at the most; beyond, one to which nobody listens goes.
  ///   - clock: Measures the grace period.
  public nonisolated init(
    icons: Icons = .system, gracePeriod: Duration = .seconds(30), maximumCount: Int = 500,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.icons = icons
    self.gracePeriod = gracePeriod
    self.maximumCount = maximumCount
    self.clock = clock
    generator = SystemRandomNumberGenerator()
  }

  /// How many tabs there are.
  var count: Int { tabs.count }

  // MARK: - Pages

  /// Loads a page and answers with it, as a tab of its own.
  /// - Throws: What loading throws.
  public func open(
    _ request: Request, page: @MainActor () async throws -> some LivePage
  ) async throws -> Response {
    let page = try await page()
    try await page.load()
    let query = request.rawQuery.isEmpty ? "" : "?\(request.rawQuery)"
    return show(page, at: request.path + query, request)
  }

  /// Lets a page do what a person asked for, and answers once that is done.
  ///
  /// The page is the one that the person looks at, which then changes by itself: the answer is 204. Without
  /// the script, or where the tab is gone, a new page acts and the answer is 303, or the page: as 200 where it
  /// holds a draft, as 422 where a rule refused what was asked for.
  ///
  /// - Parameters:
  ///   - address: The path of the page that has the form; a query may follow.
  ///   - page: Makes a page where there is none.
  ///   - action: Does it, and returns when it is durable.
  /// - Throws: What making, loading, and acting throw.
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

  /// Does something that concerns no page in particular, and answers once that is done: the tab that shows
  /// the form changes by itself, or goes to the address of the outcome; without the script the answer is 303.
  ///
  /// - Parameters:
  ///   - address: The path of the page that has the form; a query may follow.
  ///   - action: Does it, and returns `done` or the address to go to once it is durable.
  /// - Throws: What acting throws; ``HTTPError`` with 400 if the address is not one of the app's pages.
  public func act(
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
    let surroundings = HTML.Surroundings(
      icons: icons, base: request.base,
      isFramed: request.headers["Sec-Fetch-Dest"] == "iframe")
    let tab = Tab(id: makeID(), address: address, for: surroundings, page: page)
    add(tab)
    var response = Response.html(tab.render(), status: status)
    response.headers["Cache-Control"] = "no-store"
    return response
  }

  /// The open page at an address that sent a request, if there is one.
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

  /// An answer without a page: the page changes by its stream, up to the revision that is named.
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

  /// The stream of a tab's changes; of one that is gone, the word to fetch the page again.
  func stream(_ request: Request) throws -> Response {
    let id: String = try request.parameter("tab")
    guard let tab = tabs[id] else { return Self.refetch }
    let known = request.headers["Last-Event-ID"] ?? request.query["after"]
    let stream = tab.connect(after: known.flatMap { Int($0) } ?? 0)
    updateExpiry(of: tab)
    stream.onClose { [weak self, weak tab] in
      Task { @MainActor in
        guard let tab else { return }
        tab.forgetClosedStreams()
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

  /// Ends all tabs, and returns when none of their pages does anything any more.
  ///
  /// Call it once the server has stopped, and close what pages follow after it. A page that is opened
  /// all the same is answered, and is no tab.
  public func close() async {
    isClosed = true
    let open = Array(tabs.values)
    for tab in open { drop(tab.id) }
    for tab in open { await tab.ended() }
  }

  private func add(_ tab: Tab) {
    guard !isClosed else { return }
    if tabs.count >= maximumCount, let oldest = waiting.first { drop(oldest) }
    tabs[tab.id] = tab
    tab.start()
    updateExpiry(of: tab)
  }

  /// Starts the grace period of a tab to which nobody listens, and ends that of another.
  private func updateExpiry(of tab: Tab) {
    let id = tab.id
    guard tabs[id] != nil, tab.isConnected == (expiries[id] != nil) else { return }
    if tab.isConnected {
      expiries.removeValue(forKey: id)?.cancel()
      waiting.removeAll { $0 == id }
    } else {
      waiting.append(id)
      expiries[id] = Task { [weak self, clock, gracePeriod] in
        try? await clock.sleep(for: gracePeriod)
        if !Task.isCancelled { self?.drop(id) }
      }
    }
  }

  private func drop(_ id: String) {
    expiries.removeValue(forKey: id)?.cancel()
    waiting.removeAll { $0 == id }
    tabs.removeValue(forKey: id)?.close()
  }

  /// 128 random bits: nobody can guess the id of another's tab.
  private func makeID() -> String {
    let halves: [UInt64] = [generator.next(), generator.next()]
    return halves.map { String($0, radix: 36) }.joined()
  }
}
