/// One closure that waits to be part of a commit.
struct WriteJob: Sendable {
  /// Answers the caller: with what the closure came to, or with why the commit failed.
  typealias Answer = @Sendable (_ failure: (any Error)?) -> Void

  /// Set when the caller gives up.
  let cancellation: CancellationFlag
  /// Runs the closure in the connection's transaction: as the first of it, or in a savepoint of its own.
  let run: @Sendable (Connection, _ isFirst: Bool) -> Answer
  /// Answers a caller whose closure was not run.
  let fail: @Sendable (any Error) -> Void

  /// Wraps a closure and the means to answer its caller.
  init<Result: Sendable>(
    _ cancellation: CancellationFlag, _ body: @escaping @Sendable (Writer) throws -> Result,
    answer: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    self.cancellation = cancellation
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
}
