import Synchronization

/// Holds up whoever passes until it is opened, for tests that need an order of events.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watching: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Waits until the gate is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let (ready, watching) = state.withLock { state in
        state.arrivals += 1
        let arrivals = state.arrivals
        defer { state.watching.removeAll { $0.count <= arrivals } }
        if !state.isOpen { state.waiting.append(continuation) }
        return (state.isOpen, state.watching.filter { $0.count <= arrivals })
      }
      for watcher in watching { watcher.continuation.resume() }
      if ready { continuation.resume() }
    }
  }

  /// Waits until somebody, or as many as are said, have come to the gate.
  func arrived(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals < count { state.watching.append((count, continuation)) }
        return state.arrivals >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets all through, now in the order in which they came, and later.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
