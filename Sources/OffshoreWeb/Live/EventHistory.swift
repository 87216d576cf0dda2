import OffshoreHTTP

/// The last events of a tab, for a page that lost its connection for a moment.
struct EventHistory {
  /// The number of the last event; 0 before the first.
  private(set) var revision = 0
  private var events: [ServerSentEvent] = []
  private var size = 0
  private let surroundings: HTML.Surroundings
  private let maximumCount: Int
  private let maximumSize: Int

  /// Makes an empty history.
  /// - Parameters:
  ///   - surroundings: How the device serves the markup.
  ///   - maximumCount: How many events are kept.
  ///   - maximumSize: About how many bytes are kept.
  init(
    for surroundings: HTML.Surroundings = .init(), maximumCount: Int = 256,
    maximumSize: Int = 1 << 20
  ) {
    self.surroundings = surroundings
    self.maximumCount = maximumCount
    self.maximumSize = maximumSize
  }

  /// Numbers what changed at once and keeps it; the oldest events go where there is no room.
  ///
  /// It is one event, so that a browser shows all of it or nothing.
  mutating func append(_ patches: [Patch]) -> ServerSentEvent {
    revision += 1
    let data = "[\(patches.map { $0.json(for: surroundings) }.joined(separator: ","))]"
    let event = ServerSentEvent(id: "\(revision)", event: "patch", data: data)
    events.append(event)
    size += event.data.utf8.count
    while events.count > maximumCount || (size > maximumSize && !events.isEmpty) {
      size -= events.removeFirst().data.utf8.count
    }
    return event
  }

  /// Makes all earlier events useless, after a change that no patch expresses.
  mutating func forget() {
    revision += 1
    events = []
    size = 0
  }

  /// The events that follow a revision, or `nil` where they are not all known.
  func events(after known: Int) -> ArraySlice<ServerSentEvent>? {
    guard known <= revision, known >= revision - events.count else { return nil }
    return events.suffix(revision - known)
  }
}
