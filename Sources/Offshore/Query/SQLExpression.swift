/// A piece of SQL that stands for a value of a Swift type: a column, or what is made of columns.
///
/// Expressions come from the closures of queries, and combine by operators:
///
/// ```swift
/// Charter.where { $0.guests + 2 > 8 && $0.name.hasPrefix("Alma") }
/// // WHERE "charters"."guests" + ? > ? AND substr("charters"."name", 1, ?) = ?
/// ```
///
/// A value is bound the way the column that it meets stores it.
public struct SQLExpression<Value>: Sendable {
  /// The text with the values bound in it.
  public let sql: SQL

  let precedence: Precedence
  /// Whether the result may be NULL.
  var isNullable: Bool
  /// How values of the expression are stored; none where ``sql`` has a problem.
  let coder: ColumnCoder<Value>?
  /// The column, where the expression is one.
  let column: ColumnName?
  /// The condition that holds where this one does not, where that is a comparison too: unlike `NOT`,
  /// it can use an index.
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

/// How tightly an operator binds, in SQLite's order.
enum Precedence: Int, Comparable {
  case or, and, not, comparison, sum, product, primary

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A column of a table, as an expression names it.
struct ColumnName: Hashable, Sendable {
  let table: String
  let column: String
}

extension SQLExpression {
  /// The text in parentheses, unless it binds at least as tightly as stated.
  func operand(_ minimum: Precedence) -> SQL {
    precedence >= minimum ? sql : "(\(sql))"
  }

  /// A `?` with a value as the expression's columns store it.
  func bind(_ value: Value) -> SQL { coder?.bind(value) ?? "NULL" }
}

extension SQLExpression {
  /// The same value, by which no index is searched or read in order: `+"startDate"`.
  ///
  /// For where another index serves better than the one that SQLite would choose; see
  /// <https://sqlite.org/optoverview.html>.
  package var withoutIndex: Self {
    Self("+\(operand(.primary))", .primary, isNullable: isNullable, coder, column: column)
  }
}

extension SQLExpression<Bool> {
  /// A condition.
  init(_ sql: SQL, _ precedence: Precedence = .comparison, isNullable: Bool) {
    self.init(sql, precedence, isNullable: isNullable, boolCoder)
  }
}

private let boolCoder = ColumnCoder(BoolCodec.self)
