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
