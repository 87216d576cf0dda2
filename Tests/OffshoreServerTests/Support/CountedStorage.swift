import OffshoreWire
import Synchronization

@testable import OffshoreServer

/// A storage that counts its writes, and may refuse them after some.
final class CountedStorage: ServerStorage {
  private let base: any ServerStorage
  private let state = Mutex<(writes: Int, left: Int?)>((0, nil))

  init(_ base: any ServerStorage) { self.base = base }

  /// The number of writes so far.
  var writes: Int { state.withLock(\.writes) }

  /// The number of writes after which each further one throws a `CancellationError`.
  var writesUntilFailure: Int? {
    get { state.withLock(\.left) }
    set { state.withLock { $0.left = newValue } }
  }

  var byteCount: Int64? { base.byteCount }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result { try await base.read(body) }

  func readPromptly<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result { try await read(body) }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout any StorageTransaction) throws -> Result
  ) async throws -> Result {
    try state.withLock { state in
      state.writes += 1
      guard let left = state.left else { return }
      if left == 0 { throw CancellationError() }
      state.left = left - 1
    }
    return try await base.write(body)
  }

  func close() async { await base.close() }
}
