import Offshore

/// What a repository stores, at once and again after each change.
///
/// An error is thrown once; asking for the next value then waits for a change that mends it. After
/// the database has been closed the sequence ends.
struct RepositoryValues<Stored: Equatable & Sendable, Value: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var values: ObservedValues<Stored>.Iterator
    fileprivate let transform: @Sendable (Stored) -> Value
    fileprivate var isClosed = false

    mutating func next() async throws -> Value? {
      guard !isClosed else { return nil }
      do {
        return try await values.next().map(transform)
      } catch {
        isClosed = (error as? DatabaseError)?.code == .closed
        throw RepositoryError(error)
      }
    }
  }

  private let values: ObservedValues<Stored>
  private let transform: @Sendable (Stored) -> Value

  init(_ values: ObservedValues<Stored>, _ transform: @escaping @Sendable (Stored) -> Value) {
    self.values = values
    self.transform = transform
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(values: values.makeAsyncIterator(), transform: transform)
  }
}
