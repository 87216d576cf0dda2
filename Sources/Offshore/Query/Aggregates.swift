// MARK: - Over the rows of a query

extension Query {
  /// Returns the sum of a value over all rows; 0 if there are none.
  ///
  /// ```swift
  /// try Charter.where { $0.startDate > now }.sum(reader) { $0.guests }
  /// // SELECT sum("charters"."guests") FROM "charters" WHERE "charters"."startDate" > ?
  /// ```
  /// - Throws: ``DatabaseError``, also if a sum of integers exceeds 64 bits.
  public func sum<Number: SQLNumeric>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Number>
  ) throws -> Number {
    try aggregate(reader, "sum", value(Columns())) ?? .zero
  }

  /// Returns the sum of a value over the rows in which it is not NULL; 0 if there are none.
  /// - Throws: ``DatabaseError``, also if a sum of integers exceeds 64 bits.
  public func sum<Number: SQLNumeric>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Number?>
  ) throws -> Number {
    try aggregate(reader, "sum", value(Columns())).flatMap(\.self) ?? .zero
  }

  /// Returns the mean of a value over all rows; `nil` if there are none.
  ///
  /// `SELECT avg("charters"."guests") FROM …`
  /// - Throws: ``DatabaseError``.
  public func average<Number: SQLNumeric>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Number>
  ) throws -> Double? {
    try mean(reader, value(Columns()).sql)
  }

  /// Returns the mean of a value over the rows in which it is not NULL; `nil` if there are none.
  /// - Throws: ``DatabaseError``.
  public func average<Number: SQLNumeric>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Number?>
  ) throws -> Double? {
    try mean(reader, value(Columns()).sql)
  }

  /// Returns the smallest value over all rows; `nil` if there are none.
  ///
  /// `SELECT min("charters"."startDate") FROM …`
  /// - Throws: ``DatabaseError``.
  public func min<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> Value? {
    try aggregate(reader, "min", value(Columns()))
  }

  /// Returns the smallest value over the rows in which it is not NULL; `nil` if there are none.
  /// - Throws: ``DatabaseError``.
  public func min<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value?>
  ) throws -> Value? {
    try aggregate(reader, "min", value(Columns())).flatMap(\.self)
  }

  /// Returns the largest value over all rows; `nil` if there are none.
  ///
  /// `SELECT max("charters"."startDate") FROM …`
  /// - Throws: ``DatabaseError``.
  public func max<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> Value? {
    try aggregate(reader, "max", value(Columns()))
  }

  /// Returns the largest value over the rows in which it is not NULL; `nil` if there are none.
  /// - Throws: ``DatabaseError``.
  public func max<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value?>
  ) throws -> Value? {
    try aggregate(reader, "max", value(Columns())).flatMap(\.self)
  }

  private func aggregate<Value>(
    _ reader: Reader, _ function: String, _ value: SQLExpression<Value>
  ) throws -> Value? {
    let sql: SQL = "SELECT \(SQL(raw: function))(\(value.sql)) FROM \(source)"
    return try reader.connection.fetchOne(sql) { try $0.optionalValue(value) }.flatMap(\.self)
  }

  private func mean(_ reader: Reader, _ value: SQL) throws -> Double? {
    let sql: SQL = "SELECT avg(\(value)) FROM \(source)"
    return try reader.connection.fetchOne(sql) { try $0.value(Double?.self) }.flatMap(\.self)
  }
}

// MARK: - Over the rows of a group

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

  /// Returns the sum of the values that are not NULL; 0 if there are none:
  /// `coalesce(sum("guests"), 0)`.
  public func sum<Number: SQLNumeric>() -> SQLExpression<Number> where Value == Number? {
    SQLExpression<Number>(
      "coalesce(sum(\(sql)), 0)", .primary, isNullable: false,
      coder?.wrapped?.coder(of: Number.self))
  }

  /// Returns the smallest value that is not NULL; `nil` if there is none: `min("startDate")`.
  public func min<Wrapped: SQLComparable>() -> Self where Value == Wrapped? {
    Self("min(\(sql))", .primary, isNullable: true, coder)
  }

  /// Returns the largest value that is not NULL; `nil` if there is none: `max("startDate")`.
  public func max<Wrapped: SQLComparable>() -> Self where Value == Wrapped? {
    Self("max(\(sql))", .primary, isNullable: true, coder)
  }

  /// Returns the mean of the values that are not NULL; `nil` if there are none: `avg("guests")`.
  public func average<Number: SQLNumeric>() -> SQLExpression<Double?> where Value == Number? {
    mean
  }

  fileprivate var mean: SQLExpression<Double?> {
    SQLExpression<Double?>(
      "avg(\(sql))", .primary, isNullable: true, ColumnCoder(Nullable<DoubleCodec>.self))
  }
}

extension SQLExpression where Value: SQLNumeric {
  /// Returns the sum of the values; 0 if there are none: `coalesce(sum("guests"), 0)`.
  public func sum() -> Self {
    Self("coalesce(sum(\(sql)), 0)", .primary, isNullable: false, coder)
  }

  /// Returns the mean of the values; `nil` if there are none: `avg("guests")`.
  public func average() -> SQLExpression<Double?> { mean }
}

extension SQLExpression where Value: SQLComparable {
  // NB: Optionals of comparable values are comparable, too; the functions above are preferred for
  // them.

  /// Returns the smallest value; `nil` if there is none: `min("startDate")`.
  @_disfavoredOverload
  public func min() -> SQLExpression<Value?> { extreme("min") }

  /// Returns the largest value; `nil` if there is none: `max("startDate")`.
  @_disfavoredOverload
  public func max() -> SQLExpression<Value?> { extreme("max") }

  private func extreme(_ function: String) -> SQLExpression<Value?> {
    SQLExpression<Value?>(
      "\(SQL(raw: function))(\(sql))", .primary, isNullable: true, coder?.optional)
  }
}
