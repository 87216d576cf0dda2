/// The results of a query by the values that they have for expressions, one group for each combination.
///
/// ```swift
/// let totals = Expense.joining(Category.self)
///   .group { expense, category in
///     category.name
///     expense.date.formatted("%Y-%m")
///   }
///   .having { expense, _ in expense.amount.sum() > 100 }
///   .order { expense, _ in expense.amount.sum().descending }
///   .limit(5)
///   .select(Total.init) { expense, category in
///     category.name
///     expense.date.formatted("%Y-%m")
///     expense.amount.sum()
///   }
/// ```
/// A column that is neither a key nor within an aggregate has the value of any row of the group.
public struct Grouping<Tables: JoinedTables>: Sendable {
  private let source: Join<Tables>
  private var clauses: Clauses

  fileprivate init(_ source: Join<Tables>, by keys: SQL) {
    self.source = source
    clauses = Clauses(condition: source.clauses.condition, keys: keys)
    guard source.clauses.count != nil || source.clauses.skipped != nil else { return }
    let message =
      "A limit of joined rows would be lost in groups. Limit the query before it is joined."
    clauses.condition.require(
      SQLExpression<Bool>(SQL(problem: .invalidSQL, message), isNullable: false))
  }
}

extension Query {
  /// Puts rows of equal values together: the rows of the query, with its limit if it has one.
  ///
  /// `GROUP BY …`
  public func group<each Key>(
    @ExpressionBuilder _ keys: (Columns<Row>) -> ExpressionList<repeat each Key>
  ) -> Grouping<One<Inner<Row>>> {
    asJoin.group(keys)
  }
}

extension Record {
  /// All rows by the values that they have for expressions; see ``Query/group(_:)``.
  public static func group<each Key>(
    @ExpressionBuilder _ keys: (Columns<Self>) -> ExpressionList<repeat each Key>
  ) -> Grouping<One<Inner<Self>>> {
    all.group(keys)
  }
}

extension Join {
  /// Puts results of equal values together.
  ///
  /// `GROUP BY …`
  public func group<each Key>(
    @ExpressionBuilder _ keys: (Tables.Columns) -> ExpressionList<repeat each Key>
  ) -> Grouping<Tables> {
    Grouping(self, by: keys(columns).sql)
  }
}

extension Grouping {
  /// Keeps the groups that also meet a condition.
  ///
  /// `HAVING …`
  public func having(
    _ condition: (Tables.Columns) -> SQLExpression<Bool>
  ) -> Self {
    with { $0.groupCondition.require(condition(source.columns)) }
  }

  /// Sorts the groups by keys and aggregates, after the terms already there.
  public func order(
    @OrderBuilder _ terms: (Tables.Columns) -> [OrderTerm]
  ) -> Self {
    with { $0.terms += terms(source.columns) }
  }

  /// Takes a number of groups at the most.
  public func limit(_ count: Int) -> Self { with { $0.count = count } }

  /// Leaves out a number of groups from the start.
  public func offset(_ count: Int) -> Self { with { $0.skipped = count } }

  private func with(_ change: (inout Clauses) -> Void) -> Self {
    var copy = self
    change(&copy.clauses)
    return copy
  }

  /// Selects one value of each group.
  public func select<Value: Sendable>(
    _ value: (Tables.Columns) -> SQLExpression<Value>
  ) -> Selection<Value> {
    Selection(value(source.columns), " FROM \(source.tables)\(clauses.sql)")
  }

  /// Selects values of each group, from which another is made, such as a struct by its initializer.
  public func select<each Part: Sendable, Value>(
    _ make: @escaping @Sendable (repeat each Part) -> Value,
    @ExpressionBuilder _ parts: (Tables.Columns) -> ExpressionList<repeat each Part>
  ) -> Selection<Value> {
    Selection(parts(source.columns), " FROM \(source.tables)\(clauses.sql)", make)
  }
}
