import CSQLite

extension Connection {
  /// Rows between two looks at whether the caller still wants the write.
  private static var sliceCount: Int { 512 }

  /// Writes one row by one of its table's statements.
  /// - Returns: how many rows changed.
  @discardableResult
  func write<Row: Record>(_ row: Row, _ operation: TableOperation) throws -> Int {
    let statement = try statement(Row.self, operation)
    return try use(statement) {
      var writer = RowWriter(statement.pointer)
      Row.table.writeOne(row, &writer)
      if let failure = writer.failure { throw Row.table.unstorable(failure, row) }
      let code = sqlite3_step(statement.pointer)
      guard code == SQLITE_DONE else { throw rowFailure(code, statement, row) }
      return Int(sqlite3_changes64(handle))
    }
  }

  /// Writes rows by one of their table's statements.
  func write<Row: Record>(contentsOf rows: [Row], _ operation: TableOperation) throws {
    let statement = try statement(Row.self, operation)
    try rows.withUnsafeBufferPointer { rows in
      for start in stride(from: 0, to: rows.count, by: Self.sliceCount) {
        let end = min(start + Self.sliceCount, rows.count)
        let slice = UnsafeBufferPointer(rebasing: rows[start..<end])
        try use(statement) {
          var writer = RowWriter(statement.pointer)
          let (code, count) = Row.table.writeAll(slice, &writer)
          if let failure = writer.failure { throw Row.table.unstorable(failure, slice[count]) }
          guard code == SQLITE_OK else { throw rowFailure(code, statement, slice[count]) }
        }
      }
    }
  }

  /// One of the statements that a record's table has.
  func statement<Row: Record>(
    _: Row.Type, _ operation: TableOperation
  ) throws -> Statement {
    let plan = Row.table.plan
    try plan.checkFirstUse()
    return try explainingMissing(Row.table) {
      try repeated(.table(plan.id, operation)) {
        switch operation {
        case .find: plan.sql.selectByKey
        case .findNumber: plan.sql.selectNumberByKey
        case .insert: failsWhole(plan.name) ? plan.sql.insertOrFail : plan.sql.insert
        case .insertIfAbsent: plan.sql.insertIfAbsent
        case .update: plan.sql.update
        case .save: plan.sql.save
        }
      }
    }
  }

  /// - Throws: ``DatabaseError`` with code `declaration` where a table has no primary key.
  func requireKey<Row>(_ table: Table<Row>) throws {
    guard table.plan.keyIndexes.isEmpty else { return }
    var error = DatabaseError(
      .declaration, "“\(table.name)” has no primary key. Mark its columns by primaryKey().")
    error.table = table.name
    throw error
  }

  private func rowFailure<Row: Record>(
    _ code: Int32, _ statement: Statement, _ row: Row
  ) -> DatabaseError {
    var error = failure(code, statement)
    error.table = error.table ?? Row.table.name
    error.rowKey = Row.table.key(of: row)
    if error.violation == .foreignKey(column: nil), let column = try? danglingColumn(of: row) {
      error.column = column
      error.message =
        "“\(column)” of “\(Row.table.name)” refers to a row that does not exist. Insert that row before, "
        + "or clear the column."
    }
    return error
  }
}
