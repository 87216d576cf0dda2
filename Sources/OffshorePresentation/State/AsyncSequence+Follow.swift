import Offshore

extension AsyncSequence {
  /// Calls a closure with each element and error, until the sequence ends or the task is cancelled.
  ///
  /// A sequence can continue after an error, as a database's does. The sequence of a closed
  /// database throws the same error forever, so iteration ends there.
  ///
  /// - Parameter receive: called on the caller's actor.
  package func follow(
    isolation: isolated (any Actor)? = #isolation, _ receive: (Result<Element, any Error>) -> Void
  ) async {
    var iterator = makeAsyncIterator()
    while !Task.isCancelled {
      do {
        guard let element = try await iterator.next(isolation: isolation) else { return }
        if !Task.isCancelled { receive(.success(element)) }
      } catch {
        if !Task.isCancelled { receive(.failure(error)) }
        if (error as? DatabaseError)?.code == .closed { return }
      }
    }
  }
}
