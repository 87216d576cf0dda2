public import Foundation
import Offshore
public import OffshoreLogging
import OffshoreSync
import OffshoreWire

/// Stores charters, the library, and the progress of checklists in this device's database.
public struct LocalRepository: Sendable {
  let store: SyncedStore
  let now: @Sendable () -> Date
  let logger: AppLogger
  let makeID: @Sendable () -> UUID

  /// Takes the database and what the repository needs besides.
  ///
  /// - Parameters:
  ///   - database: where everything is stored.
  ///   - now: the current date.
  ///   - logger: gets each operation's start and end, and that a list leaves out a row.
  ///   - makeID: makes the ids of batches.
  public init(
    database: AppDatabase, now: @escaping @Sendable () -> Date = { Date() },
    logger: AppLogger = .repository, makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    store = database.store
    self.now = { now().roundedToMilliseconds }
    self.logger = logger
    self.makeID = makeID
  }

  var replica: Replica { store.replica }

  // MARK: - Operations

  /// Reads and logs how that went.
  func read<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> Result
  ) async throws -> Result {
    try await logged(name) { try await store.read(body) }
  }

  /// Reads a list, of which rows that cannot be read are left out and logged.
  func readList<Row: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> ReadableRows<Row>
  ) async throws -> [Row] {
    let list = try await read(name, body)
    warn(of: list.unreadable)
    return list.rows
  }

  /// Writes and logs how that went.
  func write<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await logged(name) { try await store.write(body) }
  }

  /// Writes rows of a charter and logs the outcome, unless this account may only look at it.
  /// - Throws: ``RepositoryError``: `forbidden`.
  func write<Result: Sendable>(
    _ name: StaticString, toCharter id: UUID,
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await write(name) { [store] writer in
      try store.checkMayEdit(AppSchema.scope(ofCharter: id), writer)
      return try body(writer)
    }
  }

  private func logged<Result>(
    _ name: StaticString, _ body: () async throws -> Result
  ) async throws -> Result {
    let operation = logger.startOperation(name)
    do {
      let result = try await body()
      logger.completeOperation(operation)
      return result
    } catch let error as CancellationError {
      logger.cancelOperation(operation)
      throw RepositoryError(error)
    } catch {
      let failure = RepositoryError(error)
      logger.failOperation(operation, error: failure)
      throw failure
    }
  }

  // MARK: - Observation

  /// Observes what a closure reads.
  func values<Value: Equatable & Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> Value
  ) -> RepositoryValues<Value> {
    values(name, unreadable: { _ in [RepositoryError]() }, body)
  }

  /// Observes what a closure reads, and logs which rows a value leaves out.
  ///
  /// - Parameter unreadable: the errors of those rows.
  func values<Value: Equatable & Sendable, Cause: Error>(
    _ name: StaticString, unreadable: @escaping @Sendable (Value) -> [Cause],
    _ body: @escaping @Sendable (Reader) throws -> Value
  ) -> RepositoryValues<Value> {
    logger.debug(name)
    return RepositoryValues(store.values(body)) { warn(of: unreadable($0)) }
  }

  /// Logs why rows are left out.
  func warn(of unreadable: [some Error]) {
    for error in unreadable.map({ RepositoryError($0) }) {
      logger.warning("row left out", .kind(of: error), .id("row", error.rowID))
    }
  }
}
