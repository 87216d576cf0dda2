import Synchronization

/// A clock in milliseconds that only a test moves.
///
/// A pause ends when the clock reaches its end, or when its task is cancelled.
final class SteppedClock: Sendable {
  private struct Pause {
    let end: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let isMet: @Sendable ([Int64]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now: Int64
    var lastNumber = 0
    var pauses: [Int: Pause] = [:]
    var watchers: [Watcher] = []

    var ends: [Int64] { pauses.values.map(\.end).sorted() }

    /// Removes and returns the watchers whose condition is met.
    mutating func satisfied() -> [Watcher] {
      let (all, ends) = (watchers, ends)
      watchers = all.filter { !$0.isMet(ends) }
      return all.filter { $0.isMet(ends) }
    }
  }

  private let state: Mutex<State>

  init(_ now: Int64) { state = Mutex(State(now: now)) }

  /// The time, in milliseconds since 1970.
  var now: Int64 { state.withLock { $0.now } }

  /// The ends of the pauses that are under way, in order.
  var pauseEnds: [Int64] { state.withLock { $0.ends } }

  /// Moves the clock, and ends the pauses whose end it reaches.
  func advance(by milliseconds: Int64) {
    let (over, watchers) = state.withLock { state in
      state.now += milliseconds
      let now = state.now
      let over = state.pauses.filter { $0.value.end <= now }
      for number in over.keys { state.pauses[number] = nil }
      return (Array(over.values), state.satisfied())
    }
    for pause in over { pause.continuation.resume() }
    for watcher in watchers { watcher.continuation.resume() }
  }

  /// Suspends the task until the clock has moved by a duration.
  /// - Throws: `CancellationError` if the task is cancelled before.
  func sleep(for duration: Duration) async throws {
    let (number, end) = state.withLock { state in
      state.lastNumber += 1
      return (state.lastNumber, state.now + Int64(duration / .milliseconds(1)))
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(Pause(end: end, continuation: continuation), number)
      }
    } onCancel: {
      let (pause, watchers) = state.withLock { state in
        (state.pauses.removeValue(forKey: number), state.satisfied())
      }
      pause?.continuation.resume(throwing: CancellationError())
      for watcher in watchers { watcher.continuation.resume() }
    }
  }

  private func begin(_ pause: Pause, _ number: Int) {
    let (result, watchers) = state.withLock { state -> (Result<Void, any Error>?, [Watcher]) in
      // The cancellation handler may have run before.
      if _Concurrency.Task.isCancelled { return (.failure(CancellationError()), []) }
      if pause.end <= state.now { return (.success(()), []) }
      state.pauses[number] = pause
      return (nil, state.satisfied())
    }
    if let result { pause.continuation.resume(with: result) }
    for watcher in watchers { watcher.continuation.resume() }
  }

  /// Waits until the ends of the pauses that are under way meet a condition.
  func waitForPauses(_ isMet: @escaping @Sendable (_ ends: [Int64]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMetNow = state.withLock { state in
        let isMetNow = isMet(state.ends)
        if !isMetNow { state.watchers.append(Watcher(isMet: isMet, continuation: continuation)) }
        return isMetNow
      }
      if isMetNow { continuation.resume() }
    }
  }
}
