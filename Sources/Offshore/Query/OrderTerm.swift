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
