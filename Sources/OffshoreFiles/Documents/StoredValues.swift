/// The values of a document or a collection over time: the current one at once, then each new one.
///
/// It is an `AsyncSequence`. A slow consumer receives the latest value only. An error is thrown once;
/// the iterator can still be used, and continues with the next value. Create one iterator only, and
/// call `values()` again for a second consumer.
public struct StoredValues<Value: Sendable>: AsyncSequence, Sendable {
  /// An iterator over the values.
  @_documentation(visibility: internal)
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let advance: () async throws -> Value?

    /// Awaits the next value.
    /// - Returns: The value, or `nil` if the task is cancelled.
    /// - Throws: The error of the document or collection.
    public mutating func next() async throws -> Value? { try await advance() }
  }

  private let makeAdvance: @Sendable () -> () async throws -> Value?

  /// Creates the values that a subscription sends.
  /// - Parameter subscribe: Starts the subscription, and returns a closure that ends it.
  init(
    _ subscribe: (
      _ send: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> @Sendable () -> Void
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Result<Value, any Error>.self, bufferingPolicy: .bufferingNewest(1))
    let end = subscribe { continuation.yield($0) }
    continuation.onTermination = { _ in end() }
    makeAdvance = {
      var iterator = stream.makeAsyncIterator()
      return { try await iterator.next(isolation: #isolation)?.get() }
    }
  }

  /// Creates the values of another sequence, each converted by a closure when it is delivered.
  init<Values: AsyncSequence & Sendable>(
    _ values: Values, _ convert: @escaping @Sendable (Values.Element) async throws -> Value
  ) {
    makeAdvance = {
      var iterator = values.makeAsyncIterator()
      return {
        guard let value = try await iterator.next(isolation: #isolation) else { return nil }
        return try await convert(value)
      }
    }
  }

  /// Returns an iterator. Create only one: several would share the values.
  @_documentation(visibility: internal)
  public func makeAsyncIterator() -> Iterator { Iterator(advance: makeAdvance()) }
}
