import CSQLite

extension Query {
  /// Passes each row to a closure, in the query's order, with one row in memory at a time.
  ///
  /// ```swift
  /// try Charter.order { $0.startDate }.forEach(reader) { total += $0.guests }
  /// ```
  /// Joins, selections and ``SQL`` have the same function. The closure can run other queries. In a
  /// write, it is undefined whether the iteration includes rows that the closure inserts into the
  /// same table.
  /// - Throws: The error of the closure, which ends the iteration; `CancellationError`; or
  ///   ``DatabaseError`` as ``Fetchable/all(_:)`` does. A row that cannot be read throws when it is
  ///   reached: the closure has received the rows before it.
  public func forEach(_ reader: Reader, _ body: (Row) throws -> Void) throws {
    try reader.connection.forEach(Row.self, sql, body)
  }
}

@_documentation(visibility: internal)
extension Join {
  /// Passes each result to a closure; see ``Query/forEach(_:_:)``.
  /// - Throws: The errors of ``Query/forEach(_:_:)``.
  public func forEach(_ reader: Reader, _ body: (Tables.Rows) throws -> Void) throws {
    for place in places { try place.checkFirstUse() }
    try reader.connection.forEach(sql) { row, _ in try body(try read(&row)) }
  }
}

@_documentation(visibility: internal)
extension Selection {
  /// Passes each value to a closure; see ``Query/forEach(_:_:)``.
  /// - Throws: The errors of ``Query/forEach(_:_:)``.
  public func forEach(_ reader: Reader, _ body: (Value) throws -> Void) throws {
    try reader.connection.forEach(sql) { row, _ in try body(try decode(&row)) }
  }
}

@_documentation(visibility: internal)
extension SQL {
  /// Passes each row of the result to a closure as a value of a record type, whose columns are
  /// found by name.
  ///
  /// One row is in memory at a time. A statement that changes the database, such as
  /// `INSERT … RETURNING`, completes all its changes before the first row is passed.
  /// - Throws: The error of the closure, `CancellationError`, or ``DatabaseError`` as `all(_:as:)`
  ///   does.
  public func forEach<Row: Record>(
    _ reader: Reader, as type: Row.Type, _ body: (Row) throws -> Void
  ) throws {
    try reader.connection.forEach(type, self, body)
  }

  /// Passes each row of a result with one column to a closure.
  /// - Throws: The errors of the function for records.
  public func forEach<Value: ColumnValue>(
    _ reader: Reader, as type: Value.Type, _ body: (Value) throws -> Void
  ) throws {
    try reader.connection.forEach(self, columns: 1) { row, _ in try body(try row.value(type)) }
  }

  /// Passes each row of a result with several columns to a closure with a parameter for each.
  ///
  /// ```swift
  /// try SQL("SELECT name, guests FROM charters").forEach(reader, as: String.self, Int.self) {
  ///   print($0, $1)
  /// }
  /// ```
  /// - Throws: The errors of the function for records.
  public func forEach<First: ColumnValue, Second: ColumnValue, each Other: ColumnValue>(
    _ reader: Reader, as first: First.Type, _ second: Second.Type,
    _ other: repeat (each Other).Type, body: (First, Second, repeat each Other) throws -> Void
  ) throws {
    let count = valueCount(repeat each other) + 1
    try reader.connection.forEach(self, columns: count) { row, _ in
      let (one, two) = (try row.value(first), try row.value(second))
      try body(one, two, repeat try row.value(each other))
    }
  }

  /// Passes each row of the result to a closure as a value of a type whose coding keys name the
  /// columns.
  /// - Throws: The errors of the function for records, and those of the type's own decoding.
  @_disfavoredOverload
  public func forEach<Value: Decodable>(
    _ reader: Reader, as type: Value.Type, _ body: (Value) throws -> Void
  ) throws {
    var indexes: [String: Int32]?
    try reader.connection.forEach(self) { row, statement in
      let known = indexes ?? statement.indexesByName
      indexes = known
      try body(try Value(from: RowDecoder(row, known)))
    }
  }
}

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
