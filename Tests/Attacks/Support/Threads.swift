import Foundation
import Synchronization

/// Threads for calls that block, which tasks must not make.
enum Threads {
  /// Runs a closure in a thread of its own.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  /// Runs a closure in a number of threads at once, with their numbers from 0 on.
  /// - Returns: the results in the order of the numbers.
  static func run<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      for number in 0..<count {
        group.addTask { (number, try await run { try body(number) }) }
      }
      return try await group.reduce(into: [(Int, Result)]()) { $0.append($1) }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

/// A barrier between threads and tests: a count that grows, and that can be awaited.
final class Counter: Sendable {
  private struct State {
    var count = 0
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var count: Int { state.withLock(\.count) }

  func add(_ number: Int = 1) {
    let reached = state.withLock { state in
      state.count += number
      let reached = state.waiting.filter { $0.count <= state.count }
      state.waiting.removeAll { $0.count <= state.count }
      return reached
    }
    for one in reached { one.continuation.resume() }
  }

  /// Waits until the count is at least a number.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.count >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}
