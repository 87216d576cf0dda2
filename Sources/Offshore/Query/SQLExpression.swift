/// An SQL expression for a value of a Swift type: a column, or a term composed of columns.
///
/// Expressions are used in the closures of queries, and are combined by operators:
///
/// ```swift
/// Charter.where { $0.guests + 2 > 8 && $0.name.hasPrefix("Alma") }
/// // WHERE "charters"."guests" + ? > ? AND substr("charters"."name", 1, ?) = ?
/// ```
///
/// Both sides of an operator can be expressions, or the right side can be a value, which is bound
/// in the representation of the column on the left.
///
/// | Swift | SQL |
/// | --- | --- |
/// | `$0.name == "Alma"`, `!=` | `"name" = ?`, `"name" <> ?` |
/// | `$0.location == "Split"`, `!=` | for an optional: `"location" = ?`, `"location" IS NOT ?` |
/// | `$0.location == nil`, `!=` | `"location" IS NULL`, `"location" IS NOT NULL` |
/// | `$0.name == $0.former`, `!=` | `"name" = "former"`, `<>`; `IS`, `IS NOT` for optionals |
/// | `$0.guests < 4`, `<=`, `>`, `>=` | `"guests" < ?`; for ``SQLComparable`` types |
/// | `a && b`, `a \|\| b` | `a AND b`, `a OR b` |
/// | `!a` | the opposite comparison, `NOT a`, or `a IS NOT TRUE` if `a` can be NULL |
/// | `$0.guests + 2`, `-`, `*` | `"guests" + ?`; for numbers other than `Float` and `Decimal` |
/// | `$0.guests / 2`, `%` | `"guests" / ?` |
/// | `$0.guests / $0.cabins`, `%` | `"guests" / "cabins"`; an optional, `nil` if the divisor is 0 |
/// | `$0.location ?? "Split"` | `coalesce("location", ?)` |
/// | `$0.guests.in([2, 4])` | `"guests" IN (?, ?)`, with at most 32,766 values |
/// | `$0.id.in(selection)` | `"id" IN (SELECT …)`; the argument is a ``Selection`` |
/// | `$0.name.contains("Alma")` | `instr("name", ?) > 0` |
/// | `$0.name.hasPrefix("Alma")` | `substr("name", 1, ?) = ?` |
/// | `$0.name.hasSuffix("Alma")` | `substr("name", ?) = ?` |
/// | `$0.name.like("Al%")` | `"name" LIKE ?`, which ignores the case of ASCII letters |
/// | `$0.name.isEmpty` | `"name" = ''` |
/// | `$0.name.lowercased()` | `lower("name")`, for ASCII letters |
/// | `$0.date.formatted("%Y-%m")` | `strftime(?, "date")` in UTC, by a [format] of SQLite |
/// | `$0.name.set("Alma")` | `"name" = ?`, for ``Query/update(_:_:)`` |
/// | `$0.date.ascending`, `descending` | `"date"`, `"date" DESC`, for ``Query/order(_:)`` |
///
/// As in Swift, `==` and `!=` treat `nil` as a value: `$0.location != "Split"` is also true for
/// rows without a location. If the result of any other condition is NULL in SQL, because a value
/// in it is NULL, the condition counts as false; so its negation by `!` is
/// true.
///
/// Two mistakes make the query throw ``DatabaseError``: a division by the value 0, with code
/// `invalidSQL`; and a comparison of two columns that store equal values in different ways, with
/// code `declaration`. ``Grouping`` describes aggregates.
///
/// [format]: https://sqlite.org/lang_datefunc.html
public struct SQLExpression<Value>: Sendable {
  /// The text with its bound values.
  package let sql: SQL

  let precedence: Precedence
  /// Whether the result may be NULL.
  var isNullable: Bool
  /// The representation of the expression's values; `nil` if ``sql`` has a problem.
  let coder: ColumnCoder<Value>?
  /// The column, if the expression is one.
  let column: ColumnName?
  /// The comparison, if the expression is one whose sides cannot be NULL.
  var comparison: Comparison?

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
