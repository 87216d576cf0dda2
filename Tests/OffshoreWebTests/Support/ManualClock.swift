import Synchronization

/// A clock that moves when a test says so.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: Sleeper] = [:]
    var nextID = 0
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock(\.now) }
  var minimumResolution: Duration { .zero }
  /// The number of tasks that sleep now.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || deadline <= state.now { return true }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the time on and wakes who slept until then.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}

/// Lets other tasks run until a condition holds.
/// - Returns: whether it came to hold.
@MainActor func eventually(_ condition: @MainActor () -> Bool) async -> Bool {
  for _ in 0..<100_000 {
    if condition() { return true }
    await Task.yield()
  }
  return false
}
