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
