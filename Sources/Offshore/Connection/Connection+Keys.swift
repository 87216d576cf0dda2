import CSQLite

extension Reader {
  /// The row with a primary key.
  @usableFromInline
  func row<Row: Record>(_ table: Table<Row>, key: [SQLValue]) throws -> Row? {
    try connection.fetch(table, key: key)
  }
}

extension Connection {
  /// The row with a primary key, by the statement that its table keeps for that.
  ///
  /// While somebody records what is read, the row alone is recorded where SQLite numbers the table's
  /// rows, so that changes of other rows do not concern them.
  func fetch<Row: Record>(_ table: Table<Row>, key: [SQLValue]) throws -> Row? {
    let statement = try statement(table, .find)
    guard let regionBefore = recordedRegion else { return try fetchOne(table, statement, key) }
    let row = try fetchOne(table, statement, key)
    if row != nil, let reference = try reference(Row.self, key, statement) {
      // Without the whole table's columns, which the fetch has added.
      recordedRegion = regionBefore
      recordedRegion?.insert(reference.row, columns: reference.columns)
    }
    return row
  }

  /// The number of a row and the columns that its statement reads, or `nil` where the rows of what
  /// the statement reads have no numbers.
  private func reference<Row: Record>(
    _ type: Row.Type, _ key: [SQLValue], _ statement: Statement
  ) throws -> (row: Region.RowReference, columns: Set<String>)? {
    guard !statement.isStale, statement.region.columns.count == 1,
      let (table, columns) = statement.region.columns.first
    else { return nil }
    do {
      let numbered = try self.statement(Row.table, .findNumber)
      let numbers = try fetch(numbered, key) { try $0.value(Int64.self) }
      return numbers.first.map { (Region.RowReference(table: table, rowID: $0), columns) }
    } catch let error as DatabaseError where [.invalidSQL, .invalidValue].contains(error.code) {
      return nil
    }
  }
}
