/// Access to one snapshot of a database, for the length of a closure.
///
/// One that is kept for longer fails with the code `transaction`.
public class Reader {
  private let current: Connection
  private var isEnded = false

  /// The connection whose transaction this is; once the closure has ended, one that refuses all statements.
  package var connection: Connection { isEnded ? .ended : current }

  init(_ connection: Connection) { current = connection }

  /// Ends the access, with the closure that it was for.
  func end() { isEnded = true }
}

/// Access to a database inside a write, for the length of a closure. It reads its own changes.
///
/// One that is kept for longer fails with the code `transaction`.
public final class Writer: Reader {
  /// Runs a closure whose changes are undone alone where it throws, while the write goes on.
  /// - Throws: what the closure throws.
  public func savepoint<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    try connection.savepoint { try body(self) }
  }
}
