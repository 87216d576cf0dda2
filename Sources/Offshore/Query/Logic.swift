@_documentation(visibility: internal)
extension SQLExpression<Bool> {
  /// Returns whether both conditions are true.
  ///
  /// `a AND b`
  public static func && (lhs: Self, rhs: Self) -> Self {
    Self(
      "\(lhs.operand(.and)) AND \(rhs.operand(.and))", .and,
      isNullable: lhs.isNullable || rhs.isNullable)
  }

  /// Returns whether one or both conditions are true.
  ///
  /// `a OR b`
  public static func || (lhs: Self, rhs: Self) -> Self {
    Self(
      "\(lhs.operand(.or)) OR \(rhs.operand(.or))", .or,
      isNullable: lhs.isNullable || rhs.isNullable)
  }

  /// Returns whether a condition is not true.
  ///
  /// The opposite comparison, `NOT a`, or `a IS NOT TRUE` if the condition can be NULL. As in
  /// Swift, the negation of a condition that is not true because a value is missing is true.
  public static prefix func ! (condition: Self) -> Self {
    if let opposite = condition.opposite { return Self(opposite, isNullable: false) }
    guard condition.isNullable else {
      return Self("NOT \(condition.operand(.comparison))", .not, isNullable: false)
    }
    return Self("\(condition.operand(.sum)) IS NOT TRUE", isNullable: false)
  }
}
