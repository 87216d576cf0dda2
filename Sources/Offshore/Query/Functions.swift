public import Foundation

// MARK: - Membership

@_documentation(visibility: internal)
extension SQLExpression {
  /// Returns whether the value is one of several; `nil` among them stands for NULL.
  ///
  /// `"guests" IN (?, ?)`. SQLite accepts at most 32,766 values; for more, use a ``Selection``.
  public func `in`(_ values: some Sequence<Value>) -> SQLExpression<Bool> {
    var list = SQL(raw: "")
    var hasNull = false
    for value in values {
      let bound = bind(value)
      guard bound.arguments != [.null] else {
        hasNull = true
        continue
      }
      list.append(raw: list.text.isEmpty ? "" : ", ")
      list.append(bound)
    }
    let isListed = SQLExpression<Bool>("\(operand(.sum)) IN (\(list))", isNullable: isNullable)
    guard hasNull else { return isListed }
    return isListed || SQLExpression<Bool>("\(operand(.sum)) IS NULL", isNullable: false)
  }

  /// Returns whether an optional value is one of several that are not `nil`.
  public func `in`<Wrapped>(
    _ values: some Sequence<Wrapped>
  ) -> SQLExpression<Bool> where Value == Wrapped? {
    `in`(values.map(Optional.some))
  }

  /// Returns whether a subquery selects the value. NULL is in no selection.
  ///
  /// ```swift
  /// Charter.where { $0.id.in(Checklist.where { $0.isDone }.select { $0.charterID }) }
  /// // "charters"."id" IN (SELECT "checklists"."charterID" FROM "checklists" WHERE …)
  /// ```
  public func `in`(_ selection: Selection<Value>) -> SQLExpression<Bool>
  where Value: Sendable {
    isSelected(selection)
  }

  /// Returns whether a subquery, which may also select NULL, selects the value.
  public func `in`(_ selection: Selection<Value?>) -> SQLExpression<Bool>
  where Value: Sendable {
    isSelected(selection)
  }

  /// Returns whether a subquery selects an optional value.
  public func `in`<Wrapped>(
    _ selection: Selection<Wrapped>
  ) -> SQLExpression<Bool> where Value == Wrapped? {
    isSelected(selection)
  }

  private func isSelected<Other>(_ selection: Selection<Other>) -> SQLExpression<Bool> {
    var sql: SQL = "\(operand(.sum)) IN (\(selection.sql))"
    if let expression = selection.expression { sql.append(storageProblem(with: expression)) }
    let isNullable = isNullable || selection.expression?.isNullable ?? true
    return SQLExpression<Bool>(sql, isNullable: isNullable)
  }
}

// MARK: - Texts

@_documentation(visibility: internal)
extension SQLExpression where Value: SQLText {
  /// Returns whether the text contains another. The case of letters counts.
  ///
  /// `instr("name", ?) > 0`. Unicode scalars are compared: a letter with an accent as one scalar
  /// differs from the letter and the accent as two scalars.
  public func contains(_ part: String) -> SQLExpression<Bool> {
    SQLExpression<Bool>("instr(\(sql), \(part)) > 0", isNullable: isNullable)
  }

  /// Returns whether the text begins with another. The case of letters counts.
  ///
  /// `substr("name", 1, ?) = ?`
  public func hasPrefix(_ prefix: String) -> SQLExpression<Bool> {
    let count = prefix.unicodeScalars.count
    return SQLExpression<Bool>("substr(\(sql), 1, \(count)) = \(prefix)", isNullable: isNullable)
  }

  /// Returns whether the text ends with another. The case of letters counts.
  ///
  /// `substr("name", ?) = ?` with a start counted from the end
  public func hasSuffix(_ suffix: String) -> SQLExpression<Bool> {
    let count = suffix.unicodeScalars.count
    // A start of 0 would mean the whole text, and every text ends with the empty one.
    guard count > 0 else { return hasPrefix("") }
    return SQLExpression<Bool>("substr(\(sql), \(-count)) = \(suffix)", isNullable: isNullable)
  }

  /// Returns whether the text matches a pattern, ignoring the case of ASCII letters.
  ///
  /// `"name" LIKE ? ESCAPE '\'`. In the pattern, `%` stands for any text, `_` for any character,
  /// and a backslash escapes the character after it. `contains` suits text that a user typed,
  /// which would need escapes. See <https://sqlite.org/lang_expr.html#like>.
  public func like(_ pattern: String) -> SQLExpression<Bool> {
    SQLExpression<Bool>("\(operand(.sum)) LIKE \(pattern) ESCAPE '\\'", isNullable: isNullable)
  }

  /// Whether the text has no characters: `"name" = ''`. NULL is not empty.
  public var isEmpty: SQLExpression<Bool> {
    SQLExpression<Bool>("\(operand(.sum)) = ''", isNullable: isNullable)
  }

  /// Returns the text with its ASCII letters in lowercase.
  ///
  /// `lower("name")`
  public func lowercased() -> Self {
    Self("lower(\(sql))", .primary, isNullable: isNullable, coder)
  }
}

// MARK: - Dates

@_documentation(visibility: internal)
extension SQLExpression where Value == Date {
  /// Formats the date as a text in UTC, by a format of SQLite, such as `%Y-%m` for the month
  /// (<https://sqlite.org/lang_datefunc.html>).
  ///
  /// `strftime(?, "date")`; a date that is not stored as text is converted to seconds since 1970.
  public func formatted(_ format: String) -> SQLExpression<String> {
    SQLExpression<String>(
      text(format), .primary, isNullable: isNullable, ColumnCoder(String.Codec.self))
  }
}

@_documentation(visibility: internal)
extension SQLExpression where Value == Date? {
  /// Formats the date as a text in UTC, or returns `nil`; see `formatted(_:)` of a date.
  public func formatted(_ format: String) -> SQLExpression<String?> {
    SQLExpression<String?>(
      text(format), .primary, isNullable: true, ColumnCoder(Nullable<String.Codec>.self))
  }
}

extension SQLExpression {
  fileprivate func text(_ format: String) -> SQL {
    switch coder?.storage {
    case ObjectIdentifier(DateText.self): "strftime(\(format), \(sql))"
    case ObjectIdentifier(DateUnixSeconds.self): "strftime(\(format), \(sql), 'unixepoch')"
    case ObjectIdentifier(DateReference.self):
      // NB: The number of seconds from 1970 to 2001.
      "strftime(\(format), \(operand(.sum)) + 978307200, 'unixepoch')"
    default:
      SQL(
        problem: .declaration,
        "\(sql.text) is stored by a codec of the app. Format it by a function of SQLite in SQL.")
    }
  }
}
