import Dispatch
import Synchronization

/// An answer that a task awaits. Only the first one counts.
final class PendingAnswer<Value: Sendable>: Sendable {
  private enum State {
    case initial
    case waiting(CheckedContinuation<Value, any Error>)
    case answered(Result<Value, any Error>)
    case done
  }

  private let state = Mutex(State.initial)

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
      case .initial:
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

extension Database {
  /// Reads as ``read(_:)`` does, and blocks the calling thread until the end, for tools without
  /// tasks.
  ///
  /// `blockingWrite` does the same for ``write(_:)``.
  /// - Precondition: The caller is not on a thread of the cooperative pool or of the database.
  /// - Throws: The error of the closure, or ``DatabaseError``.
  public func blockingRead<Result: Sendable>(
    _ body: @escaping @Sendable (Reader) throws -> Result
  ) throws -> Result {
    try wait { enqueueRead(ReadTicket(), body, answer: $0) }
  }

  /// Writes as ``write(_:)`` does, and blocks the calling thread until the end: for tools without
  /// tasks.
  ///
  /// - Precondition: The caller is not on a thread of the cooperative pool or of the database.
  /// - Throws: The error of the closure, or ``DatabaseError``.
  @_documentation(visibility: internal)
  @discardableResult
  public func blockingWrite<Result: Sendable>(
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) throws -> Result {
    try wait { enqueueWrite(CancellationFlag(), body, answer: $0) }
  }

  private func wait<Value: Sendable>(
    _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  ) throws -> Value {
    precondition(
      !DatabaseThread.isCurrent(in: threads),
      "A closure of this database would wait for itself. Use the reader or writer it was given.")
    let answer = Answer<Value>()
    start { answer.set($0) }
    return try answer.wait()
  }
}

/// A result that one thread sets and another waits for.
private final class Answer<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func set(_ value: Result<Value, any Error>) {
    result.withLock { $0 = value }
    isThere.signal()
  }

  func wait() throws -> Value {
    isThere.wait()
    guard let result = result.withLock({ $0 }) else { throw DatabaseError.closed }
    return try result.get()
  }
}
