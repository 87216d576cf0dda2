package import OffshoreServer
import Synchronization

/// A storage in the memory of the process.
package final class MemoryStorage: ServerStorage {
  private let current: Mutex<MemoryState>

  /// Creates an empty storage.
  package init(epoch: UInt64) { current = Mutex(MemoryState(epoch: epoch)) }

  /// The data.
  package var state: MemoryState { current.withLock(\.self) }

  package var byteCount: Int64? { nil }

  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result { try body(state) }

  package func readPromptly<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result { try await read(body) }

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout any StorageTransaction) throws -> Result
  ) async throws -> Result {
    try current.withLock { current in
      var transaction: any StorageTransaction = current
      transaction.changes = GrantChanges()
      let result = try body(&transaction)
      if let next = transaction as? MemoryState { current = next }
      return result
    }
  }

  package func close() async {}
}
