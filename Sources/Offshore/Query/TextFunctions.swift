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
