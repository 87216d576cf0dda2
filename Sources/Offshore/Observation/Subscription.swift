import Synchronization

/// One consumer's end of an observation: holds the latest value until it is asked for.
final class Subscription<Value: Sendable>: Sendable {
  private struct State {
    var pending: Result<Value, any Error>?
    var waiting: CheckedContinuation<Value?, any Error>?
    /// The run that brought the last value.
    var run = 0
    /// How many values and errors were handed out.
    var count = 0
    /// Why no more values come, once that is so.
    var end: (any Error)?
  }

  /// The number by which the fetch knows the subscription.
  let number: Int
  private let state = Mutex(State())
  private let onEnd: @Sendable () -> Void

  /// Creates a subscription.
  /// - Parameter onEnd: called when nobody refers to it any more.
  init(_ number: Int, onEnd: @escaping @Sendable () -> Void) {
    self.number = number
    self.onEnd = onEnd
  }

  deinit { onEnd() }

  /// Hands over a value or an error, in place of one that was not asked for yet.
  /// - Parameter run: the number of the run that brought it; what comes after a later one is dropped.
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

  /// Drops the value that was not asked for yet, and accepts no value of this run or an earlier one.
  /// - Returns: how many values and errors were handed out.
  func drop(upTo run: Int) -> Int {
    state.withLock { state in
      state.pending = nil
      state.run = run
      return state.count
    }
  }

  /// Throws an error to whoever asks from now on, in place of what was not asked for yet.
  func end(_ error: any Error) {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      state.end = error
      state.pending = nil
      return state.waiting
    }
    waiting?.resume(throwing: error)
  }

  /// Waits for the next value.
  /// - Returns: the value, or `nil` where the task is cancelled.
  /// - Throws: the error of the fetch. The observation goes on, so it can be asked again.
  func next() async throws -> Value? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (ready, displaced) = take(continuation)
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

  /// Takes what is there, or leaves a continuation to wait; one that waited already gives way.
  private func take(
    _ continuation: CheckedContinuation<Value?, any Error>
  ) -> (Result<Value?, any Error>?, CheckedContinuation<Value?, any Error>?) {
    state.withLock { state in
      // The handler may have run before there was anything to resume.
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
