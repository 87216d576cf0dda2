/// Access to one snapshot of a database, valid inside a closure.
///
/// Use after the end of the closure fails with code `transaction`.
public class Reader {
  private let current: Connection
  private var isEnded = false

  /// The connection of the transaction; after the end of the closure, one that refuses all
  /// statements.
  package var connection: Connection { isEnded ? .ended : current }

  init(_ connection: Connection) { current = connection }

  /// Ends the access at the end of its closure.
  func end() { isEnded = true }
}

/// Access to a database inside a write, valid inside a closure. It reads its own changes.
///
/// Use after the end of the closure fails with code `transaction`.
public final class Writer: Reader {
  /// Runs a closure in a savepoint. If it throws, only its changes are rolled back, and the write
  /// can continue.
  /// - Throws: The error of the closure, or ``DatabaseError``.
  public func savepoint<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    try connection.savepoint { try body(self) }
  }
}
