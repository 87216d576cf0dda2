import Offshore

/// What a repository stores, at once and again after each change.
///
/// An error is thrown once; asking for the next value then waits for a change that mends it. After
/// the database has been closed the sequence ends.
struct RepositoryValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var values: ObservedValues<Value>.Iterator
    fileprivate let received: @Sendable (Value) -> Void
    fileprivate var isClosed = false

    mutating func next() async throws -> Value? {
      guard !isClosed else { return nil }
      do {
        let value = try await values.next()
        if let value { received(value) }
        return value
      } catch {
        isClosed = (error as? DatabaseError)?.code == .closed
        throw RepositoryError(error)
      }
    }
  }

  private let values: ObservedValues<Value>
  private let received: @Sendable (Value) -> Void

  /// Takes what is observed, and what to do with each value before it is handed out.
  init(_ values: ObservedValues<Value>, received: @escaping @Sendable (Value) -> Void) {
    self.values = values
    self.received = received
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(values: values.makeAsyncIterator(), received: received)
  }
}
