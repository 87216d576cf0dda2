extension Record {
  /// A query for all rows.
  ///
  /// `SELECT "id", … FROM "charters"`. The functions of a ``Query`` that begin one can be called on
  /// the type, too: `Charter.where { … }` is `Charter.all.where { … }`, and so are `order`,
  /// `including`, `joining`, `leftJoining`, `group` and `matching`.
  public static var all: Query<Self> { Query() }

  /// Returns a query for the rows that satisfy a condition.
  ///
  /// ```swift
  /// Charter.where { $0.startDate > now && $0.name.contains("Alma") || $0.guests.in([2, 4]) }
  /// // SELECT "id", … FROM "charters" WHERE "charters"."startDate" > ? AND …
  /// ```
  @_documentation(visibility: internal)
  public static func `where`(
    _ condition: (Columns<Self>) -> SQLExpression<Bool>
  ) -> Query<Self> {
    all.where(condition)
  }

  /// Returns a query for all rows, sorted by one or more terms; see ``Query/order(_:)``.
  @_documentation(visibility: internal)
  public static func order(
    @OrderBuilder _ terms: (Columns<Self>) -> [OrderTerm]
  ) -> Query<Self> {
    all.order(terms)
  }

  /// Returns a query for all rows with the rows of another table that refer to them; see
  /// ``Query/including(_:by:)``.
  @_documentation(visibility: internal)
  public static func including<Child: Record>(
    _ children: Query<Child>, by property: PartialKeyPath<Child>? = nil
  ) -> IncludingQuery<Self, Child> {
    all.including(children, by: property)
  }
}

extension Record where Self: Identifiable {
  /// Returns a query for the row with a primary key that is one column, the property `id`.
  ///
  /// ```swift
  /// let charter = try Charter.find(id).first(reader)
  /// // SELECT "id", … FROM "charters" WHERE "id" = ?
  /// ```
  /// An observation of the row ignores changes of other rows. Fetching throws ``DatabaseError``
  /// with code `declaration` if the table has another primary key.
  @inlinable
  public static func find(_ id: ID) -> Query<Self> {
    guard let coder = table.plan.keyCoder(for: { $0.id }) else { return noQuery(nil) }
    let (key, failure) = coder.encode(id)
    return failure == nil ? Query(key: key) : noQuery(coder.bind(id))
  }

  /// Returns a query that fails, by the problem of the key or because the table has no such key.
  @usableFromInline
  static func noQuery(_ problem: SQL?) -> Query<Self> {
    let problem =
      problem
      ?? SQL(
        problem: .declaration,
        "The primary key of “\(table.name)” is not the property “id” alone. Use where.")
    var query = Query<Self>()
    query.condition = SQLExpression<Bool>(problem, isNullable: false)
    return query
  }
}
