import Synchronization

/// An answer that a task awaits. Only the first one counts.
final class PendingAnswer<Value: Sendable>: Sendable {
  private enum State {
    case nobodyWaits
    case waiting(CheckedContinuation<Value, any Error>)
    case answered(Result<Value, any Error>)
    case done
  }

  private let state = Mutex(State.nobodyWaits)

  /// Resumes a continuation with the answer, at once if it exists already.
  func resume(_ continuation: CheckedContinuation<Value, any Error>) {
    let answer = state.withLock { state -> Result<Value, any Error>? in
      guard case .answered(let answer) = state else {
        state = .waiting(continuation)
        return nil
      }
      state = .done
      return answer
    }
    if let answer { continuation.resume(with: answer) }
  }

  /// Sets the answer, unless it was set before.
  func answer(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state {
      case .nobodyWaits:
        state = .answered(result)
        return nil
      case .waiting(let continuation):
        state = .done
        return continuation
      case .answered, .done: return nil
      }
    }
    waiting?.resume(with: result)
  }
}
