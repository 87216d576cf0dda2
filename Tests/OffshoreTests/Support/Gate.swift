import Foundation
import Synchronization

/// Makes one thread or task wait for a signal, for tests that need an order of events.
///
/// A gate supports one of the two ways to wait, not both.
final class Gate: Sendable {
  private struct State {
    var openings = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let semaphore = DispatchSemaphore(value: 0)

  /// Resumes one waiter, now or later.
  func open() {
    semaphore.signal()
    let next = state.withLock { state in
      if state.waiting.isEmpty {
        state.openings += 1
        return nil as CheckedContinuation<Void, Never>?
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }

  /// Blocks the calling thread, which must not belong to the cooperative pool.
  func wait() { semaphore.wait() }

  /// Waits without blocking a thread.
  func opened() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.openings == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.openings -= 1
        return true
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Runs a closure on a separate thread and returns its result, without blocking a thread of the
/// cooperative pool.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result(catching: body)) }.start()
  }
}

/// A number that several threads increment.
final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func increase() { count.withLock { $0 += 1 } }
}
