import CSQLite

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

extension Writer {
  /// Runs one statement whose values a closure binds in order, without a copy in between.
  /// - Returns: The number of rows that the statement changed.
  /// - Throws: ``DatabaseError``, with code `invalidValue` if a value cannot be bound.
  @discardableResult
  package func run(_ sql: String, _ bind: (inout RowWriter) -> Void) throws -> Int {
    try connection.run(sql, each: CollectionOfOne(())) { _, row in bind(&row) }
  }

  /// Runs one statement once for each element, in order.
  /// - Returns: The number of rows that the last execution changed.
  /// - Throws: ``DatabaseError``, with code `invalidValue` if a value cannot be bound. The
  ///   executions before that one stay in effect.
  @discardableResult
  package func run<Elements: Sequence>(
    _ sql: String, each elements: Elements, _ bind: (Elements.Element, inout RowWriter) -> Void
  ) throws -> Int { try connection.run(sql, each: elements, bind) }
}

extension Reader {
  /// Runs a closure whose reads are not observed: an observation does not fetch again because of
  /// changes of them.
  /// - Throws: the error of the closure.
  package func unobserved<Result>(_ body: (Reader) throws -> Result) rethrows -> Result {
    let region = connection.recordedRegion
    connection.recordedRegion = nil
    defer { connection.recordedRegion = region }
    return try body(self)
  }

  /// Returns whether a query has any row. A closure binds the values of the query.
  /// - Throws: ``DatabaseError``.
  package func hasRow(_ sql: String, _ bind: (inout RowWriter) -> Void) throws -> Bool {
    try connection.hasRow(sql, bind)
  }
}

extension Connection {
  fileprivate func hasRow(_ sql: String, _ bind: (inout RowWriter) -> Void) throws -> Bool {
    let statement = try statement(sql).0
    return try use(statement) {
      var row = RowWriter(statement.pointer)
      bind(&row)
      let code = sqlite3_step(statement.pointer)
      guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failure(code, statement) }
      return code == SQLITE_ROW
    }
  }

  fileprivate func run<Elements: Sequence>(
    _ sql: String, each elements: Elements, _ bind: (Elements.Element, inout RowWriter) -> Void
  ) throws -> Int {
    let statement = try statement(sql).0
    let changesBefore = sqlite3_total_changes64(handle)
    try use(statement) {
      for element in elements {
        var row = RowWriter(statement.pointer)
        bind(element, &row)
        if let failure = row.failure {
          var error = DatabaseError(
            .invalidValue,
            "Value \(failure.index + 1) cannot be stored: expected \(failure.expected).")
          error.sql = sql
          throw error
        }
        let code = sqlite3_step(statement.pointer)
        guard code == SQLITE_DONE else { throw failure(code, statement) }
        statement.reset()
      }
    }
    guard sqlite3_total_changes64(handle) > changesBefore else { return 0 }
    return Int(sqlite3_changes64(handle))
  }

  /// Whether a row refers to a missing row, which prevents the commit of the transaction
  /// (<https://sqlite.org/c3ref/c_dbstatus_options.html>).
  package var hasDanglingReferences: Bool {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }
}
