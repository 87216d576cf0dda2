@_documentation(visibility: internal)
extension SQLExpression where Value: SQLNumeric {
  /// Adds a value: `"guests" + ?`.
  public static func + (lhs: Self, rhs: Value) -> Self { lhs.combine(.sum, "+", lhs.bind(rhs)) }

  /// Subtracts a value: `"guests" - ?`.
  public static func - (lhs: Self, rhs: Value) -> Self { lhs.combine(.sum, "-", lhs.bind(rhs)) }

  /// Multiplies by a value: `"guests" * ?`.
  public static func * (lhs: Self, rhs: Value) -> Self { lhs.combine(.product, "*", lhs.bind(rhs)) }

  /// Adds two expressions: `"guests" + "crew"`.
  public static func + (lhs: Self, rhs: Self) -> Self {
    lhs.combine(.sum, "+", rhs.operand(.product))
  }

  /// Subtracts an expression from another: `"guests" - "crew"`.
  public static func - (lhs: Self, rhs: Self) -> Self {
    lhs.combine(.sum, "-", rhs.operand(.product))
  }

  /// Multiplies two expressions: `"guests" * "nights"`.
  public static func * (lhs: Self, rhs: Self) -> Self {
    lhs.combine(.product, "*", rhs.operand(.primary))
  }

  /// Divides by a number other than 0: `"guests" / ?`. The quotient of integers is rounded towards
  /// 0.
  public static func / (lhs: Self, rhs: Value) -> Self { lhs.divide("/", by: rhs) }

  /// Returns the remainder of a division by a number other than 0: `"guests" % ?`. It has the sign
  /// of the dividend.
  public static func % (lhs: Self, rhs: Value) -> Self where Value: BinaryInteger {
    lhs.divide("%", by: rhs)
  }

  /// Divides an expression by another: `"guests" / "cabins"`. The result is `nil` if the divisor is
  /// 0.
  public static func / (lhs: Self, rhs: Self) -> SQLExpression<Value?> {
    lhs.combine(.product, "/", rhs.operand(.primary)).optional
  }

  /// Returns the remainder of a division by an expression: `"guests" % "cabins"`. The result is
  /// `nil` if the divisor is 0.
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

@_documentation(visibility: internal)
extension SQLExpression {
  /// Replaces NULL by another value: `coalesce("location", ?)`.
  public static func ?? <Wrapped>(
    lhs: Self, rhs: Wrapped
  ) -> SQLExpression<Wrapped> where Value == Wrapped? {
    SQLExpression<Wrapped>(
      "coalesce(\(lhs.sql), \(lhs.bind(rhs)))", .primary, isNullable: false,
      lhs.coder?.wrapped?.coder(of: Wrapped.self))
  }
}
