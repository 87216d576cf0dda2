/// The rows of a query by the value that they have for an expression.
///
/// Results come as pairs of that value and what was asked of its rows, sorted by the value, NULL
/// first.
public struct Grouping<Row: Record, Key>: Sendable {
  let query: Query<Row>
  let key: SQLExpression<Key>
}

extension Query {
  /// Puts rows of equal value together.
  ///
  /// ```swift
  /// let byLocation = try Charter.all.group { $0.location }.count(reader)
  /// // SELECT "charters"."location", count(*) FROM "charters"
  /// // GROUP BY "charters"."location" ORDER BY "charters"."location"
  /// ```
  public func group<Key>(
    _ key: (Columns<Row>) -> SQLExpression<Key>
  ) -> Grouping<Row, Key> {
    Grouping(query: self, key: key(Columns()))
  }
}

extension Grouping {
  /// How many rows there are of each value.
  /// - Throws: ``DatabaseError``.
  public func count(_ reader: Reader) throws -> [(Key, Int)] {
    try fetch(reader, "count(*)") { try $0.value(Int.self) }
  }

  /// The sum of a number over the rows of each value.
  /// - Throws: ``DatabaseError``, also where a sum of integers is too large for 64 bits.
  public func sum<Number: SQLNumeric>(
    _ reader: Reader, of number: (Columns<Row>) -> SQLExpression<Number>
  ) throws -> [(Key, Number)] {
    let number = number(Columns())
    return try fetch(reader, "sum(\(number.sql))") { try $0.value(number) }
  }

  /// The least of a value over the rows of each value of the group.
  /// - Throws: ``DatabaseError``.
  public func min<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> [(Key, Value)] {
    let value = value(Columns())
    return try fetch(reader, "min(\(value.sql))") { try $0.value(value) }
  }

  /// The greatest of a value over the rows of each value of the group.
  /// - Throws: ``DatabaseError``.
  public func max<Value: SQLComparable>(
    _ reader: Reader, of value: (Columns<Row>) -> SQLExpression<Value>
  ) throws -> [(Key, Value)] {
    let value = value(Columns())
    return try fetch(reader, "max(\(value.sql))") { try $0.value(value) }
  }

  private func fetch<Value>(
    _ reader: Reader, _ result: SQL, _ decode: (inout RowReader) throws -> Value
  ) throws -> [(Key, Value)] {
    let sql: SQL = """
      SELECT \(key.sql), \(result) FROM \(query.source) GROUP BY \(key.sql) ORDER BY \(key.sql)
      """
    return try reader.connection.fetch(sql) { (try $0.value(key), try decode(&$0)) }
  }
}
