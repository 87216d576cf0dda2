/// An SQL expression for a value of a Swift type: a column, or a term composed of columns.
///
/// Expressions are used in the closures of queries, and are combined by operators:
///
/// ```swift
/// Charter.where { $0.guests + 2 > 8 && $0.name.hasPrefix("Alma") }
/// // WHERE "charters"."guests" + ? > ? AND substr("charters"."name", 1, ?) = ?
/// ```
///
/// A value is bound in the representation of the column that it is combined with.
public struct SQLExpression<Value>: Sendable {
  /// The text with its bound values.
  public let sql: SQL

  let precedence: Precedence
  /// Whether the result may be NULL.
  var isNullable: Bool
  /// The representation of the expression's values; `nil` if ``sql`` has a problem.
  let coder: ColumnCoder<Value>?
  /// The column, if the expression is one.
  let column: ColumnName?
  /// The opposite condition, if it is a comparison, too. Unlike `NOT`, it can use an index.
  var opposite: SQL?

  init(
    _ sql: SQL, _ precedence: Precedence, isNullable: Bool, _ coder: ColumnCoder<Value>?,
    column: ColumnName? = nil
  ) {
    self.sql = sql
    self.precedence = precedence
    self.isNullable = isNullable
    self.coder = coder
    self.column = column
  }
}

/// The precedence of an operator, in SQLite's order.
enum Precedence: Int, Comparable {
  case or, and, not, comparison, sum, product, primary

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A column of a table, by the names in an expression.
struct ColumnName: Hashable, Sendable {
  let table: String
  let column: String
}

extension SQLExpression {
  /// Returns the text, in parentheses if its precedence is lower than the minimum.
  func operand(_ minimum: Precedence) -> SQL {
    precedence >= minimum ? sql : "(\(sql))"
  }

  /// Returns a `?` with a value in the representation of the expression's columns.
  func bind(_ value: Value) -> SQL { coder?.bind(value) ?? "NULL" }
}

extension SQLExpression {
  /// The same value, for which SQLite does not use an index: `+"startDate"`.
  ///
  /// It is useful if another index serves better than the one that SQLite would choose; see
  /// <https://sqlite.org/optoverview.html>.
  package var withoutIndex: Self {
    Self("+\(operand(.primary))", .primary, isNullable: isNullable, coder, column: column)
  }
}

extension SQLExpression<Bool> {
  /// Creates a condition.
  init(_ sql: SQL, _ precedence: Precedence = .comparison, isNullable: Bool) {
    self.init(sql, precedence, isNullable: isNullable, boolCoder)
  }
}

private let boolCoder = ColumnCoder(BoolCodec.self)
