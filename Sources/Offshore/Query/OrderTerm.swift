/// One of the values that a query sorts its rows by, and in which direction.
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

extension SQLExpression where Value: SQLComparable {
  /// Sorts the least first, NULL before all: `ORDER BY "startDate"`.
  public var ascending: OrderTerm { OrderTerm(self, isDescending: false) }

  /// Sorts the greatest first, NULL after all: `ORDER BY "startDate" DESC`.
  public var descending: OrderTerm { OrderTerm(self, isDescending: true) }
}

/// Collects the terms of an order, in lines or in an array, the most significant first.
@resultBuilder
public enum OrderBuilder {
  /// Sorts by an expression, the least first.
  public static func buildExpression<Value: SQLComparable>(
    _ expression: SQLExpression<Value>
  ) -> [OrderTerm] {
    [expression.ascending]
  }

  /// Sorts by a term.
  public static func buildExpression(_ term: OrderTerm) -> [OrderTerm] { [term] }

  /// Sorts by terms put together elsewhere.
  public static func buildExpression(_ terms: [OrderTerm]) -> [OrderTerm] { terms }

  public static func buildBlock(_ terms: [OrderTerm]...) -> [OrderTerm] { terms.flatMap(\.self) }
  public static func buildOptional(_ terms: [OrderTerm]?) -> [OrderTerm] { terms ?? [] }
  public static func buildEither(first terms: [OrderTerm]) -> [OrderTerm] { terms }
  public static func buildEither(second terms: [OrderTerm]) -> [OrderTerm] { terms }
}
