import Observation
import Offshore
import Synchronization
import TestSupport
import Testing

@testable import OffshorePresentation

private struct Broken: Error, Equatable {}

/// Values and errors that a test sends one by one.
private final class Source<Value: Sendable>: Sendable {
  struct Values: AsyncSequence, Sendable {
    typealias Failure = any Error
    struct Iterator: AsyncIteratorProtocol {
      var results: AsyncStream<Result<Value, Broken>>.Iterator
      mutating func next() async throws -> Value? {
        try await results.next(isolation: #isolation)?.get()
      }
    }
    let results: AsyncStream<Result<Value, Broken>>
    func makeAsyncIterator() -> Iterator { Iterator(results: results.makeAsyncIterator()) }
  }

  let values: Values
  private let continuation: AsyncStream<Result<Value, Broken>>.Continuation

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Result<Value, Broken>.self)
    values = Values(results: stream)
    self.continuation = continuation
  }

  func send(_ value: Value) { continuation.yield(.success(value)) }
  func fail() { continuation.yield(.failure(Broken())) }
  func finish() { continuation.finish() }
}

/// Counts the requests for the next value of a sequence, and detects the release of its iterator.
private struct Counted<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Failure == any Error, Base.Element: Sendable {
  typealias Failure = any Error
  final class Count: Sendable {
    private let value = Mutex(0)
    func add() { value.withLock { $0 += 1 } }
    var current: Int { value.withLock(\.self) }
  }
  final class Lifetime: Sendable {
    private let ended: Gate
    init(_ ended: Gate) { self.ended = ended }
    deinit { ended.open() }
  }
  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let count: Count
    let lifetime: Lifetime
    mutating func next() async throws -> Base.Element? {
      count.add()
      return try await base.next(isolation: #isolation)
    }
  }
  let base: Base
  let count = Count()
  /// Opens when an iterator is released.
  let ended = Gate()
  init(_ base: Base) { self.base = base }
  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), count: count, lifetime: Lifetime(ended))
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct LiveTests {
  @Test func `Loading returns with the first value and continues to observe`() async {
    let source = Source<Int>()
    let live = Live { source.values }
    #expect(live.state == .idle)
    source.send(1)
    await live.load()
    #expect(live.state == .loaded(1))
    source.send(2)
    await waitUntil { live.state == .loaded(2) }
  }

  @Test func `The state is loading until there is a value`() async {
    let source = Source<Int>()
    let live = Live { source.values }
    let load = Task { await live.load() }
    await waitUntil { live.state == .loading }
    source.send(1)
    await load.value
    #expect(live.state == .loaded(1))
  }

  @Test func `A collection without elements is empty, and stays so while it loads again`() async {
    let source = Source<[Int]>()
    let live = Live { source.values }
    source.send([])
    await live.load()
    #expect(live.state == .empty)
    source.fail()
    await waitUntil { live.refreshError != nil }
    #expect(live.state == .empty)
  }

  @Test func `A required value that is missing is not found, until it exists again`() async throws {
    let source = Source<Int?>()
    let live = Live(required: { source.values })
    source.send(nil)
    await #expect(throws: AppError.database(.notFound)) { try await live.loadRequired() }
    #expect(live.state == .error(.database(.notFound)))
    source.send(1)
    await waitUntil { live.state == .loaded(1) }
    source.send(nil)
    await waitUntil { live.state == .error(.database(.notFound)) }
  }

  @Test func `A failure without a value is the state`() async {
    let source = Source<Int>()
    let live = Live { source.values }
    source.fail()
    await live.load()
    #expect(live.state == .error(.unknown(underlying: Broken())))
    #expect(live.refreshError == nil)
  }

  @Test func `A failure after a value shows beside it, until the next value`() async {
    let source = Source<Int>()
    let live = Live { source.values }
    source.send(1)
    await live.load()
    source.fail()
    await waitUntil { live.refreshError == .unknown(underlying: Broken()) }
    #expect(live.state == .loaded(1))
    source.send(2)
    await waitUntil { live.state == .loaded(2) }
    #expect(live.refreshError == nil)
  }

  @Test func `Loading again keeps showing the value and observes the new source only`() async {
    var sources = [Source<Int>(), Source<Int>()]
    let (first, second) = (sources[0], sources[1])
    let live = Live { sources.removeFirst().values }
    first.send(1)
    await live.load()
    let reload = Task { await live.load() }
    await Task.yield()
    #expect(live.state == .loaded(1))
    second.send(2)
    await reload.value
    first.send(99)
    second.send(3)
    await waitUntil { live.state == .loaded(3) || live.state == .loaded(99) }
    #expect(live.state == .loaded(3))
  }

  @Test func `A source that ends without a value ends the loading`() async {
    let source = Source<Int>()
    let live = Live { source.values }
    source.finish()
    await live.load()
    #expect(live.state == .idle)
  }

  @Test func `Concurrent loads wait for the same first value`() async {
    let source = Source<Int>()
    var sourceCount = 0
    let live = Live {
      sourceCount += 1
      return source.values
    }
    let first = Task { await live.load() }
    await waitUntil { live.state == .loading }
    let second = Task {
      await live.load()
      return live.state
    }
    await Task.yield()
    source.send(1)
    #expect(await second.value == .loaded(1))
    await first.value
    #expect(sourceCount == 1)
    #expect(live.state == .loaded(1))
  }

  @Test func `A first load that another one joins returns only when a value exists`() async {
    let source = Source<Int>()
    let live = Live { source.values }
    let first = Task {
      await live.load()
      return live.state
    }
    await waitUntil { live.state == .loading }
    let second = Task.immediate { await live.load() }
    source.send(1)
    #expect(await first.value == .loaded(1))
    await second.value
  }

  @Test func `Loading after an error shows the loading state, and asks again`() async {
    var sources = [Source<Int>(), Source<Int>()]
    let (first, second) = (sources[0], sources[1])
    let live = Live { sources.removeFirst().values }
    first.fail()
    await live.load()
    #expect(live.state.errorValue != nil)
    let again = Task { await live.load() }
    await waitUntil { live.state == .loading }
    second.send(2)
    await again.value
    #expect(live.state == .loaded(2))
  }

  @Test func `A failed load resumes all its callers`() async {
    let source = Source<Int>()
    let live = Live { source.values }
    let first = Task { await live.load() }
    await waitUntil { live.state == .loading }
    let second = Task.immediate { await live.load() }
    source.fail()
    await first.value
    await second.value
    #expect(live.state == .error(.unknown(underlying: Broken())))
  }

  @Test func `Restarting does not wait for the former source`() async {
    var sources = [Source<Int>(), Source<Int>()]
    let (old, new) = (sources[0], sources[1])
    let live = Live { sources.removeFirst().values }
    let first = Task { await live.load() }
    await waitUntil { live.state == .loading }
    let restart = Task { await live.restart() }
    new.send(2)
    await restart.value
    await first.value
    old.send(1)
    #expect(live.state == .loaded(2))
  }

  @Test func `A closed database is not asked again, and its error shows beside the value`()
    async throws
  {
    let database = try Database.temporary()
    let counts = Counted(database.values { _ in 1 })
    let live = Live { counts }
    await live.load()
    await database.close()
    await waitUntil { live.refreshError != nil }
    await counts.ended.pass()
    #expect(live.state == .loaded(1))
    #expect(counts.count.current == 2)
  }

  @Test func `Catching up shows the writes so far, and reads nothing again`() async throws {
    let database = try Database.temporary(
      migrations: [Migration("v1") { try SQL("CREATE TABLE numbers (number)").run($0) }])
    let reads = Mutex(0)
    func numbers() -> ObservedValues<[Int]> {
      database.values { reader in
        reads.withLock { $0 += 1 }
        return try SQL("SELECT number FROM numbers").all(reader, as: Int.self)
      }
    }
    let live = Live { numbers() }
    await live.catchUp()
    #expect(live.state == .idle)
    await live.load()
    for number in 1...3 {
      try await database.write { try SQL("INSERT INTO numbers VALUES (\(number))").run($0) }
      await live.catchUp()
      #expect(live.state == .loaded(Array(1...number)))
    }
    await live.catchUp()
    #expect(reads.withLock { $0 } == 4)
  }

  @Test func `Loading if needed reads once for all callers, and again after a failure`()
    async throws
  {
    let database = try Database.temporary(
      migrations: [Migration("v1") { try SQL("CREATE TABLE numbers (number)").run($0) }])
    let begun = Mutex(0)
    func numbers() -> ObservedValues<[Int]> {
      begun.withLock { $0 += 1 }
      return database.values { try SQL("SELECT number FROM numbers").all($0, as: Int.self) }
    }
    let live = Live { numbers() }
    // Each load starts before the next line.
    let loads = (0..<2).map { _ in Task.immediate { await live.loadIfNeeded() } }
    for load in loads { await load.value }
    #expect(live.state == .empty)
    try await database.write { try SQL("INSERT INTO numbers VALUES (1)").run($0) }
    await live.loadIfNeeded()
    #expect(live.state == .loaded([1]) && begun.withLock { $0 } == 1)
    try await database.write { try SQL("ALTER TABLE numbers RENAME TO away").run($0) }
    await live.restart()
    #expect(live.state == .loaded([1]) && live.refreshError != nil)
    try await database.write { try SQL("ALTER TABLE away RENAME TO numbers").run($0) }
    await live.loadIfNeeded()
    #expect(live.state == .loaded([1]) && live.refreshError == nil)
  }

  @Test func `The value is released while it observes`() async {
    let source = Source<Int>()
    source.send(1)
    weak var released: Live<Int>?
    do {
      let live = Live { source.values }
      await live.load()
      released = live
    }
    #expect(released == nil)
  }
}
