public import Foundation
import Offshore
public import OffshoreLogging
import OffshoreSync
package import OffshoreWire

/// The charters, the library, and the progress of checklists in this device's database.
public struct LocalRepository: Sendable {
  let file: LoggedStore
  let now: @Sendable () -> Date

  /// Creates a repository.
  ///
  /// - Parameters:
  ///   - database: the database that stores everything.
  ///   - now: returns the current date.
  ///   - logger: logs the start and end of each operation, and unreadable rows.
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

  /// Runs a read, and logs it.
  func read<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> Result
  ) async throws -> Result {
    try await file.read(name, body)
  }

  /// Reads a list, and logs it. Unreadable rows are left out and logged.
  func readList<Row: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> ReadableRows<Row>
  ) async throws -> [Row] {
    try await file.readable(name, body)
  }

  /// Runs a write, and logs it.
  func write<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await file.write(name, body)
  }

  /// Runs a write of a charter's rows, and logs it.
  /// - Throws: ``RepositoryError`` with `forbidden` if the account may only read the charter.
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

  /// Observes the result of a read.
  func values<Value: Equatable & Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> Value
  ) -> LoggedValues<Value> {
    file.values(name, body)
  }

  /// Observes the result of a read, and logs unreadable rows.
  /// - Parameter unreadable: returns the errors of those rows.
  func values<Value: Equatable & Sendable, Cause: Error>(
    _ name: StaticString, unreadable: @escaping @Sendable (Value) -> [Cause],
    _ body: @escaping @Sendable (Reader) throws -> Value
  ) -> LoggedValues<Value> {
    file.values(name, received: { warn(of: unreadable($0)) }, body)
  }

  /// Logs the errors of unreadable rows.
  func warn(of unreadable: [some Error]) {
    for error in unreadable.map({ RepositoryError($0) }) {
      file.logger.warning("row left out", .kind(of: error), .id("row", error.rowID))
    }
  }
}

extension Date {
  /// The date rounded to the millisecond, as it is stored.
  var roundedToMilliseconds: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}

extension CharterModel {
  /// The kind of scope of a charter. The account that creates a charter owns it.
  package static let scopeKind = "charter"
}

extension ScopeID {
  /// Returns the scope of a charter, which its crew shares.
  package static func charter(_ id: UUID) throws -> ScopeID {
    try ScopeID(kind: CharterModel.scopeKind, value: id.uuidString)
  }
}
