extension SQLExpression where Value: SQLNumeric {
  /// The sum with a value: `"guests" + ?`.
  public static func + (lhs: Self, rhs: Value) -> Self { lhs.combine(.sum, "+", lhs.bind(rhs)) }

  /// The difference from a value: `"guests" - ?`.
  public static func - (lhs: Self, rhs: Value) -> Self { lhs.combine(.sum, "-", lhs.bind(rhs)) }

  /// The product with a value: `"guests" * ?`.
  public static func * (lhs: Self, rhs: Value) -> Self { lhs.combine(.product, "*", lhs.bind(rhs)) }

  /// The sum of two expressions: `"guests" + "crew"`.
  public static func + (lhs: Self, rhs: Self) -> Self {
    lhs.combine(.sum, "+", rhs.operand(.product))
  }

  /// The difference of two expressions: `"guests" - "crew"`.
  public static func - (lhs: Self, rhs: Self) -> Self {
    lhs.combine(.sum, "-", rhs.operand(.product))
  }

  /// The product of two expressions: `"guests" * "nights"`.
  public static func * (lhs: Self, rhs: Self) -> Self {
    lhs.combine(.product, "*", rhs.operand(.primary))
  }

  /// The quotient by a number that is not 0: `"guests" / ?`. That of integers is one, and is rounded towards 0.
  public static func / (lhs: Self, rhs: Value) -> Self { lhs.divide("/", by: rhs) }

  /// The remainder of the quotient by a number that is not 0, with the sign of the left one: `"guests" % ?`.
  public static func % (lhs: Self, rhs: Value) -> Self where Value: BinaryInteger {
    lhs.divide("%", by: rhs)
  }

  /// The quotient of two expressions, or `nil` if the right one is 0: `"guests" / "cabins"`.
  public static func / (lhs: Self, rhs: Self) -> SQLExpression<Value?> {
    lhs.combine(.product, "/", rhs.operand(.primary)).optional
  }

  /// The remainder of two expressions, or `nil` if the right one is 0: `"guests" % "cabins"`.
  public static func % (lhs: Self, rhs: Self) -> SQLExpression<Value?> where Value: BinaryInteger {
    lhs.combine(.product, "%", rhs.operand(.primary)).optional
  }

  private func divide(_ sign: String, by number: Value) -> Self {
    guard number != .zero else {
      let problem = SQL(problem: .invalidSQL, "A number is divided by 0. Divide by another.")
      return combine(.product, sign, problem)
    }
    return combine(.product, sign, bind(number))
  }

  private func combine(_ precedence: Precedence, _ sign: String, _ right: SQL) -> Self {
    Self(
      "\(operand(precedence)) \(SQL(raw: sign)) \(right)", precedence, isNullable: isNullable,
      coder)
  }
}

extension SQLExpression {
  /// The value, or another in place of NULL: `coalesce("location", ?)`.
  public static func ?? <Wrapped>(
    lhs: Self, rhs: Wrapped
  ) -> SQLExpression<Wrapped> where Value == Wrapped? {
    SQLExpression<Wrapped>(
      "coalesce(\(lhs.sql), \(lhs.bind(rhs)))", .primary, isNullable: false,
      lhs.coder?.wrapped?.coder(of: Wrapped.self))
  }
}
