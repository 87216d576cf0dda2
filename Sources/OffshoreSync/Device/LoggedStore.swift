import Foundation
public import Offshore
public import OffshoreLogging

/// A store whose operations are logged with their durations, and whose errors are converted to an
/// app's own.
///
/// ```swift
/// let file = LoggedStore(store) { RepositoryError($0) }
/// let items = try await file.readable("fetchItems") { try Item.all.readable($0) }
/// // info repository fetchItems completed in 1.25 ms
/// ```
public struct LoggedStore: Sendable {
  /// The store.
  public let store: SyncedStore
  /// The logger of the operations.
  public let logger: AppLogger
  private let failure: @Sendable (any Error) -> any Error

  /// Creates a store whose operations are logged.
  ///
  /// - Parameters:
  ///   - logger: receives the start and the end of each operation, and each row that a list leaves
  ///     out. By default it is the store's logger with the category `repository`.
  ///   - failure: converts an error to the one that is logged and thrown. By default it is the
  ///     error itself.
  public init(
    _ store: SyncedStore, logger: AppLogger? = nil,
    failure: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) {
    self.store = store
    self.logger = logger ?? store.logger.of(.repository)
    self.failure = failure
  }

  // MARK: - Operations

  /// Reads as ``SyncedStore/read(_:)`` does, and logs the operation.
  /// - Throws: the error that `failure` returns.
  public func read<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> Result
  ) async throws -> Result {
    try await logged(name) { try await store.read(body) }
  }

  /// Reads a list, and logs the operation. Rows that cannot be read are left out and logged, too.
  /// - Throws: the error that `failure` returns.
  public func readable<Row: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> ReadableRows<Row>
  ) async throws -> [Row] {
    let list = try await read(name, body)
    warn(of: list.unreadable)
    return list.rows
  }

  /// Writes as ``SyncedStore/write(_:)`` does, and logs the operation.
  /// - Throws: the error that `failure` returns.
  public func write<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await logged(name) { try await store.write(body) }
  }

  private func logged<Result>(
    _ name: StaticString, _ body: () async throws -> Result
  ) async throws -> Result {
    let operation = logger.startOperation(name)
    do {
      let result = try await body()
      logger.completeOperation(operation)
      return result
    } catch {
      let failure = failure(error)
      if error is CancellationError {
        logger.cancelOperation(operation)
      } else {
        logger.failOperation(operation, error: failure)
      }
      throw failure
    }
  }

  // MARK: - Observation

  /// Observes the result of a closure that reads, as `SyncedStore.values(_:)` does.
  ///
  /// - Parameters:
  ///   - name: the name that is logged once, when the observation begins.
  ///   - received: a closure that receives each value before the caller does.
  public func values<Value: Equatable & Sendable>(
    _ name: StaticString, received: @escaping @Sendable (Value) -> Void = { _ in },
    _ body: @escaping @Sendable (Reader) throws -> Value
  ) -> LoggedValues<Value> {
    logger.debug(name)
    return LoggedValues(values: store.values(body), failure: failure, received: received)
  }

  /// Observes a list. Each value has the readable rows and the errors of the others, which are
  /// logged.
  public func readableValues<Row: Equatable & Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> ReadableRows<Row>
  ) -> LoggedValues<ReadableRows<Row>> {
    values(name, received: { warn(of: $0.unreadable) }, body)
  }

  private func warn(of unreadable: [DatabaseError]) {
    for error in unreadable {
      let id = UUID(uuidString: error.rowKey.map(\.plainText).joined(separator: " "))
      logger.warning("row left out", .kind(of: failure(error)), .id("row", id))
    }
  }
}

/// The values that a ``LoggedStore`` observes: the current one, and one after each change.
///
/// An error is thrown once; the next call of the iterator waits for a change. When the store is
/// closed, the error for `closed` is thrown once, and then the sequence ends.
public struct LoggedValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// The type of the errors that the store's `failure` returns.
  public typealias Failure = any Error

  /// An iterator over the values.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var values: ObservedValues<Value>.Iterator
    fileprivate let failure: @Sendable (any Error) -> any Error
    fileprivate let received: @Sendable (Value) -> Void
    fileprivate var isClosed = false

    /// Returns the next value, or `nil` if the task is cancelled, or if a previous call has thrown
    /// the error for a closed store.
    /// - Throws: the error that `failure` returns, also when the store is closed.
    public mutating func next() async throws -> Value? {
      guard !isClosed else { return nil }
      do {
        let value = try await values.next()
        if let value { received(value) }
        return value
      } catch {
        isClosed = (error as? DatabaseError)?.code == .closed
        throw failure(error)
      }
    }
  }

  let values: ObservedValues<Value>
  let failure: @Sendable (any Error) -> any Error
  let received: @Sendable (Value) -> Void

  /// Begins the observation.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: values.makeAsyncIterator(), failure: failure, received: received)
  }
}

extension LoggedValues: CurrentValues {
  package func deliverAgain() -> Int { values.deliverAgain() }
}
