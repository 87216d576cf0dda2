import Synchronization

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// // withDependencies: { $0.clock = clock }
/// await store.send(.searchChanged("Vis")) { $0.text = "Vis" }
/// await clock.advance(by: .milliseconds(300))
/// await store.receive(.found(["Vis"])) { $0.results = ["Vis"] }
/// ```
public final class TestClock: Clock, Sendable {
  /// A moment of the clock.
  public struct Instant: InstantProtocol {
    /// The time since the start of the clock.
    public let offset: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    public func duration(to other: Instant) -> Duration { other.offset - offset }

    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: Sleeper] = [:]
    var lastNumber = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// The sleeper with the earliest deadline up to a moment.
    func next(until limit: Instant) -> Int? {
      sleepers.filter { $0.value.deadline <= limit }
        .min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }?.key
    }

    mutating func resumeWatchers() {
      for watcher in watchers where watcher.count <= sleepers.count {
        watcher.continuation.resume()
      }
      watchers.removeAll { $0.count <= sleepers.count }
    }
  }

  private let state = Mutex(State())

  /// Creates a clock at its start.
  public init() {}

  public var now: Instant { state.withLock(\.now) }

  public var minimumResolution: Duration { .zero }

  /// Waits until a test has moved the clock to a moment.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || deadline <= state.now { return true }
          state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
          state.resumeWatchers()
          return false
        }
        if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until a number of tasks wait for the clock.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.watchers.append((count, continuation))
        state.resumeWatchers()
      }
    }
  }

  /// Moves the clock, and resumes the waiting tasks in the order of their deadlines, each at its
  /// own moment.
  ///
  /// An effect of a ``TestStore`` that waits again meanwhile is resumed in time, too. For tasks of
  /// other objects call ``waitForSleepers(_:)`` before.
  public func advance(by duration: Duration) async {
    let end = now.advanced(by: duration)
    await TestExecutor.shared.settle()
    while let sleeper = resumeNext(until: end) {
      sleeper.continuation.resume()
      await TestExecutor.shared.settle()
    }
  }

  /// Moves the clock to the next deadline, or to the end if there is none before it.
  private func resumeNext(until end: Instant) -> Sleeper? {
    state.withLock { state in
      guard let number = state.next(until: end) else {
        state.now = max(state.now, end)
        return nil
      }
      let sleeper = state.sleepers.removeValue(forKey: number)
      state.now = max(state.now, sleeper?.deadline ?? end)
      return sleeper
    }
  }
}
