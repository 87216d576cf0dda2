import OffshoreWire
import Synchronization

/// The turns of accounts: each account has a few requests in hand, and its further ones wait.
///
/// So an account with many devices, or a hostile one, occupies neither all readers nor much memory.
/// A request that waits holds its body as it was sent, not decompressed.
final class AccountTurns: Sendable {
  private struct Queue {
    var running = 0
    /// The waiting requests, the oldest first.
    var waiting: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private struct State {
    var queues: [AccountID: Queue] = [:]
    var lastID: UInt64 = 0
  }

  /// The number of requests of an account that run at once. The storage has more readers.
  static let defaultLimit = 4

  private let limit: Int
  private let waitingLimit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: the number of requests of an account that run at once.
  ///   - waitingLimit: the number of further requests of an account that wait.
  init(limit: Int = defaultLimit, waitingLimit: Int = 100) {
    self.limit = limit
    self.waitingLimit = waitingLimit
  }

  /// Runs a closure when it is the account's turn.
  /// - Throws: `WireProblem` with the code `tooManyRequests` if too many requests of the account
  ///   wait; `CancellationError` if the task is cancelled meanwhile; any error of the closure.
  func run<Result>(for account: AccountID, _ body: () async throws -> Result) async throws -> Result
  {
    try await begin(account)
    defer { end(account) }
    return try await body()
  }

  /// Returns the number of waiting requests of an account.
  func waitingCount(of account: AccountID) -> Int {
    state.withLock { $0.queues[account]?.waiting.count ?? 0 }
  }

  private func begin(_ account: AccountID) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          var queue = state.queues[account] ?? Queue()
          defer { state.queues[account] = queue }
          if Task.isCancelled { return false }
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
        guard let index = state.queues[account]?.waiting.firstIndex(where: { $0.id == id }) else {
          return nil
        }
        return state.queues[account]?.waiting.remove(at: index).continuation
      }
      waiting?.resume(returning: false)
    }
    guard !hasTurn else { return }
    try Task.checkCancellation()
    throw WireProblem(
      .tooManyRequests, "Too many requests of this account are in hand. Try again later.",
      retryAfter: 1)
  }

  private func end(_ account: AccountID) {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard var queue = state.queues[account] else { return nil }
      // The turn passes to the oldest waiting request.
      let next = queue.waiting.isEmpty ? nil : queue.waiting.removeFirst().continuation
      if next == nil { queue.running -= 1 }
      state.queues[account] = queue.running == 0 && queue.waiting.isEmpty ? nil : queue
      return next
    }
    next?.resume(returning: true)
  }
}
