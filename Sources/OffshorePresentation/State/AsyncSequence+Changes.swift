import Offshore

extension AsyncSequence {
  /// Waits for the first element or error, and returns the rest of the sequence.
  ///
  /// The first element of a database's sequence is the current value, which is not a change. A
  /// caller that reads the value after this call misses no change.
  public func begun(
    isolation actor: isolated (any Actor)? = #isolation
  ) async -> any AsyncSequence<Element, Failure> {
    var iterator = makeAsyncIterator()
    _ = try? await iterator.next(isolation: actor)
    return BegunSequence<Self>(iterator: .init(base: iterator))
  }
}

/// The rest of a sequence after its first element.
private struct BegunSequence<Base: AsyncSequence>: AsyncSequence {
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
