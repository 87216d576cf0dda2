/// Keeps the rows of all scopes, in the order of their changes, and what devices were answered.
///
/// The rules of push and pull are written once, over the transactions of any log:
///
/// ```swift
/// let log = try SQLiteChangeLog(path, epoch: epoch)
/// let answer = try await log.write { transaction in
///   try pushRules.apply(push, of: account, at: now, to: &transaction)
/// }
/// ```
///
/// Writes come one after the other, at the least those of one scope. So the numbers of changes have no
/// gaps, and whoever reads a number reads all that come before it.
public protocol ChangeLog: Sendable {
  /// One unchanging state of the log.
  associatedtype Snapshot: ChangeLogReader
  /// Changes that are committed together.
  associatedtype Transaction: ChangeLogWriter

  /// Runs a closure that sees one unchanging state of the log.
  /// - Throws: what the closure throws, or an error of the storage.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result

  /// Runs a closure whose changes are committed together, or not at all where it throws.
  /// - Throws: what the closure throws, or an error of the storage.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout Transaction) throws -> Result
  ) async throws -> Result
}
