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
