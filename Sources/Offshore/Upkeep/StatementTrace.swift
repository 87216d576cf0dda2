import CSQLite

/// A statement that a connection has run, for logs and measurements.
@_documentation(visibility: internal)
public struct TracedStatement: Sendable {
  /// The SQL text, with `?` for each bound value. Literals in the text are included.
  public let sql: String
  /// The SQL text with the bound values, which may be personal data; `nil` unless
  /// `DatabaseConfiguration.tracesValues` is set.
  public let sqlWithValues: String?
  /// The time from the first step to the end, including the time between the rows of an iteration.
  public let duration: Duration
  /// The number of rows in the result, or of changed rows if the statement has no result.
  public let rowCount: Int
}

/// A trace of one connection's statements (<https://sqlite.org/c3ref/trace_v2.html>).
final class StatementTrace {
  private struct Run {
    let start = ContinuousClock.now
    let changesBefore: Int64
    var rows = 0
  }

  private let handle: OpaquePointer
  private let report: @Sendable (TracedStatement) -> Void
  private let hasValues: Bool
  private var runs: [UnsafeMutableRawPointer: Run] = [:]

  /// Starts to trace the statements of a connection, until ``end()``.
  init(
    _ handle: OpaquePointer, hasValues: Bool,
    _ report: @escaping @Sendable (TracedStatement) -> Void
  ) {
    self.handle = handle
    self.hasValues = hasValues
    self.report = report
    let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE)
    sqlite3_trace_v2(
      handle, events,
      { event, context, statement, _ in
        guard let context, let statement else { return 0 }
        Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
          .receive(event, statement)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Stops the trace. A statement may outlive its connection.
  func end() { sqlite3_trace_v2(handle, 0, nil, nil) }

  private func receive(_ event: UInt32, _ statement: UnsafeMutableRawPointer) {
    switch Int32(event) {
    case SQLITE_TRACE_STMT:
      // A trigger that the statement fires is reported as an event of the same statement.
      guard runs[statement] == nil else { return }
      runs[statement] = Run(changesBefore: sqlite3_total_changes64(handle))
    case SQLITE_TRACE_ROW: runs[statement]?.rows += 1
    default:
      guard let run = runs.removeValue(forKey: statement) else { return }
      end(run, OpaquePointer(statement))
    }
  }

  private func end(_ run: Run, _ statement: OpaquePointer) {
    let hasResult = sqlite3_column_count(statement) > 0
    let changes = Int(sqlite3_total_changes64(handle) - run.changesBefore)
    let values = hasValues ? sqlite3_expanded_sql(statement) : nil
    defer { sqlite3_free(values) }
    report(
      TracedStatement(
        sql: sqlite3_sql(statement).map { String(cString: $0) } ?? "",
        sqlWithValues: values.map { String(cString: $0) },
        duration: ContinuousClock.now - run.start, rowCount: hasResult ? run.rows : changes))
  }
}
