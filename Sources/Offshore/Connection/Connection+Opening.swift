import CSQLite

extension Connection {
  /// Attaches the connection to an opening, whose cancellation interrupts running statements.
  func follow(_ opening: Opening) {
    self.opening = opening
    cancellation = opening.cancellation
    sqlite3_progress_handler(
      handle, 1000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Opening>.fromOpaque(context).takeUnretainedValue().mustStop ? 1 : 0
      }, Unmanaged.passUnretained(opening).toOpaque())
  }

  /// Detaches the connection from its opening.
  func stopFollowing() {
    sqlite3_progress_handler(handle, 0, nil, nil)
    opening = nil
    cancellation = nil
  }

  /// Runs a closure that a cancellation does not interrupt.
  func unobserved<Result>(_ body: () throws -> Result) rethrows -> Result {
    let former = cancellation
    cancellation = nil
    opening?.isUndoing = true
    defer {
      opening?.isUndoing = false
      cancellation = former
    }
    return try body()
  }
}

extension Connection {
  /// Runs a statement that inserts many rows, and reports their number after every 1,000 rows and
  /// at the end.
  ///
  /// NB: SQLite reports the rows of ordinary tables only, so those of a table without row ids are
  /// reported at the end (<https://sqlite.org/c3ref/update_hook.html>).
  func countRows(of sql: String, _ report: (Int) -> Void) throws {
    let (statement, _) = try prepare(sql)
    try withoutActuallyEscaping(report) { report in
      let counter = RowCounter(report)
      try use(statement) {
        sqlite3_update_hook(
          handle,
          { context, _, _, _, _ in
            guard let context else { return }
            Unmanaged<RowCounter>.fromOpaque(context).takeUnretainedValue().countOne()
          }, Unmanaged.passUnretained(counter).toOpaque())
        defer { sqlite3_update_hook(handle, nil, nil) }
        let code = sqlite3_step(statement.pointer)
        guard code == SQLITE_DONE else { throw failure(code, statement) }
      }
      report(Int(sqlite3_changes64(handle)))
    }
  }
}

/// Counts the rows that the running statement inserts.
private final class RowCounter {
  private let report: (Int) -> Void
  private var count = 0

  init(_ report: @escaping (Int) -> Void) { self.report = report }

  func countOne() {
    count += 1
    if count.isMultiple(of: 1000) { report(count) }
  }
}
