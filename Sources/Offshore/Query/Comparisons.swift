extension SQLExpression {
  /// Whether the value equals another; `nil` equals NULL.
  ///
  /// `"name" = ?`, or `"name" IS NULL` for `nil`
  public static func == (lhs: Self, rhs: Value?) -> SQLExpression<Bool> {
    lhs.compare(rhs, "=", null: "IS NULL")
  }

  /// Whether the value differs from another; NULL differs from all but `nil`.
  ///
  /// `"name" <> ?`, or `"name" IS NOT ?` where the column accepts NULL
  public static func != (lhs: Self, rhs: Value?) -> SQLExpression<Bool> {
    guard lhs.isNullable else { return lhs.compare(rhs, "<>", null: "IS NOT NULL") }
    let condition = lhs.compare(rhs, "IS NOT", null: "IS NOT NULL")
    return SQLExpression<Bool>(condition.sql, isNullable: false)
  }

  /// Whether two values are equal; NULL equals NULL.
  ///
  /// `"a" = "b"`, or `"a" IS "b"` where either accepts NULL
  public static func == (lhs: Self, rhs: Self) -> SQLExpression<Bool> {
    lhs.compare(rhs, "=", nullable: "IS")
  }

  /// Whether two values differ; NULL differs from all but NULL.
  ///
  /// `"a" <> "b"`, or `"a" IS NOT "b"` where either accepts NULL
  public static func != (lhs: Self, rhs: Self) -> SQLExpression<Bool> {
    lhs.compare(rhs, "<>", nullable: "IS NOT")
  }

  /// Whether an optional value equals another that is not; see ``==(_:_:)``.
  public static func == <Wrapped>(
    lhs: Self, rhs: SQLExpression<Wrapped>
  ) -> SQLExpression<Bool> where Value == Wrapped? {
    lhs.compare(rhs, "=", nullable: "IS")
  }

  /// Whether a value equals another that is optional; see ``==(_:_:)``.
  public static func == (lhs: Self, rhs: SQLExpression<Value?>) -> SQLExpression<Bool> {
    lhs.compare(rhs, "=", nullable: "IS")
  }
}

extension SQLExpression where Value: SQLComparable {
  /// Whether the value sorts before another. NULL does not compare: the condition does not hold.
  ///
  /// `"startDate" < ?`
  public static func < (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs.compare(rhs, "<") }

  /// Whether the value equals another or sorts before it.
  public static func <= (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs.compare(rhs, "<=") }

  /// Whether the value sorts after another.
  public static func > (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs.compare(rhs, ">") }

  /// Whether the value equals another or sorts after it.
  public static func >= (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs.compare(rhs, ">=") }

  /// Whether the value sorts before that of another expression.
  public static func < (lhs: Self, rhs: Self) -> SQLExpression<Bool> { lhs.compare(rhs, "<") }

  /// Whether the value equals that of another expression or sorts before it.
  public static func <= (lhs: Self, rhs: Self) -> SQLExpression<Bool> { lhs.compare(rhs, "<=") }

  /// Whether the value sorts after that of another expression.
  public static func > (lhs: Self, rhs: Self) -> SQLExpression<Bool> { lhs.compare(rhs, ">") }

  /// Whether the value equals that of another expression or sorts after it.
  public static func >= (lhs: Self, rhs: Self) -> SQLExpression<Bool> { lhs.compare(rhs, ">=") }
}

extension SQLExpression {
  /// A comparison with a value, which has a form of its own for NULL.
  private func compare(_ value: Value?, _ sign: String, null: String) -> SQLExpression<Bool> {
    let left = operand(.sum)
    guard let value, case let right = bind(value), right.arguments != [.null] else {
      return SQLExpression<Bool>("\(left) \(SQL(raw: null))", isNullable: false)
    }
    return comparison(left, sign, right, isNullable: isNullable)
  }

  private func compare(_ value: Value, _ sign: String) -> SQLExpression<Bool> {
    let right = bind(value)
    // A calculation may come to NULL from numbers: infinity less infinity.
    let isCertain = column != nil && !isNullable && right.arguments != [.null]
    return comparison(operand(.sum), sign, right, isNullable: !isCertain)
  }

  /// A comparison that knows its opposite, where neither side can be NULL.
  private func comparison(
    _ left: SQL, _ sign: String, _ right: SQL, isNullable: Bool
  ) -> SQLExpression<Bool> {
    var condition = SQLExpression<Bool>(
      "\(left) \(SQL(raw: sign)) \(right)", isNullable: isNullable)
    guard !isNullable, let opposite = opposites[sign] else { return condition }
    condition.opposite = "\(left) \(SQL(raw: opposite)) \(right)"
    return condition
  }

  /// A comparison with another expression.
  ///
  /// - Parameter nullable: the sign that treats NULL as a value like others, if there is one.
  private func compare<Other>(
    _ other: SQLExpression<Other>, _ sign: String, nullable: String? = nil
  ) -> SQLExpression<Bool> {
    let mayBeNull = isNullable || other.isNullable
    let sign = mayBeNull ? nullable ?? sign : sign
    var sql: SQL = "\(operand(.sum)) \(SQL(raw: sign)) \(other.operand(.sum))"
    sql.append(storageProblem(with: other))
    return SQLExpression<Bool>(sql, isNullable: mayBeNull && nullable == nil)
  }

  /// Nothing, or a problem that names two expressions whose columns store one type of value in two
  /// ways.
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

private let opposites = ["<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "<>", "<>": "="]
