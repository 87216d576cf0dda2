import CSQLite

/// SQLite through its C interface, written by hand for one table.
///
/// Every result code is checked, and every value as Offshore checks it. Everything that a library
/// needs and an app for one table does not is left out.
final class BaselineConnection {
  let handle: OpaquePointer

  /// Opens a file with a write-ahead log that does not wait for the disk, and with Offshore's page
  /// cache.
  init(_ path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw BaselineError(code: code, column: nil)
    }
    self.handle = handle
    try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON")
    try execute("PRAGMA cache_size = -16384")
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements without values.
  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw BaselineError(code: code, column: nil) }
  }

  /// Prepares a statement for a closure.
  func withStatement<Result>(
    _ sql: String, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw BaselineError(code: code, column: nil) }
    defer { sqlite3_finalize(statement) }
    return try body(statement)
  }

  /// Runs a closure in a transaction.
  func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
    try execute(begin)
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }
}

/// A result code of SQLite, or the column whose value does not fit.
struct BaselineError: Error {
  let code: Int32
  let column: Int32?
}
