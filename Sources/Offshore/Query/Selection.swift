/// Values of a query's results, which can be fetched, observed, or used in the condition of another
/// query.
public struct Selection<Value: Sendable>: Sendable {
  /// The list of expressions.
  private let values: SQL
  /// The clauses from `FROM` on.
  private let rest: SQL
  private var isDistinct = false
  /// The expression, if one value of each result is selected.
  let expression: SQLExpression<Value>?
  /// Reads a value from the columns of the result.
  let decode: @Sendable (inout RowReader) throws -> Value

  /// Selects one value.
  init(_ expression: SQLExpression<Value>, _ rest: SQL) {
    values = expression.sql
    self.rest = rest
    self.expression = expression
    decode = { try $0.value(expression) }
  }

  /// Selects values from which another value is created.
  init<each Part>(
    _ parts: ExpressionList<repeat each Part>, _ rest: SQL,
    _ make: @escaping @Sendable (repeat each Part) -> Value
  ) {
    values = parts.sql
    self.rest = rest
    expression = nil
    decode = { row in make(repeat try row.value(each parts.expressions)) }
  }

  /// Omits duplicate values.
  ///
  /// `SELECT DISTINCT …`
  public func distinct() -> Self {
    var copy = self
    copy.isDistinct = true
    return copy
  }
}

// MARK: - Selecting

extension Query {
  /// Selects one value of each row.
  ///
  /// ```swift
  /// try Charter.where { $0.guests > 4 }.select { $0.name }.all(reader)
  /// // SELECT "charters"."name" FROM "charters" WHERE "charters"."guests" > ?
  /// ```
  public func select<Value: Sendable>(
    _ value: (Columns<Row>) -> SQLExpression<Value>
  ) -> Selection<Value> {
    Selection(value(Columns()), " FROM \(tables)\(clauses)")
  }

  /// Selects values of each row and creates another value from them, such as a struct by its
  /// initializer.
  ///
  /// ```swift
  /// Charter.all.select(Summary.init) {
  ///   $0.name
  ///   $0.guests * 2
  /// }
  /// ```
  public func select<each Part: Sendable, Value>(
    _ make: @escaping @Sendable (repeat each Part) -> Value,
    @ExpressionBuilder _ parts: (Columns<Row>) -> ExpressionList<repeat each Part>
  ) -> Selection<Value> {
    Selection(parts(Columns()), " FROM \(tables)\(clauses)", make)
  }

  /// A condition for another query: whether this query has any row.
  ///
  /// ```swift
  /// Charter.where { charter in Checklist.where { $0.charterID == charter.id }.exists }
  /// // EXISTS (SELECT 1 FROM "checklists" WHERE "checklists"."charterID" = "charters"."id")
  /// ```
  /// NB: Inside a query of the same table, its columns refer to the inner row.
  public var exists: SQLExpression<Bool> {
    SQLExpression<Bool>("EXISTS (SELECT 1 FROM \(source))", .primary, isNullable: false)
  }
}

extension Join {
  /// Selects one value of each result.
  public func select<Value: Sendable>(
    _ value: (Tables.Columns) -> SQLExpression<Value>
  ) -> Selection<Value> {
    Selection(value(columns), " FROM \(tables)\(clauses.sql)")
  }

  /// Selects values of each result and creates another value from them, such as a struct by its
  /// initializer.
  public func select<each Part: Sendable, Value>(
    _ make: @escaping @Sendable (repeat each Part) -> Value,
    @ExpressionBuilder _ parts: (Tables.Columns) -> ExpressionList<repeat each Part>
  ) -> Selection<Value> {
    Selection(parts(columns), " FROM \(tables)\(clauses.sql)", make)
  }
}

// MARK: - Fetching

extension Selection: Fetchable {
  /// Returns the values, in the order of the query.
  /// - Throws: ``DatabaseError`` as ``Query/all(_:)`` does.
  public func all(_ reader: Reader) throws -> [Value] {
    try reader.connection.fetch(sql, decode)
  }
}

extension Selection {
  /// The statement that fetches the values.
  public var sql: SQL { "SELECT \(SQL(raw: isDistinct ? "DISTINCT " : ""))\(values)\(rest)" }

  /// Returns the first value, or `nil` if there is none.
  /// - Throws: ``DatabaseError`` as ``Query/all(_:)`` does.
  public func first(_ reader: Reader) throws -> Value? {
    try reader.connection.fetchOne(sql, decode)
  }

  /// Returns the number of values.
  ///
  /// `SELECT count(*) FROM (…)`
  /// - Throws: ``DatabaseError`` as ``Query/all(_:)`` does.
  public func count(_ reader: Reader) throws -> Int {
    let sql: SQL = "SELECT count(*) FROM (\(sql))"
    return try reader.connection.fetchOne(sql) { try $0.value(Int.self) } ?? 0
  }
}

extension RowReader {
  /// Reads the next value of the row, in the representation of an expression's column.
  /// - Throws: ``DatabaseError`` with code `invalidValue` if the value has another type.
  mutating func value<Value>(_ expression: SQLExpression<Value>) throws -> Value {
    guard let coder = expression.coder else { throw expression.withoutCoder }
    let value = coder.decode(&self)
    try checkFit()
    return value
  }

  /// Reads the next value of the row, or `nil` for NULL.
  /// - Throws: ``DatabaseError`` with code `invalidValue` if the value has another type.
  mutating func optionalValue<Value>(_ expression: SQLExpression<Value>) throws -> Value? {
    guard let coder = expression.coder else { throw expression.withoutCoder }
    let value = coder.decodeOptional(&self)
    try checkFit()
    return value
  }
}

extension SQLExpression {
  /// The error of an expression whose value cannot be read, though its statement has run.
  fileprivate var withoutCoder: DatabaseError {
    DatabaseError(.declaration, "\(sql.text) does not tell how its values are stored.")
  }
}
