import Synchronization

/// One queued closure that becomes part of a commit.
struct WriteJob: Sendable {
  /// Sends the caller the closure's result, or the error of the commit.
  typealias Answer = @Sendable (_ failure: (any Error)?) -> Void

  /// The flag by which the caller cancels the job.
  let cancellation: CancellationFlag
  /// Whether the closure runs outside of any transaction, so that it shares no commit.
  let isAlone: Bool
  /// Runs the closure in the connection's transaction: directly if it is the first, otherwise in a
  /// savepoint.
  let run: @Sendable (Connection, _ isFirst: Bool) -> Answer
  /// Sends an error to a caller whose closure was not run.
  let fail: @Sendable (any Error) -> Void

  /// Wraps a closure and the function that answers its caller.
  init<Result: Sendable>(
    _ cancellation: CancellationFlag, _ body: @escaping @Sendable (Writer) throws -> Result,
    answer: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    self.cancellation = cancellation
    isAlone = false
    run = { connection, isFirst in
      let result = Swift.Result {
        guard cancellation.begin() else { throw CancellationError() }
        return try isFirst ? connection.performFirst(body) : connection.perform(body)
      }
      return { failure in
        guard case .success = result, let failure else { return answer(result) }
        answer(.failure(failure))
      }
    }
    fail = { answer(.failure($0)) }
  }

  /// Wraps a closure that runs outside of any transaction, and the function that answers its
  /// caller.
  init<Result: Sendable>(
    alone cancellation: CancellationFlag,
    _ body: @escaping @Sendable (Connection) throws -> Result,
    answer: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    self.cancellation = cancellation
    isAlone = true
    run = { connection, _ in
      let result = Swift.Result {
        guard cancellation.begin() else { throw CancellationError() }
        try connection.access?.willBegin()
        return try body(connection)
      }
      return { _ in answer(result) }
    }
    fail = { answer(.failure($0)) }
  }

  /// A job without any effect, after which the writer checks its log.
  static let nothing = WriteJob(alone: CancellationFlag(), { _ in }, answer: { _ in })
}

/// The state of queued work, shared across threads: whether it has begun, and whether its caller
/// has cancelled it.
final class CancellationFlag: Sendable {
  private static let waiting = 0
  private static let begun = 1
  private static let withdrawn = 2
  private static let stopping = 3

  private let state = Atomic<Int>(waiting)

  /// Whether the caller has cancelled the work.
  var isSet: Bool { state.load(ordering: .relaxed) >= Self.withdrawn }

  /// Marks the work as begun.
  /// - Returns: Whether it may begin; `false` if the caller has already cancelled it.
  func begin() -> Bool { exchange(Self.waiting, Self.begun) }

  /// Marks the work as cancelled.
  /// - Returns: Whether the work had not begun. In that case, it never begins.
  @discardableResult
  func set() -> Bool {
    if exchange(Self.waiting, Self.withdrawn) { return true }
    _ = exchange(Self.begun, Self.stopping)
    return false
  }

  private func exchange(_ old: Int, _ new: Int) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
