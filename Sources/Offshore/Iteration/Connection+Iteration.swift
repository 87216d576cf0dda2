import CSQLite

extension Connection {
  /// The number of rows between two checks for a cancellation.
  private static var iterationSlice: Int { 512 }

  /// Passes each row of a query to a closure, decoded by a record's table.
  func forEach<Row: Record>(
    _ type: Row.Type, _ sql: SQL, _ body: (Row) throws -> Void
  ) throws {
    let table = Row.table
    try table.plan.checkFirstUse()
    let statement = try queryStatement(sql)
    try use(statement) {
      guard try firstStep(of: statement, sql.arguments) else { return }
      // The order of the columns may differ if the first step has recompiled the statement.
      if statement.isStale { statement.columnsMatch = nil }
      try withColumnMap(table, statement) { map in
        var reader = RowReader(statement.pointer, map: map)
        while true {
          let code = try table.readEach(&reader, Self.iterationSlice, body)
          if code == SQLITE_DONE { return }
          guard code == SQLITE_ROW else {
            throw readFailure(code, reader, table, statement, sql.arguments)
          }
          try checkCancellation()
        }
      }
    }
  }

  /// Passes each row of a query to a closure that decodes it.
  /// - Parameter columns: The number of columns that the result must have; `nil` for any number.
  func forEach(
    _ sql: SQL, columns: Int? = nil, _ body: (inout RowReader, Statement) throws -> Void
  ) throws {
    let statement = try queryStatement(sql)
    try columns.map { try statement.requireColumns($0) }
    try use(statement) {
      guard try firstStep(of: statement, sql.arguments) else { return }
      var reader = RowReader(statement.pointer)
      var count = 0
      while true {
        reader.position = 0
        try body(&reader, statement)
        let code = sqlite3_step(statement.pointer)
        if code == SQLITE_DONE { return }
        guard code == SQLITE_ROW else { throw failure(code, statement, sql.arguments) }
        count += 1
        if count.isMultiple(of: Self.iterationSlice) { try checkCancellation() }
      }
    }
  }

  /// Binds the values of a statement and steps it once.
  /// - Returns: Whether the result has a row.
  private func firstStep(of statement: Statement, _ arguments: [SQLValue]) throws -> Bool {
    try statement.bind(arguments)
    let code = sqlite3_step(statement.pointer)
    if code == SQLITE_DONE { return false }
    guard code == SQLITE_ROW else { throw failure(code, statement, arguments) }
    return true
  }
}
