import CSQLite

extension Connection {
  /// Writes one row by one of its table's statements.
  /// - Returns: The number of changed rows.
  @discardableResult
  func write<Row: Record>(_ row: Row, _ operation: TableOperation) throws -> Int {
    let statement = try statement(Row.self, operation)
    return try use(statement) {
      var writer = RowWriter(statement.pointer)
      Row.table.bind(row, &writer)
      if let failure = writer.failure { throw Row.table.unstorable(failure, row) }
      let code = sqlite3_step(statement.pointer)
      guard code == SQLITE_DONE else { throw rowFailure(code, statement, row) }
      return Int(sqlite3_changes64(handle))
    }
  }

  /// Deletes the row with the key of a row.
  /// - Returns: Whether the row existed.
  func delete<Row: Record>(_ row: Row) throws -> Bool {
    try run(statement(Row.table, .delete), [], of: row, key: row)
  }

  /// Updates the columns in which a row differs from a newer one.
  /// - Parameter columns: The indexes of those columns.
  /// - Returns: Whether the row existed.
  func update<Row: Record>(_ row: Row, to newer: Row, columns: [Int]) throws -> Bool {
    try run(statement(Row.table, changing: columns), columns, of: newer, key: row)
  }

  /// Runs a statement whose parameters are some columns of one row, and the key of another.
  /// - Returns: Whether a row changed.
  private func run<Row: Record>(
    _ statement: Statement, _ columns: [Int], of row: Row, key: Row
  ) throws -> Bool {
    let plan = Row.table.plan
    return try use(statement) {
      var writer = RowWriter(statement.pointer)
      var parameter: Int32 = 0
      for (indexes, row) in [(columns, row), (plan.keyIndexes, key)] {
        for index in indexes {
          parameter += 1
          plan.lookups[index].encode(row, &writer, parameter)
          if let failure = writer.failure {
            throw Row.table.unstorable(failure, column: index, row)
          }
        }
      }
      let code = sqlite3_step(statement.pointer)
      guard code == SQLITE_DONE else {
        throw rowFailure(code, statement, row, isDeletion: columns.isEmpty)
      }
      return sqlite3_changes64(handle) > 0
    }
  }

  // MARK: - Statements

  /// Returns one of the statements of a record's table.
  func statement<Row: Record>(
    _: Row.Type, _ operation: TableOperation
  ) throws -> Statement {
    try statement(Row.table, operation)
  }

  /// Returns one of the statements of a table.
  func statement<Row>(_ table: Table<Row>, _ operation: TableOperation) throws -> Statement {
    let plan = table.plan
    try plan.checkFirstUse()
    if let statement = repeated[plan.id, operation], !statement.isBusy { return statement }
    let sql =
      switch operation {
      case .find: plan.sql.selectByKey
      case .findNumber: plan.sql.selectNumberByKey
      case .insert: allowsOrFail(plan.name) ? plan.sql.insertOrFail : plan.sql.insert
      case .insertIfAbsent: plan.sql.insertIfAbsent
      case .update: plan.sql.update
      case .save: plan.sql.save
      case .delete: plan.sql.delete
      }
    guard RepeatedStatements.hasPlace(plan.id) else { return try statement(of: table, sql) }
    let statement = try explainingMissing(table) { try prepare(sql).0 }
    repeated[plan.id, operation] = statement
    return statement
  }

  /// Returns the statement that updates some columns of a table:
  /// `UPDATE "charters" SET "name" = ?1 WHERE "id" = ?2`.
  private func statement<Row>(
    _ table: Table<Row>, changing columns: [Int]
  ) throws -> Statement {
    let plan = table.plan
    let key = ChangedColumns(plan: plan.id, indexes: columns)
    if let statement = repeated[key], !statement.isBusy { return statement }
    try plan.checkFirstUse()
    let sql = plan.sql.update(
      columns.map { plan.columns[$0] }, plan.keyIndexes.map { plan.columns[$0] })
    guard RepeatedStatements.hasPlace(plan.id) else { return try statement(of: table, sql) }
    let statement = try explainingMissing(table) { try prepare(sql).0 }
    repeated[key] = statement
    return statement
  }

  func statement<Row>(of table: Table<Row>, _ sql: String) throws -> Statement {
    try explainingMissing(table) { try statement(sql).0 }
  }

  /// Checks that a table has a primary key.
  /// - Throws: ``DatabaseError`` with code `declaration` if it has none.
  func requireKey<Row>(_ table: Table<Row>) throws {
    guard table.plan.keyIndexes.isEmpty else { return }
    var error = DatabaseError(
      .declaration, "“\(table.name)” has no primary key. Mark its columns by primaryKey().")
    error.table = table.name
    throw error
  }

  func rowFailure<Row: Record>(
    _ code: Int32, _ statement: Statement, _ row: Row, isDeletion: Bool = false
  ) -> DatabaseError {
    var error = failure(code, statement)
    error.table = error.table ?? Row.table.name
    error.rowKey = Row.table.key(of: row)
    guard error.violation == .foreignKey(column: nil) else { return error }
    if let column = try? danglingColumn(of: row) {
      error.column = column
      error.message =
        "“\(column)” of “\(Row.table.name)” refers to a row that does not exist. Insert that row before, "
        + "or clear the column."
    } else if isDeletion, let (table, column) = try? referringColumn(to: row) {
      (error.table, error.column, error.rowKey) = (table, column, [])
      error.message =
        "“\(column)” of “\(table)” refers to this row of “\(Row.table.name)”. Delete the rows that refer to "
        + "it before, or clear their column."
    }
    return error
  }
}
