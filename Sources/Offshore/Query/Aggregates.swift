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
