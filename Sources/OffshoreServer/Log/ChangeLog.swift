/// The storage of a server: the rows of all scopes, in the order of their changes, and the results
/// of pushed batches.
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
/// Writes are serialized, at least those to the same scope. So the sequence numbers of its changes
/// have no gaps, and a reader that sees a number sees all lower ones too.
public protocol ChangeLog: Sendable {
  /// Read access to one immutable state of the log.
  associatedtype Snapshot: ChangeLogReader
  /// Write access to the log, for changes that are committed together.
  associatedtype Transaction: ChangeLogWriter

  /// Runs a closure that sees one immutable state of the log.
  /// - Throws: the error of the closure, or an error of the storage.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result

  /// Runs a closure and commits its changes together, or none of them if it throws.
  /// - Throws: the error of the closure, or an error of the storage.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout Transaction) throws -> Result
  ) async throws -> Result
}
