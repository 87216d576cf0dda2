import Foundation
import OffshoreWire
import Synchronization
import Testing

@testable import OffshoreServer

/// The requests that an account has in hand.
struct AccountTurnsTests {
  /// A gate at which requests stay until it opens.
  private final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>(
      (false, []))
    private let entries: AsyncStream<Void>.Continuation
    let entered: AsyncStream<Void>

    init() { (entered, entries) = AsyncStream.makeStream() }

    func pass() async {
      entries.yield()
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiting.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
    }

    func open() {
      let waiting = state.withLock { state in
        defer { state = (true, []) }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  /// The number of running requests, and the most at once.
  private final class Counter: Sendable {
    private let state = Mutex<(running: Int, most: Int)>((0, 0))

    var most: Int { state.withLock(\.most) }

    func begin() {
      state.withLock { state in
        state.running += 1
        state.most = max(state.most, state.running)
      }
    }

    func end() { state.withLock { $0.running -= 1 } }
  }

  private let account = AccountID(UUID())

  @Test func `Further requests wait for their turn, and those of others do not`() async throws {
    let (turns, gate) = (AccountTurns(limit: 2), Gate())
    let counter = Counter()
    try await withThrowingTaskGroup { group in
      for _ in 0..<10 {
        group.addTask { [account] in
          try await turns.run(for: account) {
            counter.begin()
            await gate.pass()
            counter.end()
          }
        }
      }
      var entered = gate.entered.makeAsyncIterator()
      for _ in 0..<2 { _ = await entered.next() }
      // Another account has its turn at once.
      #expect(try await turns.run(for: AccountID(UUID())) { true })
      gate.open()
      try await group.waitForAll()
    }
    #expect(counter.most == 2)
  }

  @Test func `A request is refused if too many wait, and a cancelled one leaves the queue`()
    async throws
  {
    let (turns, gate) = (AccountTurns(limit: 1, waitingLimit: 1), Gate())
    let first = Task { [account] in try await turns.run(for: account) { await gate.pass() } }
    var entered = gate.entered.makeAsyncIterator()
    _ = await entered.next()
    let second = Task { [account] in try await turns.run(for: account) {} }
    while turns.waitingCount(of: account) == 0 { await Task.yield() }
    await #expect(throws: WireProblem.self) { try await turns.run(for: account) {} }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(turns.waitingCount(of: account) == 0)
    gate.open()
    try await first.value
    #expect(try await turns.run(for: account) { true })
  }
}
