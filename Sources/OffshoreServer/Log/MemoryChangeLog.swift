import Synchronization

/// A log in the memory of the process, for tests.
public final class MemoryChangeLog: ServerLog {
  private let state: Mutex<MemoryState>

  /// Creates an empty log.
  public init(epoch: UInt64) { state = Mutex(MemoryState(epoch: epoch)) }

  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (MemoryState) throws -> Result
  ) async throws -> Result { try body(state.withLock { $0 }) }

  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout MemoryState) throws -> Result
  ) async throws -> Result {
    try state.withLock { state in
      var next = state
      let result = try body(&next)
      state = next
      return result
    }
  }
}
