import Offshore

extension AsyncSequence {
  /// Waits for the first element or error, and returns the rest of the sequence.
  ///
  /// The first element of a database's sequence is the current value, which is not a change. The
  /// returned sequence has only changes, and a caller that reads the value afterwards misses none.
  public func running(
    isolation actor: isolated (any Actor)? = #isolation
  ) async -> any AsyncSequence<Element, Failure> {
    var iterator = makeAsyncIterator()
    _ = try? await iterator.next(isolation: actor)
    return RunningSequence<Self>(iterator: .init(base: iterator))
  }
}

/// The rest of a sequence after its first element.
private struct RunningSequence<Base: AsyncSequence>: AsyncSequence {
  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Base.Failure) -> Base.Element? {
      try await base.next(isolation: actor)
    }

    mutating func next() async throws(Base.Failure) -> Base.Element? {
      try await next(isolation: nil)
    }
  }

  let iterator: Iterator

  func makeAsyncIterator() -> Iterator { iterator }
}

extension AsyncSequence {
  /// Calls a closure with each element and error, until the sequence ends or the task is cancelled.
  ///
  /// A sequence can continue after an error, as that of a database does. The sequence of a closed
  /// database throws the same error forever, so the iteration ends after that error.
  ///
  /// - Parameter body: called on the caller's actor.
  package func forEachResult(
    isolation: isolated (any Actor)? = #isolation, _ body: (Result<Element, any Error>) -> Void
  ) async {
    var iterator = makeAsyncIterator()
    while !Task.isCancelled {
      do {
        guard let element = try await iterator.next(isolation: isolation) else { return }
        if !Task.isCancelled { body(.success(element)) }
      } catch {
        if !Task.isCancelled { body(.failure(error)) }
        if (error as? DatabaseError)?.code == .closed { return }
      }
    }
  }
}
