extension Live {
  /// Creates an observation of an optional value. `nil` becomes the error `database(.notFound)`; a
  /// value that is shown already stays.
  public convenience init(
    present values: @escaping @MainActor () -> any AsyncSequence<Value?, any Error>
  ) {
    self.init { PresentValues(values: values()) }
  }
}

/// A sequence that throws `database(.notFound)` in place of `nil`, and continues.
private struct PresentValues<Value: Sendable>: AsyncSequence {
  typealias Failure = any Error

  struct Iterator: AsyncIteratorProtocol {
    var values: any AsyncIteratorProtocol<Value?, any Error>

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      guard let value = try await values.next(isolation: actor) else { return nil }
      guard let value else { throw AppError.database(.notFound) }
      return value
    }

    mutating func next() async throws -> Value? { try await next(isolation: nil) }
  }

  let values: any AsyncSequence<Value?, any Error>

  func makeAsyncIterator() -> Iterator { Iterator(values: values.makeAsyncIterator()) }
}
