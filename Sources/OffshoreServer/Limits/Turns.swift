import OffshoreWire
import Synchronization

/// The turns of accounts: each account has a few requests in hand, and its further ones wait.
///
/// So an account with many devices, or a hostile one, occupies neither all readers nor much memory.
/// A request that waits holds its body as it was sent, not decompressed.
typealias AccountTurns = Turns<AccountID>

/// Turns by key: a few requests with the same key run at once, and further ones wait.
final class Turns<Key: Hashable & Sendable>: Sendable {
  private struct Queue {
    var running = 0
    /// The waiting requests, the oldest first.
    var waiting: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private struct State {
    var queues: [Key: Queue] = [:]
    var lastID: UInt64 = 0
  }

  private let limit: Int
  private let waitingLimit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: the number of requests with a key that run at once.
  ///   - waitingLimit: the number of further requests with a key that wait.
  init(limit: Int, waitingLimit: Int = 100) {
    self.limit = limit
    self.waitingLimit = waitingLimit
  }

  /// Runs a closure when it is the key's turn.
  /// - Throws: `WireProblem` with the code `tooManyRequests` if too many requests with the key
  ///   wait; `CancellationError` if the task is cancelled meanwhile; any error of the closure.
  func run<Result>(for key: Key, _ body: () async throws -> Result) async throws -> Result {
    try await begin(key)
    defer { end(key) }
    return try await body()
  }

  /// Returns the number of waiting requests with a key.
  func waitingCount(of key: Key) -> Int {
    state.withLock { $0.queues[key]?.waiting.count ?? 0 }
  }

  private func begin(_ key: Key) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          var queue = state.queues[key] ?? Queue()
          defer { state.queues[key] = queue }
          if queue.running < limit {
            queue.running += 1
            return true
          }
          guard queue.waiting.count < waitingLimit else { return false }
          queue.waiting.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let index = state.queues[key]?.waiting.firstIndex(where: { $0.id == id }) else {
          return nil
        }
        return state.queues[key]?.waiting.remove(at: index).continuation
      }
      waiting?.resume(returning: false)
    }
    guard !hasTurn else { return }
    try Task.checkCancellation()
    throw WireProblem(
      .tooManyRequests, "Too many requests of this account are in hand. Try again later.",
      retryAfter: 1)
  }

  private func end(_ key: Key) {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard var queue = state.queues[key] else { return nil }
      // The turn passes to the oldest waiting request.
      let next = queue.waiting.isEmpty ? nil : queue.waiting.removeFirst().continuation
      if next == nil { queue.running -= 1 }
      state.queues[key] = queue.running == 0 && queue.waiting.isEmpty ? nil : queue
      return next
    }
    next?.resume(returning: true)
  }
}

extension Turns where Key == AccountID {
  /// The number of requests of an account that run at once. The storage has more readers.
  static var defaultLimit: Int { 4 }

  convenience init() { self.init(limit: Self.defaultLimit) }
}
