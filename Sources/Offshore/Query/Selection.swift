/// Values of a query's results, to fetch, to observe, or to use in the condition of another query.
///
/// ```swift
/// let names = Charter.where { $0.guests > 4 }.select { $0.name }.distinct()
/// // SELECT DISTINCT "charters"."name" FROM "charters" WHERE "charters"."guests" > ?
/// Note.where { $0.title.in(names) }
/// // … WHERE "notes"."title" IN (SELECT DISTINCT "charters"."name" FROM …)
/// ```
/// `distinct()` omits duplicate values, and `forEach` passes the values to a closure, as
/// ``Query/forEach(_:_:)`` does. An observation does not share its fetches with others if a
/// function creates the values, as in `select(Summary.init) { … }`.
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
  @_documentation(visibility: internal)
  public func distinct() -> Self {
    var copy = self
    copy.isDistinct = true
    return copy
  }
}

// MARK: - Selecting

extension Query {
  /// Selects one value of each row, or several from which another value is created.
  ///
  /// ```swift
  /// try Charter.where { $0.guests > 4 }.select { $0.name }.all(reader)
  /// // SELECT "charters"."name" FROM "charters" WHERE "charters"."guests" > ?
  /// Charter.all.select(Summary.init) {
  ///   $0.name
  ///   $0.guests * 2
  /// }
  /// // SELECT "charters"."name", "charters"."guests" * ? FROM "charters"
  /// ```
  /// The initializer, or another function, has a parameter for each line.
  public func select<Value: Sendable>(
    _ value: (Columns<Row>) -> SQLExpression<Value>
  ) -> Selection<Value> {
    Selection(value(Columns()), " FROM \(tables)\(clauses)")
  }

  /// Selects values of each row and creates another value from them, such as a struct by its
  /// initializer.
  @_documentation(visibility: internal)
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
  @_documentation(visibility: internal)
  public var exists: SQLExpression<Bool> {
    SQLExpression<Bool>("EXISTS (SELECT 1 FROM \(source))", .primary, isNullable: false)
  }
}

@_documentation(visibility: internal)
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

@_documentation(visibility: internal)
extension Selection: Fetchable {
  /// Returns the values, in the order of the query.
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  public func all(_ reader: Reader) throws -> [Value] {
    try reader.connection.fetch(sql, decode)
  }
}

@_documentation(visibility: internal)
extension Selection {
  /// The statement that fetches the values.
  public var sql: SQL { "SELECT \(SQL(raw: isDistinct ? "DISTINCT " : ""))\(values)\(rest)" }

  /// Returns the first value, or `nil` if there is none.
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  public func first(_ reader: Reader) throws -> Value? {
    try reader.connection.fetchOne(sql, decode)
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

/// The expressions by which rows are grouped, or from which values are created, in order.
@_documentation(visibility: internal)
public struct ExpressionList<each Value>: Sendable {
  let expressions: (repeat SQLExpression<each Value>)

  init(_ expressions: repeat SQLExpression<each Value>) {
    self.expressions = (repeat each expressions)
  }

  /// The expressions, separated by commas.
  var sql: SQL {
    var sql = SQL(raw: "")
    for expression in repeat each expressions {
      sql.append(raw: sql.text.isEmpty ? "" : ", ")
      sql.append(expression.sql)
    }
    return sql
  }
}

/// A builder of a list of expressions, one in each line.
@_documentation(visibility: internal)
@resultBuilder
public enum ExpressionBuilder {
  /// Adds an expression.
  public static func buildExpression<Value>(
    _ expression: SQLExpression<Value>
  ) -> SQLExpression<Value> {
    expression
  }

  public static func buildBlock<each Value>(
    _ expressions: repeat SQLExpression<each Value>
  ) -> ExpressionList<repeat each Value> {
    ExpressionList(repeat each expressions)
  }
}
