extension SQL {
  /// Passes each row of the result to a closure as a value of a record, whose columns are found by name.
  ///
  /// One row is in memory at a time, except that the rows of a statement that changes the database, such
  /// as `INSERT … RETURNING`, are collected before.
  /// - Throws: what the closure throws; `CancellationError`; ``DatabaseError`` as the function for all
  ///   rows does.
  public func forEach<Row: Record>(
    _ reader: Reader, as type: Row.Type, _ body: (Row) throws -> Void
  ) throws {
    try reader.connection.forEach(type, self, body)
  }

  /// Passes each row of a result of one column to a closure.
  /// - Throws: as for records.
  public func forEach<Value: ColumnValue>(
    _ reader: Reader, as type: Value.Type, _ body: (Value) throws -> Void
  ) throws {
    try reader.connection.forEach(
      self, columns: 1, decodedBy: { _ in { try $0.value(type) } }, body)
  }

  /// Passes each row of a result of several columns to a closure, as a tuple.
  /// - Throws: as for records.
  public func forEach<First: ColumnValue, each Other: ColumnValue>(
    _ reader: Reader, as first: First.Type, _ other: repeat (each Other).Type,
    body: ((First, repeat each Other)) throws -> Void
  ) throws {
    try reader.connection.forEach(
      self, columns: valueCount(repeat each other),
      decodedBy: { _ in { row in (try row.value(first), repeat try row.value(each other)) } }, body)
  }

  /// Passes each row of the result to a closure as a value of a type, whose keys name the columns.
  /// - Throws: as for records; what the type throws.
  @_disfavoredOverload
  public func forEach<Value: Decodable>(
    _ reader: Reader, as type: Value.Type, _ body: (Value) throws -> Void
  ) throws {
    let decode = { (statement: Statement) in
      let indexes = statement.indexesByName
      return { (row: inout RowReader) in try Value(from: RowDecoder(row, indexes)) }
    }
    try reader.connection.forEach(self, decodedBy: decode, body)
  }
}
