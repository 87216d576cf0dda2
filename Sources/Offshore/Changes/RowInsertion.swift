import CSQLite

/// The insertion of many rows.
///
/// Usually each row has a step of one statement. But if a table has triggers and refers to other tables,
/// SQLite copies each page that a statement changes before its first change, in case the
/// statement has to be undone. For one row that is more work than the insertion. So several rows share
/// a statement, and the copies.
extension Connection {
  /// The number of rows between two checks for a cancellation.
  private static var sliceCount: Int { 512 }

  /// The fewest rows that share a statement.
  private static var fewestShared: Int { 8 }

  /// The most rows that share a statement. The preparation of a longer one takes more time than it saves.
  private static var mostShared: Int { 64 }

  /// Inserts rows in order.
  /// - Throws: `DatabaseError`. The rows before a refused one stay inserted.
  func insert<Row: Record>(contentsOf rows: [Row]) throws {
    try Row.table.plan.checkFirstUse()
    let limit = rows.count < Self.fewestShared ? 1 : sharedLimit(Row.table)
    try rows.withUnsafeBufferPointer { rows in
      var start = 0
      while start < rows.count {
        let (left, shared) = (rows.count - start, min(rows.count - start, limit))
        let isShared = shared >= Self.fewestShared
        // Powers of two, so that lists of all lengths use the same few statements.
        let count = isShared ? 1 << (shared.bitWidth - 1 - shared.leadingZeroBitCount) : left
        let slice = UnsafeBufferPointer(
          rebasing: rows[start..<(start + min(count, Self.sliceCount))])
        if try !isShared || !insertTogether(slice) { try insertInTurn(slice) }
        start += slice.count
      }
    }
  }

  private func insertInTurn<Row: Record>(_ rows: UnsafeBufferPointer<Row>) throws {
    let statement = try statement(Row.self, .insert)
    try use(statement) {
      var writer = RowWriter(statement.pointer)
      let (code, count) = Row.table.writeAll(rows, &writer)
      if let failure = writer.failure { throw Row.table.unstorable(failure, rows[count]) }
      guard code == SQLITE_OK else { throw rowFailure(code, statement, rows[count]) }
    }
  }

  /// Inserts rows by one statement.
  /// - Returns: Whether they are inserted. If one is refused, none is: the triggers of such a table are the
  ///   library's, and it has no conflict clauses, by which some rows might stay.
  private func insertTogether<Row: Record>(_ rows: UnsafeBufferPointer<Row>) throws -> Bool {
    let plan = Row.table.plan
    let sql = plan.sql.insert(plan.columns.count, rows: rows.count)
    let statement = try statement(of: Row.table, sql)
    return try use(statement) {
      var writer = RowWriter(statement.pointer)
      for row in rows {
        Row.table.bind(row, &writer)
        writer.base += Int32(plan.columns.count)
      }
      guard writer.failure == nil else { return false }
      let code = sqlite3_step(statement.pointer)
      if code & 0xFF == SQLITE_CONSTRAINT { return false }
      guard code == SQLITE_DONE else { throw failure(code, statement) }
      return true
    }
  }

  /// Returns the maximum number of rows that share a statement.
  ///
  /// NB: SQLite checks references at the end of a statement. In a table that refers to itself, rows of one
  /// statement might refer to later ones.
  private func sharedLimit<Row>(_ table: Table<Row>) -> Int {
    let isOwn = texts(
      #"SELECT "table" = ?1 COLLATE NOCASE FROM pragma_foreign_key_list(?1)"#, [.text(table.name)])
    guard let isOwn, !isOwn.isEmpty, !isOwn.contains("1"), allowsOrFail(table.name) else {
      return 1
    }
    let parameters = Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    return min(Self.mostShared, parameters / table.plan.columns.count)
  }
}
