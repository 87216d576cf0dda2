public import Foundation
import Offshore
public import OffshoreLogging
import OffshoreSync
package import OffshoreWire

/// Stores charters, the library, and the progress of checklists in this device's database.
public struct LocalRepository: Sendable {
  let file: LoggedStore
  let now: @Sendable () -> Date

  /// Takes the database and what the repository needs besides.
  ///
  /// - Parameters:
  ///   - database: where everything is stored.
  ///   - now: the current date.
  ///   - logger: gets each operation's start and end, and that a list leaves out a row.
  public init(
    database: AppDatabase, now: @escaping @Sendable () -> Date = { Date() },
    logger: AppLogger = .repository
  ) {
    file = LoggedStore(database.store, logger: logger) { RepositoryError($0) }
    self.now = { now().roundedToMilliseconds }
  }

  var store: SyncedStore { file.store }
  var replica: Replica { store.replica }

  // MARK: - Operations

  /// Reads, and logs the operation.
  func read<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> Result
  ) async throws -> Result {
    try await file.read(name, body)
  }

  /// Reads a list. Rows that cannot be read are left out and logged.
  func readList<Row: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> ReadableRows<Row>
  ) async throws -> [Row] {
    try await file.readable(name, body)
  }

  /// Writes, and logs the operation.
  func write<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await file.write(name, body)
  }

  /// Writes rows of a charter and logs the outcome, unless this account may only look at it.
  /// - Throws: ``RepositoryError``: `forbidden`.
  func write<Result: Sendable>(
    _ name: StaticString, toCharter id: UUID,
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await write(name) { [store] writer in
      try store.checkMayEdit(ScopeID.charter(id), writer)
      return try body(writer)
    }
  }

  // MARK: - Observation

  /// Observes the result of a closure that reads.
  func values<Value: Equatable & Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> Value
  ) -> LoggedValues<Value> {
    file.values(name, body)
  }

  /// Observes the result of a closure that reads, and logs which rows a value leaves out.
  /// - Parameter unreadable: the errors of those rows.
  func values<Value: Equatable & Sendable, Cause: Error>(
    _ name: StaticString, unreadable: @escaping @Sendable (Value) -> [Cause],
    _ body: @escaping @Sendable (Reader) throws -> Value
  ) -> LoggedValues<Value> {
    file.values(name, received: { warn(of: unreadable($0)) }, body)
  }

  /// Logs why rows are left out.
  func warn(of unreadable: [some Error]) {
    for error in unreadable.map({ RepositoryError($0) }) {
      file.logger.warning("row left out", .kind(of: error), .id("row", error.rowID))
    }
  }
}

extension Date {
  /// The date as one can store it: rounded to the millisecond.
  var roundedToMilliseconds: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}

extension CharterModel {
  /// The kind of scope that a charter is. The account that creates a charter owns it.
  package static let scopeKind = "charter"
}

extension ScopeID {
  /// The scope of a charter, which its crew shares.
  package static func charter(_ id: UUID) throws -> ScopeID {
    try ScopeID(kind: CharterModel.scopeKind, value: id.uuidString)
  }
}
