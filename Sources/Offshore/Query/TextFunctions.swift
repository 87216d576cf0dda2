extension SQLExpression where Value: SQLText {
  /// Whether the text contains another, upper and lower case told apart.
  ///
  /// `instr("name", ?) > 0`. Unicode scalars are compared: a letter with its accent as one scalar
  /// is not the letter and the accent as two.
  public func contains(_ part: String) -> SQLExpression<Bool> {
    SQLExpression<Bool>("instr(\(sql), \(part)) > 0", isNullable: isNullable)
  }

  /// Whether the text begins with another, upper and lower case told apart.
  ///
  /// `substr("name", 1, ?) = ?`
  public func hasPrefix(_ prefix: String) -> SQLExpression<Bool> {
    let count = prefix.unicodeScalars.count
    return SQLExpression<Bool>("substr(\(sql), 1, \(count)) = \(prefix)", isNullable: isNullable)
  }

  /// Whether the text ends with another, upper and lower case told apart.
  ///
  /// `substr("name", ?) = ?` with a start counted from the end
  public func hasSuffix(_ suffix: String) -> SQLExpression<Bool> {
    let count = suffix.unicodeScalars.count
    // A start of 0 would mean the whole text, and every text ends with the empty one.
    guard count > 0 else { return hasPrefix("") }
    return SQLExpression<Bool>("substr(\(sql), \(-count)) = \(suffix)", isNullable: isNullable)
  }

  /// Whether the text matches a pattern, without regard to the case of ASCII letters.
  ///
  /// `"name" LIKE ? ESCAPE '\'`. In the pattern `%` stands for any text, `_` for any character, and
  /// a backslash takes the meaning from the character after it. For a text that a user typed,
  /// ``contains(_:)`` needs no such care. See <https://sqlite.org/lang_expr.html#like>.
  public func like(_ pattern: String) -> SQLExpression<Bool> {
    SQLExpression<Bool>("\(operand(.sum)) LIKE \(pattern) ESCAPE '\\'", isNullable: isNullable)
  }

  /// Whether the text has no character: `"name" = ''`. NULL is not empty.
  public var isEmpty: SQLExpression<Bool> {
    SQLExpression<Bool>("\(operand(.sum)) = ''", isNullable: isNullable)
  }

  /// The text with its upper-case ASCII letters in lower case; other letters stay as they are.
  ///
  /// `lower("name")`
  public func lowercased() -> Self {
    Self("lower(\(sql))", .primary, isNullable: isNullable, coder)
  }
}
