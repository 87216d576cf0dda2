import Offshore

extension AsyncSequence {
  /// Hands on what comes, errors among it, until the end or until the task is cancelled.
  ///
  /// A sequence may go on after an error, as a database's does. A closed database's does not: it
  /// throws the same each time that it is asked, so it is not asked again.
  ///
  /// - Parameter receive: takes an element or an error, on the actor of the caller.
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
