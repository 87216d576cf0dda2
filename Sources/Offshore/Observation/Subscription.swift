import Synchronization

/// A consumer's subscription to an observation, which stores the latest value until it is
/// requested.
final class Subscription<Value: Sendable>: Sendable {
  private struct State {
    var pending: Result<Value, any Error>?
    var waiting: CheckedContinuation<Value?, any Error>?
    /// The run with the last value.
    var run = 0
    /// The number of values and errors that the consumer has received.
    var count = 0
    /// The error with which the subscription has ended, if it has.
    var end: (any Error)?
  }

  /// The number by which the fetch identifies the subscription.
  let number: Int
  private let state = Mutex(State())
  private let onEnd: @Sendable () -> Void

  /// Creates a subscription.
  /// - Parameter onEnd: Called when the last reference to it is released.
  init(_ number: Int, onEnd: @escaping @Sendable () -> Void) {
    self.number = number
    self.onEnd = onEnd
  }

  deinit { onEnd() }

  /// Delivers a value or an error, in place of one that was not requested yet.
  /// - Parameter run: The number of its run. A result is ignored if its run is not later than the
  ///   last one.
  func deliver(_ result: Result<Value, any Error>, run: Int) {
    let waiting = state.withLock { state -> CheckedContinuation<Value?, any Error>? in
      guard state.end == nil, run > state.run else { return nil }
      state.run = run
      let waiting = state.waiting
      state.waiting = nil
      state.pending = waiting == nil ? result : nil
      if waiting != nil { state.count += 1 }
      return waiting
    }
    waiting?.resume(with: result.map(Optional.some))
  }

  /// Removes the value that was not requested yet, and ignores values of this run and earlier ones
  /// from then on.
  /// - Returns: The number of values and errors that the consumer has received.
  func drop(upTo run: Int) -> Int {
    state.withLock { state in
      state.pending = nil
      state.run = run
      return state.count
    }
  }

  /// Ends the subscription. Requests throw the error from then on, and a pending value is removed.
  func end(_ error: any Error) {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      state.end = error
      state.pending = nil
      return state.waiting
    }
    waiting?.resume(throwing: error)
  }

  /// Awaits the next value.
  /// - Returns: The value, or `nil` if the task is cancelled.
  /// - Throws: The error of the fetch. The observation continues, so a further value can be
  ///   awaited.
  func next() async throws -> Value? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (ready, displaced) = dequeue(continuation)
        if let ready { continuation.resume(with: ready) }
        displaced?.resume(returning: nil)
      }
    } onCancel: {
      let waiting = state.withLock { state in
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume(returning: nil)
    }
  }

  /// Returns the pending result, or stores a continuation that waits for the next one.
  /// - Returns: The result, if there is one, and a waiting continuation that was replaced.
  private func dequeue(
    _ continuation: CheckedContinuation<Value?, any Error>
  ) -> (Result<Value?, any Error>?, CheckedContinuation<Value?, any Error>?) {
    state.withLock { state in
      // The cancellation handler may have run before the continuation was stored.
      if Task.isCancelled { return (.success(nil), nil) }
      if let end = state.end { return (.failure(end), nil) }
      if let pending = state.pending {
        state.pending = nil
        state.count += 1
        return (pending.map(Optional.some), nil)
      }
      defer { state.waiting = continuation }
      return (nil, state.waiting)
    }
  }
}
