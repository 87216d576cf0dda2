import CSQLite

/// A prepared statement of one connection.
final class Statement {
  let pointer: OpaquePointer
  let sql: String
  /// The data that the statement reads.
  let region: Region
  /// The changes that the statement may make.
  let effect: Effect
  /// Whether the statement changes nothing in the file.
  let isReadOnly: Bool
  /// Whether the statement is being stepped.
  var isBusy = false

  /// The number of the table declaration that has the same columns as the result, in the same
  /// order; `nil` if that is not known.
  var columnsMatch: Int?

  private let preparations: Int32

  /// Wraps a newly prepared statement, and owns it from then on.
  init(_ pointer: OpaquePointer, sql: String, region: Region, effect: Effect) {
    self.pointer = pointer
    self.sql = sql
    self.region = region
    self.effect = effect
    isReadOnly = sqlite3_stmt_readonly(pointer) != 0
    preparations = sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0)
  }

  deinit { sqlite3_finalize(pointer) }

  /// Whether SQLite has recompiled the statement after a change of the schema, so that ``region``
  /// and ``effect`` may be outdated.
  var isStale: Bool {
    sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0) != preparations
  }

  /// Returns whether the result is known to have the columns of a table declaration, in order.
  func hasColumns(of plan: Int) -> Bool { columnsMatch == plan }

  /// Ends the execution, so that the statement can run again. Its values stay bound.
  func reset() { sqlite3_reset(pointer) }

  /// Releases the bound values.
  func unbind() { sqlite3_clear_bindings(pointer) }

  /// Binds values to the parameters in order.
  /// - Throws: ``DatabaseError``: `invalidSQL` if the numbers of values and parameters differ,
  ///   `invalidValue` if a value cannot be stored.
  func bind(_ arguments: [SQLValue]) throws {
    let count = Int(sqlite3_bind_parameter_count(pointer))
    guard count == arguments.count else {
      var error = DatabaseError(
        .invalidSQL, "The statement has \(count) parameters but \(arguments.count) values.")
      error.sql = sql
      throw error
    }
    var writer = RowWriter(pointer)
    for (index, argument) in arguments.enumerated() {
      argument.bind(&writer, Int32(index + 1))
    }
    if let failure = writer.failure { throw invalidArgument(failure, arguments) }
  }

  private func invalidArgument(_ failure: ColumnFailure, _ arguments: [SQLValue]) -> DatabaseError {
    var error = DatabaseError(
      .invalidValue,
      "Value \(failure.index + 1) of the statement cannot be stored: expected \(failure.expected).")
    error.detail = failure.detail
    error.sql = sql
    error.arguments = arguments
    return error
  }

  /// Checks the number of columns in the result.
  /// - Throws: ``DatabaseError`` with code `invalidSQL` if it differs from the expected one.
  func requireColumns(_ expected: Int) throws {
    let count = Int(sqlite3_column_count(pointer))
    guard count != expected else { return }
    var error = DatabaseError(
      .invalidSQL,
      "The result has \(count) columns where \(expected) are asked for. Select as many as there "
        + "are types.")
    error.sql = sql
    throw error
  }

  /// The names of the result's columns.
  var columnNames: [String] {
    (0..<sqlite3_column_count(pointer)).map {
      sqlite3_column_name(pointer, $0).map { String(cString: $0) } ?? ""
    }
  }
}

extension SQLValue {
  func bind(_ row: inout RowWriter, _ index: Int32) {
    switch self {
    case .null: row.bindNull(index)
    case .integer(let value): row.bind(value, index)
    case .real(let value): row.bind(value, index)
    case .text(let value): StringCodec.bind(value, &row, index)
    case .blob(let bytes): bytes.withUnsafeBytes { row.bind(blob: $0, index) }
    }
  }
}
