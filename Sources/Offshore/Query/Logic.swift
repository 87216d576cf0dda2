extension SQLExpression<Bool> {
  /// Whether both conditions hold.
  ///
  /// `a AND b`
  public static func && (lhs: Self, rhs: Self) -> Self {
    Self(
      "\(lhs.operand(.and)) AND \(rhs.operand(.and))", .and,
      isNullable: lhs.isNullable || rhs.isNullable)
  }

  /// Whether one or both conditions hold.
  ///
  /// `a OR b`
  public static func || (lhs: Self, rhs: Self) -> Self {
    Self(
      "\(lhs.operand(.or)) OR \(rhs.operand(.or))", .or,
      isNullable: lhs.isNullable || rhs.isNullable)
  }

  /// Whether a condition does not hold.
  ///
  /// The opposite comparison, `NOT a`, or `a IS NOT TRUE` where NULL is possible: what does not hold because a value is
  /// missing has an opposite that does, as in Swift.
  public static prefix func ! (condition: Self) -> Self {
    if let opposite = condition.opposite { return Self(opposite, isNullable: false) }
    guard condition.isNullable else {
      return Self("NOT \(condition.operand(.comparison))", .not, isNullable: false)
    }
    return Self("\(condition.operand(.sum)) IS NOT TRUE", isNullable: false)
  }
}
