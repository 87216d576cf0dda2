import CSQLite

extension Reader {
  /// Returns the row with a primary key, or `nil` if it does not exist.
  @usableFromInline
  func row<Row: Record>(_ table: Table<Row>, key: [SQLValue]) throws -> Row? {
    try connection.fetch(table, key: key)
  }
}

extension Connection {
  /// Returns the row with a primary key, or `nil` if it does not exist.
  ///
  /// If reads are being recorded and the table has row ids, only this row is recorded. Changes of
  /// other rows then do not cause another fetch.
  func fetch<Row: Record>(_ table: Table<Row>, key: [SQLValue]) throws -> Row? {
    let statement = try statement(table, .find)
    guard let regionBefore = recordedRegion else { return try fetchOne(table, statement, key) }
    let row = try fetchOne(table, statement, key)
    if row != nil, let reference = try reference(Row.self, key, statement) {
      // Drops the columns of the whole table, which the fetch has added.
      recordedRegion = regionBefore
      recordedRegion?.insert(reference.row, columns: reference.columns)
    }
    return row
  }

  /// Returns the id of a row and the columns that its statement reads, or `nil` if the statement
  /// reads several tables or rows without ids.
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
