import OffshoreHTTP

/// The objects on the device for one page that is open in a browser.
///
/// They are the page with its view models, its content, and the last changes that were sent. A
/// browser that connects again receives the changes that it missed. The device may close a tab
/// while the browser still shows the page; see ``TabRegistry``.
@MainActor public final class Tab {
  /// The maximum number of streams of one tab. A browser that reconnects may have two for a moment.
  static let maximumStreams = 4

  let id: String
  /// The address of the page with its query, for forms that are posted to it.
  ///
  /// It does not have the app's mount path, which is put before it when the page is written.
  public let address: String
  package let page: any LivePage
  /// The path at which the app of the page is mounted; empty if it is not.
  var base: String { context.base }
  private let context: RenderContext
  private let document: LiveDocument
  private var history: EventHistory
  private var streams: [EventChannel] = []
  private var running: Task<Void, Never>?

  /// Creates a tab for a page that has loaded.
  init(
    id: String, address: String, for context: RenderContext = RenderContext(), page: some LivePage
  ) {
    self.id = id
    self.address = address
    self.context = context
    history = EventHistory(for: context)
    self.page = page
    let owner = WeakTab()
    document = LiveDocument(onChange: { Task { @MainActor in owner.tab?.flushIfConnected() } })
    owner.tab = self
    document.open { [weak self] in self.map(page.page) ?? Page("") }
  }

  /// Returns a part of the page that is rendered separately when observable state that it reads
  /// changes.
  ///
  /// For each change, the smallest element with an id around it is sent. If the rows of a list have
  /// ids, only the changed rows are sent.
  ///
  /// - Parameters:
  ///   - id: an id that no other element of the page has; this is not checked. It is the id of a
  ///     `div` around the content, so a region cannot be directly within `p`, `ul`, or `table`.
  ///   - content: creates the content. Any changing value that it reads must be a property of
  ///     an observable object, that is, of a view model or of an observable store. The region is
  ///     not rendered again for changes of other values.
  public func region(
    _ id: String, @HTMLBuilder _ content: @escaping @MainActor () -> HTML
  ) -> HTML {
    document.region(id, content)
  }

  /// Returns the markup of a component. It is rendered again only if the component differs from the
  /// one that had its id before.
  ///
  /// This is for the rows of a long list in a region; outside of a region, no markup is reused. The
  /// markup must depend only on properties that are compared. Two types of component in one region
  /// need different ids.
  public func memo(_ component: some Component & Equatable & Identifiable) -> HTML {
    document.memo(component)
  }

  // MARK: - Lifetime

  /// Starts to update the page's view models.
  func start() {
    guard running == nil else { return }
    running = Task { [page] in await page.run() }
  }

  /// Cancels the page's task and closes all streams.
  func close() {
    running?.cancel()
    for stream in streams { stream.close() }
    streams = []
    document.close()
  }

  /// Waits until the page's task has ended.
  func ended() async { await running?.value }

  // MARK: - Rendering

  /// The number of the last change that was sent.
  var revision: Int { history.revision }

  /// Returns the current page as HTML.
  func render() -> [UInt8] {
    flush()
    let reference = Page.TabReference(id: id, address: address, revision: revision)
    return document.composed.document(reference, for: context)
  }

  /// Sends changes if a browser is connected. A browser that connects later receives them then.
  private func flushIfConnected() { if isConnected { flush() } }

  /// Sends the changes since the last call. Changes of one turn of the main actor are sent
  /// together.
  func flush() {
    guard let patches = document.patches() else { return requestRefetch() }
    guard !patches.isEmpty else { return }
    let event = history.append(patches)
    streams.removeAll { !$0.send(event) }
  }

  // MARK: - Streams

  /// Whether a browser is connected.
  var isConnected: Bool { !streams.isEmpty }

  /// The number of open streams.
  var streamCount: Int { streams.count }

  /// Opens a stream of the changes after a revision.
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

  /// Removes streams that have ended.
  func removeClosedStreams() { streams.removeAll { !$0.isOpen } }

  /// Makes browsers fetch the page again, after a change that no patch expresses.
  private func requestRefetch() {
    history.clear()
    for stream in streams {
      stream.send(.refetch)
      stream.close()
    }
    streams = []
  }
}

extension ServerSentEvent {
  /// An event that makes a browser fetch the page again, because it missed changes that are not
  /// stored.
  static let refetch = ServerSentEvent(event: "refetch", data: "")
}

/// A reference to a tab that is being initialized.
@MainActor private final class WeakTab {
  weak var tab: Tab?
}
