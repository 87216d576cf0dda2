/// Access to one snapshot of a database, for the length of a closure.
public class Reader {
  /// The connection whose transaction this is.
  package let connection: Connection

  init(_ connection: Connection) { self.connection = connection }
}

/// Access to a database inside a write, for the length of a closure. It reads its own changes.
public final class Writer: Reader {
  /// Runs a closure whose changes are undone alone where it throws, while the write goes on.
  /// - Throws: what the closure throws.
  public func savepoint<Result>(_ body: (Writer) throws -> Result) throws -> Result {
    try connection.savepoint { try body(self) }
  }
}
