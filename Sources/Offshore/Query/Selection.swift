/// One value of each row of a query: to be fetched, or to be compared with inside another query.
public struct Selection<Value>: Sendable {
  /// The statement that fetches the values.
  public let sql: SQL
  let expression: SQLExpression<Value>
}

extension Query {
  /// Selects one value of each row.
  ///
  /// ```swift
  /// try Charter.where { $0.guests > 4 }.select { $0.name }.all(reader)
  /// // SELECT "charters"."name" FROM "charters" WHERE "charters"."guests" > ?
  /// ```
  public func select<Value>(
    _ value: (Columns<Row>) -> SQLExpression<Value>
  ) -> Selection<Value> {
    let value = value(Columns())
    let sql: SQL = "SELECT \(value.sql) FROM \(identifier: Row.table.name)\(clauses)"
    return Selection(sql: sql, expression: value)
  }

  /// Whether there is a row, as a condition of another query.
  ///
  /// ```swift
  /// Charter.where { charter in Checklist.where { $0.charterID == charter.id }.exists }
  /// // EXISTS (SELECT 1 FROM "checklists" WHERE "checklists"."charterID" = "charters"."id")
  /// ```
  /// NB: Inside a query of the same table, its columns mean the inner row.
  public var exists: SQLExpression<Bool> {
    SQLExpression<Bool>("EXISTS (SELECT 1 FROM \(source))", .primary, isNullable: false)
  }
}

extension Selection {
  /// The values, in the query's order.
  /// - Throws: ``DatabaseError`` as ``Query/all(_:)`` does.
  public func all(_ reader: Reader) throws -> [Value] {
    try reader.connection.fetch(sql) { try $0.value(expression) }
  }

  /// The first value, or `nil` where there is no row.
  /// - Throws: ``DatabaseError`` as ``Query/all(_:)`` does.
  public func one(_ reader: Reader) throws -> Value? {
    try reader.connection.fetchOne(sql) { try $0.value(expression) }
  }
}

extension RowReader {
  /// The next value of the row, stored as an expression's column stores it.
  /// - Throws: ``DatabaseError`` with code `invalidValue` where it has another type.
  mutating func value<Value>(_ expression: SQLExpression<Value>) throws -> Value {
    guard let coder = expression.coder else { throw expression.withoutCoder }
    let value = coder.decode(&self)
    try checkFit()
    return value
  }

  /// The next value of the row, or `nil` for NULL.
  /// - Throws: ``DatabaseError`` with code `invalidValue` where it has another type.
  mutating func optionalValue<Value>(_ expression: SQLExpression<Value>) throws -> Value? {
    guard let coder = expression.coder else { throw expression.withoutCoder }
    let value = coder.decodeOptional(&self)
    try checkFit()
    return value
  }
}

extension SQLExpression {
  /// The error of an expression whose value cannot be read, though its statement ran.
  fileprivate var withoutCoder: DatabaseError {
    DatabaseError(.declaration, "\(sql.text) does not tell how its values are stored.")
  }
}
