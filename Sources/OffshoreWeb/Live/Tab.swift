import OffshoreHTTP

/// A page that is open in a browser, with its view models and what the browser has got of it so far.
@MainActor public final class Tab {
  /// How many streams one tab may have; a browser that reconnects may have two for a moment.
  static let maximumStreams = 4

  let id: String
  /// The address of the page, with its query, for forms that are posted to it.
  public let address: String
  package let page: any LivePage
  /// The path below which the app of the page is served; empty for none.
  var base: String { surroundings.base }
  private let surroundings: HTML.Surroundings
  private let document: LiveDocument
  private var history: EventHistory
  private var streams: [EventChannel] = []
  private var running: Task<Void, Never>?

  /// Opens a page that has loaded.
  init(
    id: String, address: String, for surroundings: HTML.Surroundings = .init(), page: some LivePage
  ) {
    self.id = id
    self.address = address
    self.surroundings = surroundings
    history = EventHistory(for: surroundings)
    self.page = page
    let changes = Changes()
    document = LiveDocument(onChange: { Task { @MainActor in changes.tab?.followChange() } })
    changes.tab = self
    document.open { [weak self] in self.map(page.page) ?? Page("") }
  }

  /// Marks a part of the page that is rendered on its own when something that it reads changes.
  ///
  /// What is sent is the smallest element with an id that changed, so give rows ids.
  ///
  /// - Parameters:
  ///   - id: An id that no other element of the page has. It becomes that of a `div` around the
  ///     content, so a region cannot stand directly within `p`, `ul`, or `table`.
  ///   - content: Makes the content from what view models hold, and nothing else.
  public func region(
    _ id: String, @HTMLBuilder _ content: @escaping @MainActor () -> HTML
  ) -> HTML {
    document.region(id, content)
  }

  /// The markup of a component, made again only where it differs from the last one with its id.
  ///
  /// For the rows of a long list: what shows must follow from what is compared. Two kinds of component
  /// in one region need ids that differ.
  public func memo(_ component: some Component & Equatable & Identifiable) -> HTML {
    document.memo(component)
  }

  // MARK: - Lifetime

  /// Lets the page follow its view models.
  func start() {
    guard running == nil else { return }
    running = Task { [page] in await page.run() }
  }

  /// Ends what the page does and all streams.
  func close() {
    running?.cancel()
    for stream in streams { stream.close() }
    streams = []
    document.close()
  }

  /// Waits until the page does nothing any more.
  func ended() async { await running?.value }

  // MARK: - Rendering

  /// The number of the last change that was sent.
  var revision: Int { history.revision }

  /// The whole page as it is now.
  func render() -> [UInt8] {
    flush()
    let reference = Page.TabReference(id: id, address: address, revision: revision)
    return document.composed.document(reference, for: surroundings)
  }

  /// Sends what changed if a browser listens. A browser that connects later gets it then.
  private func followChange() { if isConnected { flush() } }

  /// Sends what changed since the last time. Several changes of one turn of the main actor are one.
  func flush() {
    guard let patches = document.patches() else { return startOver() }
    guard !patches.isEmpty else { return }
    let event = history.append(patches)
    streams.removeAll { !$0.send(event) }
  }

  // MARK: - Streams

  /// Whether a browser listens.
  var isConnected: Bool { !streams.isEmpty }

  /// The number of open streams.
  var streamCount: Int { streams.count }

  /// A stream of what changed after a revision.
  func connect(after revision: Int) -> EventChannel {
    flush()
    let stream = EventChannel()
    guard let missed = history.events(after: revision) else {
      stream.send(.refetch)
      stream.close()
      return stream
    }
    for event in missed { stream.send(event) }
    streams.append(stream)
    if streams.count > Self.maximumStreams { streams.removeFirst().close() }
    return stream
  }

  /// Forgets streams that ended.
  func forgetClosedStreams() { streams.removeAll { !$0.isOpen } }

  /// Tells browsers to fetch the page again, after a change that no patch expresses.
  private func startOver() {
    history.forget()
    for stream in streams {
      stream.send(.refetch)
      stream.close()
    }
    streams = []
  }
}

extension ServerSentEvent {
  /// Tells a browser to fetch the page again, because it missed more than is known.
  static let refetch = ServerSentEvent(event: "refetch", data: "")
}

/// Refers to a tab that is still being made.
@MainActor private final class Changes {
  weak var tab: Tab?
}
