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
      lhs.coder?.wrapped as? ColumnCoder<Wrapped>)
  }
}
