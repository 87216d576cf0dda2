// MARK: - Over the rows of a query

extension Query {
  /// Returns the sum of a value over the rows in which it is not NULL; 0 if there are none.
  ///
  /// ```swift
  /// try Charter.where { $0.startDate > now }.sum(reader) { $0.guests }
  /// // SELECT sum("charters"."guests") FROM "charters" WHERE "charters"."startDate" > ?
  /// ```
  /// `average(_:of:)`, `min(_:of:)` and `max(_:of:)` have the same form. Without values, they
  /// return `nil`. An average is a `Double`; the others have the type of the value.
  /// - Throws: ``DatabaseError``, also if a sum of integers exceeds 64 bits.
  public func sum<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> Value.Unwrapped where Value.Unwrapped: SQLNumeric {
    try aggregate(reader, "sum", value(Columns())) ?? .zero
  }
}

@_documentation(visibility: internal)
extension Query {
  /// Returns the mean of a value over the rows in which it is not NULL; `nil` if there are none.
  ///
  /// `SELECT avg("charters"."guests") FROM …`
  /// - Throws: ``DatabaseError``.
  public func average<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> Double? where Value.Unwrapped: SQLNumeric {
    let sql: SQL = "SELECT avg(\(value(Columns()).sql)) FROM \(source)"
    return try reader.connection.fetchOne(sql) { try $0.value(Double?.self) }.flatMap(\.self)
  }

  /// Returns the smallest value over the rows in which it is not NULL; `nil` if there are none.
  ///
  /// `SELECT min("charters"."startDate") FROM …`
  /// - Throws: ``DatabaseError``.
  public func min<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> Value.Unwrapped? {
    try aggregate(reader, "min", value(Columns()))
  }

  /// Returns the largest value over the rows in which it is not NULL; `nil` if there are none.
  ///
  /// `SELECT max("charters"."startDate") FROM …`
  /// - Throws: ``DatabaseError``.
  public func max<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> Value.Unwrapped? {
    try aggregate(reader, "max", value(Columns()))
  }

  private func aggregate<Value: SQLComparable>(
    _ reader: Reader, _ function: String, _ value: SQLExpression<Value>
  ) throws -> Value.Unwrapped? {
    let sql: SQL = "SELECT \(SQL(raw: function))(\(value.sql)) FROM \(source)"
    let unwrapped = SQLExpression<Value.Unwrapped>(
      value.sql, .primary, isNullable: true, value.unwrappedCoder)
    return try reader.connection.fetchOne(sql) { try $0.optionalValue(unwrapped) }.flatMap(\.self)
  }
}

// MARK: - Over the rows of a group

@_documentation(visibility: internal)
extension SQLExpression {
  /// Returns the number of rows in which the value is not NULL: `count("guests")`. A primary key
  /// counts all rows.
  ///
  /// - Parameters:
  ///   - distinct: Whether equal values count once.
  ///   - condition: A condition on the counted rows, or `nil` for all rows:
  ///     `count("guests") FILTER (WHERE …)`.
  public func count(
    distinct: Bool = false, where condition: SQLExpression<Bool>? = nil
  ) -> SQLExpression<Int> {
    var sql: SQL = "count(\(SQL(raw: distinct ? "DISTINCT " : ""))\(self.sql))"
    if let condition { sql.append(" FILTER (WHERE \(condition.sql))") }
    return SQLExpression<Int>(sql, .primary, isNullable: false, ColumnCoder(Int.Codec.self))
  }
}

@_documentation(visibility: internal)
extension SQLExpression where Value: SQLComparable {
  /// Returns the sum of the values that are not NULL; 0 if there are none:
  /// `coalesce(sum("guests"), 0)`.
  public func sum() -> SQLExpression<Value.Unwrapped> where Value.Unwrapped: SQLNumeric {
    SQLExpression<Value.Unwrapped>(
      "coalesce(sum(\(sql)), 0)", .primary, isNullable: false, unwrappedCoder)
  }

  /// Returns the mean of the values that are not NULL; `nil` if there are none: `avg("guests")`.
  public func average() -> SQLExpression<Double?> where Value.Unwrapped: SQLNumeric {
    SQLExpression<Double?>(
      "avg(\(sql))", .primary, isNullable: true, ColumnCoder(Nullable<DoubleCodec>.self))
  }

  /// Returns the smallest value that is not NULL; `nil` if there is none: `min("startDate")`.
  public func min() -> SQLExpression<Value.Unwrapped?> { extreme("min") }

  /// Returns the largest value that is not NULL; `nil` if there is none: `max("startDate")`.
  public func max() -> SQLExpression<Value.Unwrapped?> { extreme("max") }

  private func extreme(_ function: String) -> SQLExpression<Value.Unwrapped?> {
    SQLExpression<Value.Unwrapped?>(
      "\(SQL(raw: function))(\(sql))", .primary, isNullable: true, unwrappedCoder?.optional)
  }

  /// The coder of the values that are not NULL.
  fileprivate var unwrappedCoder: ColumnCoder<Value.Unwrapped>? {
    (coder?.wrapped ?? coder)?.coder(of: Value.Unwrapped.self)
  }
}
