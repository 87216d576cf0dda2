/// The callers that wait for the end of a push or a pull that begins after their call.
struct RequestWaiters {
  typealias Waiter = CheckedContinuation<SyncEngine.Failure?, Never>

  /// The kind of requests.
  enum Kind {
    case push
    case pull
  }

  private let kind: Kind
  /// The number of requests that have begun.
  private var begun = 0
  private var waiting: [(begun: Int, waiter: Waiter)] = []

  init(_ kind: Kind) { self.kind = kind }

  var isEmpty: Bool { waiting.isEmpty }

  /// Adds a caller. A request that is already under way may be too early for it.
  mutating func add(_ waiter: Waiter) { waiting.append((begun, waiter)) }

  /// Records that a request begins.
  mutating func begin() { begun += 1 }

  /// Resumes the callers whose request this event completes.
  ///
  /// A pull that leaves something to fetch, and a push that leaves something to send, is followed by
  /// another one, so the callers continue to wait. After a failure the next request is delayed, so all
  /// callers are resumed.
  ///
  /// NB: A request that the server refused because of a former access token is followed by another one
  /// at once, so the callers continue to wait.
  /// - Parameter isPaused: whether requests are paused after the event.
  mutating func handle(_ event: SyncEngine.Event, isPaused: Bool) {
    switch (kind, event) {
    case (.push, .pushAnswered(let summary)) where !summary.hasMore: end(nil)
    case (.pull, .pullAnswered(let summary)) where summary.isComplete: end(summary.unreadable)
    case (.push, .pushFailed(let failure)), (.pull, .pullFailed(let failure)):
      if failure.pause != nil, !isPaused { return }
      if failure.code == .cancelled { end(failure) } else { resumeAll(failure) }
    default: break
    }
  }

  /// Resumes the callers that were added before the last request began.
  private mutating func end(_ failure: SyncEngine.Failure?) {
    let done = waiting.filter { $0.begun < begun }
    waiting.removeAll { $0.begun < begun }
    for (_, waiter) in done { waiter.resume(returning: failure) }
  }

  /// Resumes all callers with a failure, because no request follows.
  mutating func resumeAll(_ failure: SyncEngine.Failure) {
    for (_, waiter) in waiting { waiter.resume(returning: failure) }
    waiting = []
  }
}

extension SyncEngine {
  /// The reason why no request is made, or `nil` if requests can be made.
  var blockingFailure: Failure? {
    if canAsk { return nil }
    if !isStarted { return Failure(.cancelled, "Syncing is not started.") }
    return switch pause {
    case nil: Failure(.unreachable, "There is no network.")
    case .upgradeRequired:
      Failure(.upgradeRequired, "The app is too old for the server. Update it.")
    case .unauthorized: Failure(.unauthorized, "Sign in to sync.")
    }
  }
}
