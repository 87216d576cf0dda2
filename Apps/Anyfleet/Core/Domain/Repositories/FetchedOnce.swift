/// A sequence of one value, which is fetched when it is asked for.
struct FetchedOnce<Value: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  struct Iterator: AsyncIteratorProtocol {
    var fetch: (@Sendable () async throws -> Value)?

    mutating func next() async throws -> Value? {
      defer { fetch = nil }
      return try await fetch?()
    }
  }

  private let fetch: @Sendable () async throws -> Value

  init(_ fetch: @escaping @Sendable () async throws -> Value) { self.fetch = fetch }

  func makeAsyncIterator() -> Iterator { Iterator(fetch: fetch) }
}
