import Synchronization
import TestSupport
import Testing

@testable import OffshoreFiles

private struct Refused: Error {}

/// The sequence of values that a subscription sends.
struct StoredValuesTests {
  /// A subscription whose values the test sends.
  private final class Source: Sendable {
    private let send = Mutex<(@Sendable (Result<Int, any Error>) -> Void)?>(nil)
    let end = Gate()

    func values() -> StoredValues<Int> {
      StoredValues { send in
        self.send.withLock { $0 = send }
        return { self.end.open() }
      }
    }

    func send(_ value: Result<Int, any Error>) { send.withLock { $0 }?(value) }
  }

  @Test func `Values and errors are delivered, and an error does not end the sequence`()
    async throws
  {
    let source = Source()
    var values = source.values().makeAsyncIterator()
    source.send(.success(1))
    #expect(try await values.next() == 1)
    source.send(.failure(Refused()))
    await #expect(throws: Refused.self) { try await values.next() }
    source.send(.success(2))
    #expect(try await values.next() == 2)
  }

  @Test func `Of several values the latest is delivered`() async throws {
    let source = Source()
    var values = source.values().makeAsyncIterator()
    for number in 1...3 { source.send(.success(number)) }
    #expect(try await values.next() == 3)
  }

  @Test func `The subscription ends with the sequence`() async throws {
    let source = Source()
    do {
      var values = source.values().makeAsyncIterator()
      source.send(.success(1))
      _ = try await values.next()
    }
    await source.end.pass()
  }

  @Test func `A converted value may be an error`() async throws {
    let source = Source()
    let texts = StoredValues(source.values()) { number in
      if number == 2 { throw Refused() }
      return "\(number)"
    }
    var iterator = texts.makeAsyncIterator()
    source.send(.success(1))
    #expect(try await iterator.next() == "1")
    source.send(.success(2))
    await #expect(throws: Refused.self) { try await iterator.next() }
    source.send(.success(3))
    #expect(try await iterator.next() == "3")
  }

  @Test func `A converted sequence ends with its task`() async throws {
    let source = Source()
    let task = Task {
      var iterator = StoredValues(source.values()) { "\($0)" }.makeAsyncIterator()
      return try await iterator.next()
    }
    task.cancel()
    #expect(try await task.value == nil)
  }
}
