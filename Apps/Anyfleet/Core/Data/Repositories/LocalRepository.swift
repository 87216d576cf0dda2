public import Foundation
import Offshore
public import OffshoreLogging

/// Stores charters, the library, and the progress of checklists in this device's database.
public struct LocalRepository: Sendable {
  let database: Database
  let now: @Sendable () -> Date
  let logger: AppLogger
  private let report: @Sendable (RepositoryError) -> Void

  /// Takes the database and what the repository needs besides.
  ///
  /// - Parameters:
  ///   - database: where everything is stored.
  ///   - now: the current date.
  ///   - logger: gets each operation's start and end.
  ///   - unreadableRow: gets the error of each row that a list leaves out, on any thread.
  public init(
    database: AppDatabase, now: @escaping @Sendable () -> Date = { Date() },
    logger: AppLogger = .repository,
    unreadableRow report: @escaping @Sendable (RepositoryError) -> Void = { _ in }
  ) {
    self.database = database.database
    self.now = { now().roundedToMilliseconds }
    self.logger = logger
    self.report = report
  }

  // MARK: - Operations

  /// Reads and logs how that went.
  func read<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> Result
  ) async throws -> Result {
    try await logged(name) { try await database.read(body) }
  }

  /// Reads a list, of which rows that cannot be read are left out and reported.
  func readList<Row: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> ReadableRows<Row>
  ) async throws -> [Row] {
    received(try await read(name, body))
  }

  /// Writes and logs how that went.
  func write<Result: Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await logged(name) { try await database.write(body) }
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
      let failure = RepositoryError(error)
      logger.failOperation(operation, error: failure)
      throw failure
    }
  }

  // MARK: - Observation

  /// Follows what a closure reads.
  func values<Value: Equatable & Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> Value
  ) -> RepositoryValues<Value, Value> {
    logger.debug(name)
    return RepositoryValues(database.values(body)) { $0 }
  }

  /// Follows a list, of which rows that cannot be read are left out and reported.
  func listValues<Row: Equatable & Sendable>(
    _ name: StaticString, _ body: @escaping @Sendable (Reader) throws -> ReadableRows<Row>
  ) -> RepositoryValues<ReadableRows<Row>, [Row]> {
    logger.debug(name)
    return RepositoryValues(database.values(body)) { received($0) }
  }

  /// The rows, after the others have been reported.
  private func received<Row>(_ list: ReadableRows<Row>) -> [Row] {
    for error in list.unreadable {
      logger.warning("row left out", .kind(of: error))
      report(error)
    }
    return list.rows
  }
}
