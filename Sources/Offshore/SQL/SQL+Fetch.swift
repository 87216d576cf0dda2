extension SQL {
  /// All rows of the result as values of a record, whose columns are found by name.
  ///
  /// ```swift
  /// try SQL("SELECT \(columns: Charter.self) FROM charters WHERE name = \(name)")
  ///   .all(reader, as: Charter.self)
  /// ```
  /// The result's columns may be in any order and more than the record has.
  /// - Throws: ``DatabaseError``: `invalidSQL` where SQLite refuses the statement or a column is
  ///   missing, `invalidValue` where a value does not fit its column.
  public func all<Row: Record>(_ reader: Reader, as type: Row.Type) throws -> [Row] {
    try reader.connection.fetchAll(type, self)
  }

  /// The first row of the result as a value of a record, or `nil` where there is none.
  /// - Throws: ``DatabaseError`` as for all rows.
  public func one<Row: Record>(_ reader: Reader, as type: Row.Type) throws -> Row? {
    try reader.connection.fetchOne(type, self)
  }

  /// All rows of a result of one column.
  ///
  /// A value that may be NULL has an optional type: `String?.self`.
  /// - Throws: ``DatabaseError``: `invalidSQL` where SQLite refuses the statement or the result has
  ///   another number of columns, `invalidValue` where a value has another type.
  public func all<Value: ColumnValue>(_ reader: Reader, as type: Value.Type) throws -> [Value] {
    try reader.connection.fetch(self, columns: 1) { try $0.value(type) }
  }

  /// The first row of a result of one column, or `nil` where there is none.
  /// - Throws: ``DatabaseError`` as for all rows.
  public func one<Value: ColumnValue>(_ reader: Reader, as type: Value.Type) throws -> Value? {
    try reader.connection.fetchOne(self, columns: 1) { try $0.value(type) }
  }

  /// The first row of a result of one column, read as the column of a property stores its values; `nil` if
  /// there is no row.
  /// - Throws: ``DatabaseError``: `invalidSQL`, `invalidValue` if the value does not fit the column,
  ///   `declaration` if the property is not a column.
  package func one<Row: Record, Value>(
    _ reader: Reader, as property: KeyPath<Row, Value>
  ) throws -> Value? {
    let column = Columns<Row>()[dynamicMember: property]
    return try reader.connection.fetchOne(self, columns: 1) { try $0.value(column) }
  }

  /// All rows of a result of several columns, as tuples.
  ///
  /// ```swift
  /// try SQL("SELECT name, count(*) FROM charters GROUP BY name")
  ///   .all(reader, as: String.self, Int.self)
  /// ```
  /// - Throws: ``DatabaseError`` as for one column.
  public func all<First: ColumnValue, each Other: ColumnValue>(
    _ reader: Reader, as first: First.Type, _ other: repeat (each Other).Type
  ) throws -> [(First, repeat each Other)] {
    try reader.connection.fetch(self, columns: valueCount(repeat each other)) { row in
      (try row.value(first), repeat try row.value(each other))
    }
  }

  /// The first row of a result of several columns, as a tuple; `nil` where there is none.
  /// - Throws: ``DatabaseError`` as for one column.
  public func one<First: ColumnValue, each Other: ColumnValue>(
    _ reader: Reader, as first: First.Type, _ other: repeat (each Other).Type
  ) throws -> (First, repeat each Other)? {
    try reader.connection.fetchOne(self, columns: valueCount(repeat each other)) { row in
      (try row.value(first), repeat try row.value(each other))
    }
  }

  /// Runs the statement, or several without values, to the end.
  /// - Returns: how many rows the last statement inserted, changed, or deleted.
  /// - Throws: ``DatabaseError``: `invalidSQL`, `constraint`, `invalidValue`.
  @discardableResult
  public func run(_ writer: Writer) throws -> Int { try writer.connection.run(self) }

  /// One, and one for each further type.
  func valueCount<each Other>(_ other: repeat (each Other).Type) -> Int {
    var count = 1
    for _ in repeat each other { count += 1 }
    return count
  }
}
