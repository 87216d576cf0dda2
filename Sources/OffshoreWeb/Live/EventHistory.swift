import OffshoreHTTP

/// The last events of a tab, for a page that reconnects after a short interruption.
struct EventHistory {
  /// The number of the last event; 0 before the first.
  private(set) var revision = 0
  private var events: [ServerSentEvent] = []
  private var size = 0
  private let context: RenderContext
  private let maximumCount: Int
  private let maximumSize: Int

  /// Creates an empty history.
  /// - Parameters:
  ///   - context: the context in which the device serves the markup.
  ///   - maximumCount: the maximum number of events that are stored.
  ///   - maximumSize: the maximum number of bytes of events that are stored.
  init(
    for context: RenderContext = RenderContext(), maximumCount: Int = 256,
    maximumSize: Int = 1 << 20
  ) {
    self.context = context
    self.maximumCount = maximumCount
    self.maximumSize = maximumSize
  }

  /// Numbers the patches of a change and stores them as one event. Removes the oldest events beyond
  /// the limits.
  ///
  /// A browser applies an event completely or not at all.
  mutating func append(_ patches: [Patch]) -> ServerSentEvent {
    revision += 1
    let data = "[\(patches.map { $0.json(for: context) }.joined(separator: ","))]"
    let event = ServerSentEvent(id: "\(revision)", event: "patch", data: data)
    events.append(event)
    size += event.data.utf8.count
    while events.count > maximumCount || (size > maximumSize && !events.isEmpty) {
      size -= events.removeFirst().data.utf8.count
    }
    return event
  }

  /// Removes all earlier events, after a change that no patch expresses.
  mutating func clear() {
    revision += 1
    events = []
    size = 0
  }

  /// Returns the events after a revision, or `nil` if some of them are not stored any more.
  func events(after known: Int) -> ArraySlice<ServerSentEvent>? {
    guard known <= revision, known >= revision - events.count else { return nil }
    return events.suffix(revision - known)
  }
}
