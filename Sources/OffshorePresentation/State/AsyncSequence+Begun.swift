extension AsyncSequence {
  /// Waits for the first element, or for why there is none, and returns what follows.
  ///
  /// A database's sequence has a first element that nobody needs where only changes matter: who reads
  /// once it has come misses none.
  public func begun(
    isolation actor: isolated (any Actor)? = #isolation
  ) async -> any AsyncSequence<Element, Failure> {
    var iterator = makeAsyncIterator()
    _ = try? await iterator.next(isolation: actor)
    return BegunSequence<Self>(iterator: .init(base: iterator))
  }
}

/// What is left of a sequence whose first element has come.
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
