/// Those who wait for a pull that begins after they have come.
struct PullWaiters {
  typealias Waiter = CheckedContinuation<SyncEngine.Failure?, Never>

  /// How many pulls have begun.
  private var begun = 0
  private var waiting: [(begun: Int, waiter: Waiter)] = []

  var isEmpty: Bool { waiting.isEmpty }

  /// Lets somebody wait, for whom a pull that is under way may be too early.
  mutating func add(_ waiter: Waiter) { waiting.append((begun, waiter)) }

  /// Notes that a pull begins.
  mutating func begin() { begun += 1 }

  /// Lets those go for whom an event is the end of their pull. One that leaves something to be pulled
  /// is followed by another; one that fails is followed by a delay, so nobody waits any longer.
  ///
  /// NB: One that left with former credentials, and was not let in, is followed by another at once.
  /// - Parameter isPaused: whether requests are made no more after the event.
  mutating func hear(_ event: SyncEngine.Event, isPaused: Bool) {
    switch event {
    case .pullFailed(let failure) where failure.pause != nil && !isPaused: break
    case .pullAnswered(let summary) where summary.isComplete: end(nil)
    case .pullFailed(let failure) where failure.code == .cancelled: end(failure)
    case .pullFailed(let failure): release(failure)
    default: break
    }
  }

  private mutating func end(_ failure: SyncEngine.Failure?) {
    let done = waiting.filter { $0.begun < begun }
    waiting.removeAll { $0.begun < begun }
    for (_, waiter) in done { waiter.resume(returning: failure) }
  }

  /// Lets all go, because nothing is asked any more.
  mutating func release(_ failure: SyncEngine.Failure) {
    for (_, waiter) in waiting { waiter.resume(returning: failure) }
    waiting = []
  }
}

extension SyncEngine {
  /// Why no request is made, where none is.
  var obstacle: Failure? {
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
