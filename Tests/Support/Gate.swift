import Observation
import Synchronization

/// A gate that suspends tasks while it is closed, for tests that need an order of events.
package final class Gate: Sendable {
  private struct State {
    var isOpen: Bool
    var arrivals = 0
    var held: [CheckedContinuation<Void, Never>] = []
    var watchers: [Watcher] = []

    mutating func satisfied() -> [Watcher] {
      let all = watchers
      watchers = all.filter { !$0.isSatisfied(self) }
      return all.filter { $0.isSatisfied(self) }
    }
  }

  private struct Watcher {
    let isSatisfied: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state: Mutex<State>

  package init(isOpen: Bool = false) { state = Mutex(State(isOpen: isOpen)) }

  /// Suspends the caller while the gate is closed.
  package func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.held.append(continuation) }
        return (state.isOpen, state.satisfied())
      }
      for watcher in watchers { watcher.continuation.resume() }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until a number of tasks have come to the gate since it was made.
  package func waitForArrivals(_ count: Int = 1) async { await wait { $0.arrivals >= count } }

  /// Waits until a task is suspended at the gate.
  package func waitUntilHeld() async { await wait { !$0.held.isEmpty } }

  /// Suspends all tasks that come from now on.
  package func close() { state.withLock { $0.isOpen = false } }

  /// Resumes all tasks in the order in which they came, and lets later ones pass.
  package func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  private func wait(for condition: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isSatisfied = state.withLock { state in
        let isSatisfied = condition(state)
        if !isSatisfied {
          state.watchers.append(Watcher(isSatisfied: condition, continuation: continuation))
        }
        return isSatisfied
      }
      if isSatisfied { continuation.resume() }
    }
  }
}

/// Waits until an observed condition holds.
@MainActor
package func waitUntil(_ condition: @escaping @MainActor @Sendable () -> Bool) async {
  for await isMet in Observations({ condition() }) where isMet { return }
}

/// Suspends until the task is cancelled, in place of a delay that a test never lets pass.
@Sendable package func waitUntilCancelled(_: Duration = .zero) async throws {
  let (never, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in never {}
  withExtendedLifetime(continuation) {}
  try Task.checkCancellation()
}
