import Synchronization

/// A limited number of runs at once. Further ones wait, the oldest first.
final class RunSlots: Sendable {
  private struct State {
    var running = 0
    var waiting: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    var lastID: UInt64 = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// The number of waiting runs.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs a closure as soon as a slot is free.
  /// - Throws: `CancellationError` if the task is cancelled while it waits; any error of the closure.
  func run<Result>(_ body: () async throws -> Result) async throws -> Result {
    guard await begin() else { throw CancellationError() }
    defer { end() }
    return try await body()
  }

  /// Waits for a slot. Returns `false` if the task is cancelled meanwhile.
  private func begin() async -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          guard state.running >= limit else {
            state.running += 1
            return true
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiting.remove(at: index).continuation
      }
      waiting?.resume(returning: false)
    }
  }

  private func end() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      // The slot passes to the oldest waiting run.
      guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
      state.running -= 1
      return nil
    }
    next?.resume(returning: true)
  }
}
