/// The clauses of a `SELECT` statement: conditions, groups, order, and range.
struct Clauses: Hashable, Sendable {
  var condition: SQLExpression<Bool>?
  var keys: SQL?
  var groupCondition: SQLExpression<Bool>?
  var terms: [OrderTerm] = []
  var count: Int?
  var skipped: Int?

  /// ` WHERE … GROUP BY … HAVING … ORDER BY … LIMIT …`, without the clauses that are empty.
  var sql: SQL {
    var sql = SQL(raw: "")
    if let condition { sql.append(" WHERE \(condition.sql)") }
    if let keys { sql.append(" GROUP BY \(keys)") }
    if let groupCondition { sql.append(" HAVING \(groupCondition.sql)") }
    sql.append(terms.sql)
    sql.append(SQL.range(count, skipped))
    return sql
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.sql == rhs.sql }

  func hash(into hasher: inout Hasher) { hasher.combine(sql) }
}

extension SQLExpression<Bool>? {
  /// Adds a condition.
  mutating func require(_ condition: SQLExpression<Bool>) {
    self = map { $0 && condition } ?? condition
  }
}

extension [OrderTerm] {
  /// ` ORDER BY …`, or nothing if there are no terms.
  var sql: SQL {
    var sql = SQL(raw: "")
    for (index, term) in enumerated() {
      sql.append(raw: index == 0 ? " ORDER BY " : ", ")
      sql.append(term.sql)
      sql.append(raw: term.isDescending ? " DESC" : "")
    }
    return sql
  }
}

extension SQL {
  /// Returns ` LIMIT ? OFFSET ?`, or nothing if both are `nil`.
  static func range(_ count: Int?, _ skipped: Int?) -> SQL {
    guard count ?? 0 >= 0, skipped ?? 0 >= 0 else {
      return SQL(problem: .invalidSQL, "A limit or an offset is negative. Pass 0 or more.")
    }
    switch (count, skipped) {
    case (nil, nil): return SQL(raw: "")
    case (let count?, nil): return " LIMIT \(count)"
    case (nil, let skipped?): return " LIMIT -1 OFFSET \(skipped)"
    case (let count?, let skipped?): return " LIMIT \(count) OFFSET \(skipped)"
    }
  }
}

/// A value by which a query sorts its rows, with its direction.
@_documentation(visibility: internal)
public struct OrderTerm: Sendable {
  let sql: SQL
  let isDescending: Bool
  let isNullable: Bool
  let column: ColumnName?

  init<Value>(_ expression: SQLExpression<Value>, isDescending: Bool) {
    sql = expression.sql
    self.isDescending = isDescending
    isNullable = expression.isNullable
    column = expression.column
  }
}

@_documentation(visibility: internal)
extension SQLExpression where Value: SQLComparable {
  /// Sorts the smallest value first, NULL before all: `ORDER BY "startDate"`.
  public var ascending: OrderTerm { OrderTerm(self, isDescending: false) }

  /// Sorts the largest value first, NULL after all: `ORDER BY "startDate" DESC`.
  public var descending: OrderTerm { OrderTerm(self, isDescending: true) }
}

/// A builder of the terms of an order, in lines or in an array, the most significant one first.
@_documentation(visibility: internal)
@resultBuilder
public enum OrderBuilder {
  /// Sorts by an expression, the smallest value first.
  public static func buildExpression<Value: SQLComparable>(
    _ expression: SQLExpression<Value>
  ) -> [OrderTerm] {
    [expression.ascending]
  }

  /// Sorts by a term.
  public static func buildExpression(_ term: OrderTerm) -> [OrderTerm] { [term] }

  /// Sorts by terms that were composed elsewhere.
  public static func buildExpression(_ terms: [OrderTerm]) -> [OrderTerm] { terms }

  public static func buildBlock(_ terms: [OrderTerm]...) -> [OrderTerm] { terms.flatMap(\.self) }
  public static func buildOptional(_ terms: [OrderTerm]?) -> [OrderTerm] { terms ?? [] }
  public static func buildEither(first terms: [OrderTerm]) -> [OrderTerm] { terms }
  public static func buildEither(second terms: [OrderTerm]) -> [OrderTerm] { terms }
}
