// MARK: - Of the rows of a query

extension Query {
  /// The sum of a value over all rows; 0 where there are none.
  ///
  /// ```swift
  /// try Charter.where { $0.startDate > now }.sum(reader) { $0.guests }
  /// // SELECT sum("charters"."guests") FROM "charters" WHERE "charters"."startDate" > ?
  /// ```
  /// - Throws: ``DatabaseError``, also where a sum of integers is too large for 64 bits.
  public func sum<Number: SQLNumeric>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Number>
  ) throws -> Number {
    try aggregate(reader, "sum", value(Columns())) ?? .zero
  }

  /// The sum of a value over the rows where it is not NULL; 0 where there are none.
  /// - Throws: ``DatabaseError``, also where a sum of integers is too large for 64 bits.
  public func sum<Number: SQLNumeric>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Number?>
  ) throws -> Number {
    try aggregate(reader, "sum", value(Columns())).flatMap(\.self) ?? .zero
  }

  /// The mean of a value over all rows; `nil` where there are none.
  ///
  /// `SELECT avg("charters"."guests") FROM …`
  /// - Throws: ``DatabaseError``.
  public func average<Number: SQLNumeric>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Number>
  ) throws -> Double? {
    try mean(reader, value(Columns()).sql)
  }

  /// The mean of a value over the rows where it is not NULL; `nil` where there are none.
  /// - Throws: ``DatabaseError``.
  public func average<Number: SQLNumeric>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Number?>
  ) throws -> Double? {
    try mean(reader, value(Columns()).sql)
  }

  /// The least of a value over all rows; `nil` where there are none.
  ///
  /// `SELECT min("charters"."startDate") FROM …`
  /// - Throws: ``DatabaseError``.
  public func min<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> Value? {
    try aggregate(reader, "min", value(Columns()))
  }

  /// The least of a value over the rows where it is not NULL; `nil` where there are none.
  /// - Throws: ``DatabaseError``.
  public func min<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value?>
  ) throws -> Value? {
    try aggregate(reader, "min", value(Columns())).flatMap(\.self)
  }

  /// The greatest of a value over all rows; `nil` where there are none.
  ///
  /// `SELECT max("charters"."startDate") FROM …`
  /// - Throws: ``DatabaseError``.
  public func max<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> Value? {
    try aggregate(reader, "max", value(Columns()))
  }

  /// The greatest of a value over the rows where it is not NULL; `nil` where there are none.
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

// MARK: - Of the rows of a group

extension SQLExpression {
  /// The number of rows in which the value is not NULL: `count("guests")`. A primary key counts all rows.
  ///
  /// - Parameters:
  ///   - distinct: whether equal values count once.
  ///   - condition: a condition on the rows that count, or `nil` for all:
  ///     `count("guests") FILTER (WHERE …)`.
  public func count(
    distinct: Bool = false, where condition: SQLExpression<Bool>? = nil
  ) -> SQLExpression<Int> {
    var sql: SQL = "count(\(SQL(raw: distinct ? "DISTINCT " : ""))\(self.sql))"
    if let condition { sql.append(" FILTER (WHERE \(condition.sql))") }
    return SQLExpression<Int>(sql, .primary, isNullable: false, ColumnCoder(Int.Codec.self))
  }

  /// The sum of the values that are not NULL; 0 if there are none: `coalesce(sum("guests"), 0)`.
  public func sum<Number: SQLNumeric>() -> SQLExpression<Number> where Value == Number? {
    SQLExpression<Number>(
      "coalesce(sum(\(sql)), 0)", .primary, isNullable: false,
      coder?.wrapped?.coder(of: Number.self))
  }

  /// The least of the values that are not NULL; `nil` if there are none: `min("startDate")`.
  public func min<Wrapped: SQLComparable>() -> Self where Value == Wrapped? {
    Self("min(\(sql))", .primary, isNullable: true, coder)
  }

  /// The greatest of the values that are not NULL; `nil` if there are none: `max("startDate")`.
  public func max<Wrapped: SQLComparable>() -> Self where Value == Wrapped? {
    Self("max(\(sql))", .primary, isNullable: true, coder)
  }

  /// The mean of the values that are not NULL; `nil` if there are none: `avg("guests")`.
  public func average<Number: SQLNumeric>() -> SQLExpression<Double?> where Value == Number? {
    mean
  }

  fileprivate var mean: SQLExpression<Double?> {
    SQLExpression<Double?>(
      "avg(\(sql))", .primary, isNullable: true, ColumnCoder(Nullable<DoubleCodec>.self))
  }
}

extension SQLExpression where Value: SQLNumeric {
  /// The sum of the values; 0 of no rows: `coalesce(sum("guests"), 0)`.
  public func sum() -> Self {
    Self("coalesce(sum(\(sql)), 0)", .primary, isNullable: false, coder)
  }

  /// The mean of the values; `nil` of no rows: `avg("guests")`.
  public func average() -> SQLExpression<Double?> { mean }
}

extension SQLExpression where Value: SQLComparable {
  // NB: Optionals of comparable values are comparable too; for them the functions above are preferred.

  /// The least of the values; `nil` of no rows: `min("startDate")`.
  @_disfavoredOverload
  public func min() -> SQLExpression<Value?> { extreme("min") }

  /// The greatest of the values; `nil` of no rows: `max("startDate")`.
  @_disfavoredOverload
  public func max() -> SQLExpression<Value?> { extreme("max") }

  private func extreme(_ function: String) -> SQLExpression<Value?> {
    SQLExpression<Value?>(
      "\(SQL(raw: function))(\(sql))", .primary, isNullable: true, coder?.optional)
  }
}
