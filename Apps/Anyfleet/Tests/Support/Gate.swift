import Synchronization

/// Holds up whoever passes until it is opened, for tests that need an order of events.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watching: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits until the gate is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let (ready, watching) = state.withLock { state in
        state.arrivals += 1
        defer { state.watching = [] }
        if !state.isOpen { state.waiting.append(continuation) }
        return (state.isOpen, state.watching)
      }
      for watcher in watching { watcher.resume() }
      if ready { continuation.resume() }
    }
  }

  /// Waits until somebody has come to the gate.
  func arrived() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals == 0 { state.watching.append(continuation) }
        return state.arrivals > 0
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets all through, now and later.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
