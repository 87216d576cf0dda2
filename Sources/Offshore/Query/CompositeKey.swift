extension Record {
  /// Returns a query for the row with a primary key of any number of columns.
  ///
  /// `SELECT … FROM "stops" WHERE "voyage" = ?1 AND "number" = ?2`. Its ``Query/first(_:)``
  /// composes no SQL. The query fails if the types of the values differ from those of the key's
  /// properties.
  /// - Parameter value: The values of the key's columns, in the order of their declarations.
  package static func find<each Value: Equatable>(key value: repeat each Value) -> Query<Self> {
    let plan = table.plan
    var key: [SQLValue] = []
    for value in repeat each value {
      guard key.count < plan.keyIndexes.count,
        let stored = plan.lookups[plan.keyIndexes[key.count]].stored(value)
      else { return noKey }
      key += stored
    }
    return key.count == plan.keyIndexes.count ? Query(key: key) : noKey
  }

  private static var noKey: Query<Self> {
    let problem = SQL(
      problem: .declaration,
      "The values do not fit the primary key of “\(table.name)”. Pass one for each of its columns.")
    var query = Query<Self>()
    query.condition = SQLExpression<Bool>(problem, isNullable: false)
    return query
  }
}

extension ColumnLookup {
  /// Returns the stored form of a value, or `nil` if the column has another type or cannot store
  /// it.
  fileprivate func stored<Value>(_ value: Value) -> [SQLValue]? {
    guard let (stored, failure) = coder.coder(of: Value.self)?.encode(value), failure == nil else {
      return nil
    }
    return stored
  }
}
