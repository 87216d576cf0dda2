import Synchronization

/// The reads of a database that are running, which the writer can wait for without blocking.
final class RunningReads: Sendable {
  private struct State {
    var nextNumber = 0
    var running: [Int] = []
    /// The reads that the writer waits for.
    var awaited: [Int] = []
    var whenEnded: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Whether reads are running that the writer waits for.
  var areAwaited: Bool { state.withLock { !$0.awaited.isEmpty } }

  /// Adds a read.
  /// - Returns: The number of the read, with which it ends.
  func begin() -> Int {
    state.withLock { state in
      state.nextNumber += 1
      state.running.append(state.nextNumber)
      return state.nextNumber
    }
  }

  /// Removes a read that no longer has a transaction.
  func end(_ number: Int) {
    let whenEnded = state.withLock { state in
      state.running.removeAll { $0 == number }
      guard !state.awaited.isEmpty else { return nil as (@Sendable () -> Void)? }
      state.awaited.removeAll { $0 == number }
      return state.awaited.isEmpty ? state.whenEnded.take() : nil
    }
    whenEnded?()
  }

  /// Calls a closure once, on any thread, when all reads that are running now have ended. It
  /// replaces the closure of an earlier call.
  /// - Returns: Whether any read is running; otherwise the closure is not called.
  func callWhenEnded(_ whenEnded: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      state.awaited = state.running
      state.whenEnded = state.running.isEmpty ? nil : whenEnded
      return !state.running.isEmpty
    }
  }
}
