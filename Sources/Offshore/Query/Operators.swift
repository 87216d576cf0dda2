// MARK: - Comparisons

@_documentation(visibility: internal)
extension SQLExpression {
  /// Returns whether the value equals another; `nil` equals NULL.
  ///
  /// `"name" = ?`, or `"name" IS NULL` for `nil`
  public static func == (lhs: Self, rhs: Value?) -> SQLExpression<Bool> {
    lhs.compare(rhs, "=", null: "IS NULL")
  }

  /// Returns whether the value differs from another; NULL differs from all values but `nil`.
  ///
  /// `"name" <> ?`, or `"name" IS NOT ?` if the column accepts NULL
  public static func != (lhs: Self, rhs: Value?) -> SQLExpression<Bool> {
    guard lhs.isNullable else { return lhs.compare(rhs, "<>", null: "IS NOT NULL") }
    let condition = lhs.compare(rhs, "IS NOT", null: "IS NOT NULL")
    return SQLExpression<Bool>(condition.sql, isNullable: false)
  }

  /// Returns whether two values are equal; NULL equals NULL.
  ///
  /// `"a" = "b"`, or `"a" IS "b"` if either accepts NULL
  public static func == (lhs: Self, rhs: Self) -> SQLExpression<Bool> {
    lhs.compare(rhs, "=", nullable: "IS")
  }

  /// Returns whether two values differ; NULL differs from all values but NULL.
  ///
  /// `"a" <> "b"`, or `"a" IS NOT "b"` if either accepts NULL
  public static func != (lhs: Self, rhs: Self) -> SQLExpression<Bool> {
    lhs.compare(rhs, "<>", nullable: "IS NOT")
  }

  /// Returns whether an optional value equals another that is not optional; see ``==(_:_:)``.
  public static func == <Wrapped>(
    lhs: Self, rhs: SQLExpression<Wrapped>
  ) -> SQLExpression<Bool> where Value == Wrapped? {
    lhs.compare(rhs, "=", nullable: "IS")
  }

  /// Returns whether a value equals another that is optional; see ``==(_:_:)``.
  public static func == (lhs: Self, rhs: SQLExpression<Value?>) -> SQLExpression<Bool> {
    lhs.compare(rhs, "=", nullable: "IS")
  }
}

@_documentation(visibility: internal)
extension SQLExpression where Value: SQLComparable {
  /// Returns whether the value sorts before another. It is not true if the value is NULL.
  ///
  /// `"startDate" < ?`
  public static func < (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs.compare(rhs, "<") }

  /// Returns whether the value equals another or sorts before it.
  public static func <= (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs.compare(rhs, "<=") }

  /// Returns whether the value sorts after another.
  public static func > (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs.compare(rhs, ">") }

  /// Returns whether the value equals another or sorts after it.
  public static func >= (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs.compare(rhs, ">=") }

  /// Returns whether the value sorts before that of another expression.
  public static func < (lhs: Self, rhs: Self) -> SQLExpression<Bool> { lhs.compare(rhs, "<") }

  /// Returns whether the value equals that of another expression or sorts before it.
  public static func <= (lhs: Self, rhs: Self) -> SQLExpression<Bool> { lhs.compare(rhs, "<=") }

  /// Returns whether the value sorts after that of another expression.
  public static func > (lhs: Self, rhs: Self) -> SQLExpression<Bool> { lhs.compare(rhs, ">") }

  /// Returns whether the value equals that of another expression or sorts after it.
  public static func >= (lhs: Self, rhs: Self) -> SQLExpression<Bool> { lhs.compare(rhs, ">=") }
}

@_documentation(visibility: internal)
extension SQLExpression {
  /// Returns a comparison with a value, which has a separate form for NULL.
  private func compare(_ value: Value?, _ sign: String, null: String) -> SQLExpression<Bool> {
    let left = operand(.sum)
    guard let value, case let right = bind(value), right.arguments != [.null] else {
      return SQLExpression<Bool>("\(left) \(SQL(raw: null))", isNullable: false)
    }
    return comparison(left, sign, right, isNullable: isNullable)
  }

  private func compare(_ value: Value, _ sign: String) -> SQLExpression<Bool> {
    let right = bind(value)
    // A calculation with numbers can yield NULL, such as infinity minus infinity.
    let isCertain = column != nil && !isNullable && right.arguments != [.null]
    return comparison(operand(.sum), sign, right, isNullable: !isCertain)
  }

  /// Returns a comparison with its opposite, if neither side can be NULL.
  private func comparison(
    _ left: SQL, _ sign: String, _ right: SQL, isNullable: Bool
  ) -> SQLExpression<Bool> {
    let comparison = Comparison(left: left, sign: sign, right: right)
    var condition = SQLExpression<Bool>(comparison.sql, isNullable: isNullable)
    if !isNullable { condition.comparison = comparison }
    return condition
  }

  /// Returns a comparison with another expression.
  ///
  /// - Parameter nullable: The sign that treats NULL like any other value, if there is one.
  private func compare<Other>(
    _ other: SQLExpression<Other>, _ sign: String, nullable: String? = nil
  ) -> SQLExpression<Bool> {
    let mayBeNull = isNullable || other.isNullable
    let sign = mayBeNull ? nullable ?? sign : sign
    var sql: SQL = "\(operand(.sum)) \(SQL(raw: sign)) \(other.operand(.sum))"
    sql.append(storageProblem(with: other))
    return SQLExpression<Bool>(sql, isNullable: mayBeNull && nullable == nil)
  }

  /// Returns a problem if the columns of two expressions store the same type in different ways, or
  /// else nothing.
  func storageProblem<Other>(with other: SQLExpression<Other>) -> SQL {
    guard let storage = coder?.storage, let otherStorage = other.coder?.storage,
      storage != otherStorage
    else { return SQL(raw: "") }
    return SQL(
      problem: .declaration,
      "\(sql.text) and \(other.sql.text) store their values differently, so that equal ones never "
        + "match. Declare both columns with the same codec.")
  }
}

/// A comparison of two operands.
struct Comparison: Sendable {
  let left: SQL
  let sign: String
  let right: SQL

  var sql: SQL {
    var sql = left
    sql.append(raw: " \(sign) ")
    sql.append(right)
    return sql
  }

  /// The opposite comparison, if the sign has an opposite one. Unlike `NOT`, it can use an index.
  var opposite: Comparison? {
    Self.opposites[sign].map { Comparison(left: left, sign: $0, right: right) }
  }

  private static let opposites = [
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "<>", "<>": "=",
  ]
}

// MARK: - Logic

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
    if let opposite = condition.comparison?.opposite {
      return Self(opposite.sql, isNullable: false)
    }
    guard condition.isNullable else {
      return Self("NOT \(condition.operand(.comparison))", .not, isNullable: false)
    }
    return Self("\(condition.operand(.sum)) IS NOT TRUE", isNullable: false)
  }
}

// MARK: - Arithmetic

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
