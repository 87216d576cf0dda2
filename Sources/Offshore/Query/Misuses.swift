// Overloads that cannot be called. Each replaces a misleading message of the compiler about a
// mistake.

extension OrderBuilder {
  @available(
    *, unavailable,
    message: "not sorted in SQL: an enum conforms to SQLComparable, Decimal is stored as text"
  )
  @_disfavoredOverload
  public static func buildExpression<Value>(_ expression: SQLExpression<Value>) -> [OrderTerm] {
    []
  }
}

extension SQLExpression {
  @available(
    *, unavailable,
    message: "not sorted in SQL: an enum conforms to SQLComparable, Decimal is stored as text"
  )
  @_disfavoredOverload
  public static func < (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs == rhs }

  @available(
    *, unavailable,
    message: "not sorted in SQL: an enum conforms to SQLComparable, Decimal is stored as text"
  )
  @_disfavoredOverload
  public static func <= (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs == rhs }

  @available(
    *, unavailable,
    message: "not sorted in SQL: an enum conforms to SQLComparable, Decimal is stored as text"
  )
  @_disfavoredOverload
  public static func > (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs == rhs }

  @available(
    *, unavailable,
    message: "not sorted in SQL: an enum conforms to SQLComparable, Decimal is stored as text"
  )
  @_disfavoredOverload
  public static func >= (lhs: Self, rhs: Value) -> SQLExpression<Bool> { lhs == rhs }

  @available(
    *, unavailable,
    message: "not calculated with in SQL: an optional gets a value by ??, Decimal is text"
  )
  @_disfavoredOverload
  public static func + (lhs: Self, rhs: Value) -> Self { lhs }

  @available(
    *, unavailable,
    message: "not calculated with in SQL: an optional gets a value by ??, Decimal is text"
  )
  @_disfavoredOverload
  public static func - (lhs: Self, rhs: Value) -> Self { lhs }

  @available(
    *, unavailable,
    message: "not calculated with in SQL: an optional gets a value by ??, Decimal is text"
  )
  @_disfavoredOverload
  public static func * (lhs: Self, rhs: Value) -> Self { lhs }

  @available(
    *, unavailable,
    message: "not calculated with in SQL: an optional gets a value by ??, Decimal is text"
  )
  @_disfavoredOverload
  public static func / (lhs: Self, rhs: Value) -> Self { lhs }

  @available(
    *, unavailable,
    message: "not calculated with in SQL: an optional gets a value by ??, Decimal is text"
  )
  @_disfavoredOverload
  public static func % (lhs: Self, rhs: Value) -> Self { lhs }

  @available(
    *, unavailable,
    message: "not calculated with in SQL: an optional gets a value by ??, Decimal is text"
  )
  @_disfavoredOverload
  public func sum() -> SQLExpression<Value?> { optional }
}

extension Record {
  @available(*, unavailable, message: "rows are chosen by `where`")
  public static func filter(_ condition: (Columns<Self>) -> SQLExpression<Bool>) -> Query<Self> {
    all
  }
}

extension Query {
  @available(*, unavailable, message: "rows are chosen by `where`")
  public func filter(_ condition: (Columns<Row>) -> SQLExpression<Bool>) -> Self { self }
}

extension Table {
  @available(
    *, unavailable,
    message: "list one column for each parameter of the initializer, of its type and in order"
  )
  @_disfavoredOverload
  public init<each Parameter, each Codec: ColumnCodec>(
    _ name: String, _ makeRow: @escaping @Sendable (repeat each Parameter) -> Row,
    _ column: repeat Column<Row, each Codec>
  ) { preconditionFailure() }
}

extension Column {
  @available(
    *, unavailable,
    message: "the codec after `as:` stores values of another type than the property has"
  )
  @_disfavoredOverload
  public init<Value>(
    _ name: String, _ keyPath: any KeyPath<Row, Value> & Sendable, as kind: CodecKind<Codec>
  ) { preconditionFailure() }
}
