/// The results of a query in groups, one for each combination of the values of some expressions.
///
/// `having`, `order`, `limit` and `offset` apply to the groups. `select` returns a ``Selection`` of
/// one value of each group, or of values that an initializer combines:
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
/// // SELECT "categories"."name", strftime(?, …), coalesce(sum("expenses"."amount"), 0)
/// // FROM … GROUP BY "categories"."name", strftime(?, …) HAVING … ORDER BY … LIMIT ?
/// ```
/// | aggregate | SQL | without values |
/// | --- | --- | --- |
/// | `count()` | `count("id")`: the number of rows in which the value is not NULL | 0 |
/// | `count(distinct: true)` | `count(DISTINCT "id")` | 0 |
/// | `count(where: condition)` | `count("id") FILTER (WHERE …)` | 0 |
/// | `sum()` | `coalesce(sum("amount"), 0)` | 0 |
/// | `average()` | `avg("amount")` | `nil` |
/// | `min()`, `max()` | `min("date")`, `max("date")` | `nil` |
///
/// A column that is neither a key nor inside an aggregate has the value of an arbitrary row of the
/// group.
///
/// The type parameter lists the tables, as that of a ``Join`` does: `Grouping<One<Inner<Charter>>>`
/// is a grouping of one table.
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
  /// Groups the rows of the query by the equal values of one or more expressions, one a line.
  ///
  /// ```swift
  /// Charter.all.group { $0.location }.select { $0.guests.sum() }
  /// // SELECT coalesce(sum("charters"."guests"), 0) FROM "charters" GROUP BY "charters"."location"
  /// ```
  /// A limit of the query applies before the grouping.
  public func group<each Key>(
    @ExpressionBuilder _ keys: (Columns<Row>) -> ExpressionList<repeat each Key>
  ) -> Grouping<One<Inner<Row>>> {
    asJoin.group(keys)
  }
}

@_documentation(visibility: internal)
extension Join {
  /// Groups the results by equal values.
  ///
  /// `GROUP BY …`
  public func group<each Key>(
    @ExpressionBuilder _ keys: (Tables.Columns) -> ExpressionList<repeat each Key>
  ) -> Grouping<Tables> {
    Grouping(self, by: keys(columns).sql)
  }
}

@_documentation(visibility: internal)
extension Grouping {
  /// Filters the groups by a further condition.
  ///
  /// `HAVING …`
  public func having(
    _ condition: (Tables.Columns) -> SQLExpression<Bool>
  ) -> Self {
    with { $0.groupCondition.require(condition(source.columns)) }
  }

  /// Sorts the groups by keys and aggregates, after the existing terms.
  public func order(
    @OrderBuilder _ terms: (Tables.Columns) -> [OrderTerm]
  ) -> Self {
    with { $0.terms += terms(source.columns) }
  }

  /// Limits the number of groups.
  public func limit(_ count: Int) -> Self { with { $0.count = count } }

  /// Skips a number of groups at the start.
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

  /// Selects values of each group and creates another value from them, such as a struct by its
  /// initializer.
  public func select<each Part: Sendable, Value>(
    _ make: @escaping @Sendable (repeat each Part) -> Value,
    @ExpressionBuilder _ parts: (Tables.Columns) -> ExpressionList<repeat each Part>
  ) -> Selection<Value> {
    Selection(parts(source.columns), " FROM \(source.tables)\(clauses.sql)", make)
  }
}
