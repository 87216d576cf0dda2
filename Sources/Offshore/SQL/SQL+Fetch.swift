extension SQL {
  /// Returns all rows of the result as values of a type; `first(_:as:)` returns the first or `nil`.
  ///
  /// ```swift
  /// // A record, whose columns are found by name:
  /// try SQL("SELECT \(columns: Charter.self) FROM charters WHERE name = \(name)")
  ///   .all(reader, as: Charter.self)
  /// // A column value, if the result has one column:
  /// try SQL("SELECT name FROM charters").all(reader, as: String.self)
  /// // A tuple, if it has several:
  /// try SQL("SELECT name, count(*) FROM charters GROUP BY name")
  ///   .all(reader, as: String.self, Int.self)
  /// // A Decodable type, whose coding keys are names of columns:
  /// struct Total: Decodable { let name: String, sum: Int }
  /// try SQL("SELECT name, sum(cents) AS sum FROM … GROUP BY name").all(reader, as: Total.self)
  /// ```
  /// The type of values that can be NULL is optional: `String?.self`. For records and `Decodable`
  /// types, the result can have further columns, in any order. A property of a `Decodable` type that
  /// is not a ``ColumnValue`` is decoded from a single value, as an enum is, or else from JSON.
  /// `forEach(_:as:_:)` passes the rows to a closure instead, with one in memory at a time.
  /// - Throws: ``DatabaseError``: `invalidSQL` if SQLite refuses the statement, a column is missing,
  ///   or the numbers of columns and types differ; `invalidValue` if a value does not fit its type.
  ///   Errors of a `Decodable` type's own decoding.
  public func all<Row: Record>(_ reader: Reader, as type: Row.Type) throws -> [Row] {
    try reader.connection.fetchAll(type, self)
  }

  /// Returns the first row of the result as a value of a record type, or `nil` if the result is
  /// empty.
  /// - Throws: The errors of `all(_:as:)`.
  @_documentation(visibility: internal)
  public func first<Row: Record>(_ reader: Reader, as type: Row.Type) throws -> Row? {
    try reader.connection.fetchOne(type, self)
  }

  /// Returns all rows of a result with one column.
  ///
  /// The type of values that can be NULL is optional: `String?.self`.
  /// - Throws: ``DatabaseError``: `invalidSQL` if SQLite refuses the statement or the result does
  ///   not have one column, `invalidValue` if a value has another type.
  @_documentation(visibility: internal)
  public func all<Value: ColumnValue>(_ reader: Reader, as type: Value.Type) throws -> [Value] {
    try reader.connection.fetch(self, columns: 1) { try $0.value(type) }
  }

  /// Returns the first row of a result with one column, or `nil` if the result is empty.
  /// - Throws: The errors of `all(_:as:)`.
  @_documentation(visibility: internal)
  public func first<Value: ColumnValue>(_ reader: Reader, as type: Value.Type) throws -> Value? {
    try reader.connection.fetchOne(self, columns: 1) { try $0.value(type) }
  }

  /// Returns the first row of a result with one column, decoded as a value of a property's column;
  /// `nil` if the result is empty.
  /// - Throws: ``DatabaseError``: `invalidSQL`, `invalidValue` if the value does not fit the
  ///   column, `declaration` if the property is not a column.
  package func first<Row: Record, Value>(
    _ reader: Reader, as property: KeyPath<Row, Value>
  ) throws -> Value? {
    let column = Columns<Row>()[dynamicMember: property]
    return try reader.connection.fetchOne(self, columns: 1) { try $0.value(column) }
  }

  /// Returns all rows of a result with several columns as tuples.
  ///
  /// ```swift
  /// try SQL("SELECT name, count(*) FROM charters GROUP BY name")
  ///   .all(reader, as: String.self, Int.self)
  /// ```
  /// - Throws: ``DatabaseError``: `invalidSQL` if SQLite refuses the statement or the numbers of
  ///   columns and types differ, `invalidValue` if a value has another type.
  @_documentation(visibility: internal)
  public func all<First: ColumnValue, each Other: ColumnValue>(
    _ reader: Reader, as first: First.Type, _ other: repeat (each Other).Type
  ) throws -> [(First, repeat each Other)] {
    try reader.connection.fetch(self, columns: valueCount(repeat each other)) { row in
      (try row.value(first), repeat try row.value(each other))
    }
  }

  /// Returns the first row of a result with several columns as a tuple, or `nil` if the result is
  /// empty.
  /// - Throws: The errors of `all(_:as:_:)`.
  @_documentation(visibility: internal)
  public func first<First: ColumnValue, each Other: ColumnValue>(
    _ reader: Reader, as first: First.Type, _ other: repeat (each Other).Type
  ) throws -> (First, repeat each Other)? {
    try reader.connection.fetchOne(self, columns: valueCount(repeat each other)) { row in
      (try row.value(first), repeat try row.value(each other))
    }
  }

  /// Runs the statement, or several statements without values, to completion.
  /// - Returns: The number of rows that the last statement inserted, updated, or deleted.
  /// - Throws: ``DatabaseError``: `invalidSQL` if SQLite refuses a statement, `constraint` if a
  ///   constraint refuses a change, `invalidValue` if a value cannot be stored.
  @discardableResult
  public func run(_ writer: Writer) throws -> Int { try writer.connection.run(self) }

  /// Returns the number of types, including the first one.
  func valueCount<each Other>(_ other: repeat (each Other).Type) -> Int {
    var count = 1
    for _ in repeat each other { count += 1 }
    return count
  }
}
