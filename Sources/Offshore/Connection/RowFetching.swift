import CSQLite

extension Connection {
  /// Returns all rows of a query as values of a record type.
  func fetchAll<Row: Record>(_ type: Row.Type, _ sql: SQL) throws -> [Row] {
    try refetchingIfStale(explainingMissing(Row.table) { try queryStatement(sql) }) {
      try fetchAll(Row.table, $0, sql.arguments)
    }
  }

  /// Returns the readable rows of a query, and the errors of the others.
  func fetchReadable<Row>(_ table: Table<Row>, _ sql: SQL) throws -> ReadableRows<Row> {
    try refetchingIfStale(explainingMissing(table) { try queryStatement(sql) }) {
      try fetchReadable(table, $0, sql.arguments)
    }
  }

  /// Returns the first row of a query as a value of a record type.
  func fetchOne<Row: Record>(_ type: Row.Type, _ sql: SQL) throws -> Row? {
    try refetchingIfStale(explainingMissing(Row.table) { try queryStatement(sql) }) {
      try fetchOne(Row.table, $0, sql.arguments)
    }
  }

  /// Returns the prepared statement of a query.
  /// - Throws: ``DatabaseError``, with code `invalidSQL` if the SQL has no result, or is more than
  ///   one statement.
  func queryStatement(_ sql: SQL) throws -> Statement {
    try sql.check()
    let (statement, tail) = try statement(sql.text)
    guard tail == nil, sqlite3_column_count(statement.pointer) > 0 else {
      var error = DatabaseError(
        .invalidSQL,
        tail == nil
          ? "The statement has no result. Run it instead of fetching."
          : "Only one statement can be fetched. Run the statements before it separately.")
      error.sql = sql.text
      throw error
    }
    return statement
  }

  /// Runs a statement and decodes all its rows by the columns of a table.
  func fetchAll<Row>(
    _ table: Table<Row>, _ statement: Statement, _ arguments: [SQLValue]
  ) throws -> [Row] {
    try table.plan.checkFirstUse()
    return try use(statement) {
      try statement.bind(arguments)
      return try withColumnMap(table, statement) { map in
        var reader = RowReader(statement.pointer, map: map)
        var rows: [Row] = []
        let code = table.readAll(&reader, &rows)
        guard code == SQLITE_DONE else {
          throw readFailure(code, reader, table, statement, arguments)
        }
        return rows
      }
    }
  }

  private func fetchReadable<Row>(
    _ table: Table<Row>, _ statement: Statement, _ arguments: [SQLValue]
  ) throws -> ReadableRows<Row> {
    try table.plan.checkFirstUse()
    return try use(statement) {
      try statement.bind(arguments)
      return try withColumnMap(table, statement) { map in
        var reader = RowReader(statement.pointer, map: map)
        var readable = ReadableRows<Row>()
        while true {
          let code = table.readAll(&reader, &readable.rows)
          if code == SQLITE_DONE { return readable }
          let error = readFailure(code, reader, table, statement, arguments)
          guard error.isUnreadableRow else { throw error }
          // The row that failed is the last one read. The next step continues after it.
          readable.rows.removeLast()
          readable.unreadable.append(error)
          reader.failure = nil
        }
      }
    }
  }

  /// Runs a statement and decodes its first row by the columns of a table.
  func fetchOne<Row>(
    _ table: Table<Row>, _ statement: Statement, _ arguments: [SQLValue]
  ) throws -> Row? {
    try table.plan.checkFirstUse()
    // NB: This path has no closures, which would cost most of the time of a small fetch.
    if statement.isReadOnly, statement.hasColumns(of: table.plan.id) {
      try startReading(statement)
      defer { endReading(statement) }
      try statement.bind(arguments)
      return try readOne(table, statement, arguments, nil)
    }
    return try use(statement) {
      try statement.bind(arguments)
      return try withColumnMap(table, statement) {
        try readOne(table, statement, arguments, $0)
      }
    }
  }

  private func readOne<Row>(
    _ table: Table<Row>, _ statement: Statement, _ arguments: [SQLValue],
    _ map: UnsafePointer<Int32>?
  ) throws -> Row? {
    let code = sqlite3_step(statement.pointer)
    if code == SQLITE_DONE { return nil }
    guard code == SQLITE_ROW else { throw failure(code, statement, arguments) }
    var reader = RowReader(statement.pointer, map: map)
    let row = table.readOne(&reader)
    guard reader.failure == nil else {
      throw readFailure(code, reader, table, statement, arguments)
    }
    return row
  }

  /// Runs a fetch, and repeats it if SQLite has recompiled its statement meanwhile.
  ///
  /// The schema then changed after the columns were matched by name, so their order may differ.
  private func refetchingIfStale<Fetched>(
    _ statement: Statement, _ fetch: (Statement) throws -> Fetched
  ) throws -> Fetched {
    let result = Result<Fetched, any Error> { try fetch(statement) }
    guard statement.isStale, statement.isReadOnly else { return try result.get() }
    return try fetch(self.statement(statement.sql).0)
  }

  /// Returns the rows of a query, each decoded by a closure.
  ///
  /// - Parameters:
  ///   - columns: The number of columns that the result must have; `nil` for any number.
  ///   - limit: The maximum number of rows to decode.
  ///   - isEnough: Whether to stop; evaluated after each row.
  package func fetch<Value>(
    _ sql: SQL, columns: Int? = nil, limit: Int = .max,
    until isEnough: @autoclosure () -> Bool = false,
    _ decode: (inout RowReader) throws -> Value
  ) throws -> [Value] {
    let statement = try queryStatement(sql)
    try columns.map { try statement.requireColumns($0) }
    return try fetch(statement, sql.arguments, limit: limit, until: isEnough(), decode)
  }

  /// Runs a statement and returns its rows, each decoded by a closure.
  func fetch<Value>(
    _ statement: Statement, _ arguments: [SQLValue], limit: Int = .max,
    until isEnough: @autoclosure () -> Bool = false, _ decode: (inout RowReader) throws -> Value
  ) throws -> [Value] {
    try use(statement) {
      try statement.bind(arguments)
      var reader = RowReader(statement.pointer)
      var values: [Value] = []
      while values.count < limit {
        let code = sqlite3_step(statement.pointer)
        if code == SQLITE_DONE { break }
        guard code == SQLITE_ROW else { throw failure(code, statement, arguments) }
        reader.position = 0
        values.append(try decode(&reader))
        if isEnough() { break }
      }
      return values
    }
  }

  /// Returns the first row of a query, decoded by a closure.
  func fetchOne<Value>(
    _ sql: SQL, columns: Int? = nil, _ decode: (inout RowReader) throws -> Value
  ) throws -> Value? {
    try fetch(sql, columns: columns, limit: 1, decode).first
  }

  /// Calls a closure with the index in the result of each column of a table, or with `nil` if the
  /// result has the columns in the order of the declaration.
  /// - Throws: The error of the closure, or ``DatabaseError`` with code `invalidSQL` if a column is
  ///   missing.
  func withColumnMap<Row, Result>(
    _ table: Table<Row>, _ statement: Statement,
    _ body: (UnsafePointer<Int32>?) throws -> Result
  ) throws -> Result {
    guard !statement.hasColumns(of: table.plan.id) else { return try body(nil) }
    let names = statement.columnNames
    let map = try table.columns.map { column in
      guard let index = names.firstIndex(of: column.name) else {
        var error = DatabaseError(
          .invalidSQL,
          "The result has no column “\(column.name)”. Select it, or all by "
            + "\\(columns: \(Row.self).self).")
        error.table = table.name
        error.sql = statement.sql
        throw error
      }
      return Int32(index)
    }
    guard map != Array(0..<Int32(map.count)) else {
      statement.columnsMatch = table.plan.id
      return try body(nil)
    }
    return try map.withUnsafeBufferPointer { try body($0.baseAddress) }
  }

  /// Returns the error of a failed fetch: a value that does not fit, with its table, column and
  /// row, or SQLite's own error.
  func readFailure<Row>(
    _ code: Int32, _ reader: RowReader, _ table: Table<Row>, _ statement: Statement,
    _ arguments: [SQLValue]
  ) -> DatabaseError {
    guard let misfit = reader.failure else { return failure(code, statement, arguments) }
    let name = reader.columnName(misfit.index)
    let remedy =
      table.isOfLibrary
      ? "Restore the file from a backup."
      : "Correct the row, or declare the column with the type of its values."
    var error = DatabaseError(
      .invalidValue,
      "Column “\(name)” of “\(table.name)” holds \(misfit.found), expected \(misfit.expected). "
        + remedy)
    error.table = table.name
    error.column = name
    error.detail = misfit.detail
    error.rowKey = table.plan.keyIndexes.map { reader.storedValue(of: $0) }
    error.isUnreadableRow = !table.isOfLibrary
    error.isUnreadableResult = table.isOfLibrary
    error.sql = statement.sql
    error.arguments = arguments
    return error
  }
}

extension RowReader {
  /// Reads the next value of the row.
  /// - Throws: ``DatabaseError`` with code `invalidValue` if the value has another type.
  package mutating func value<Value: ColumnValue>(_: Value.Type) throws -> Value {
    let value = next(Value.Codec.self)
    try checkFit()
    return value
  }

  /// Throws the error of a value that did not fit its type, if one was read, and clears it.
  /// - Throws: ``DatabaseError`` with code `invalidValue`.
  mutating func checkFit() throws {
    guard let failure else { return }
    self.failure = nil
    let name = columnName(failure.index)
    var error = DatabaseError(
      .invalidValue, "Result “\(name)” is \(failure.found), expected \(failure.expected).")
    error.column = name
    error.isUnreadableResult = true
    error.detail = failure.detail
    throw error
  }

  /// Returns the name of a column in the result.
  func columnName(_ index: Int32) -> String {
    sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "\(index + 1)"
  }

  /// Returns the stored value of a column.
  /// - Parameter column: The index of the column in the table's declaration.
  func storedValue(of column: Int) -> SQLValue {
    let index = map.map { $0[column] } ?? Int32(column)
    switch storageClass(index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: return .text(String(decoding: bytes(index), as: UTF8.self))
    case SQLITE_BLOB: return .blob(Array(bytes(index)))
    default: return .null
    }
  }
}

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
