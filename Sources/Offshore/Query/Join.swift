/// The rows of two to four tables, combined by conditions.
///
/// ```swift
/// let dear = Expense.joining(Category.self)
///   .leftJoining(Receipt.self).on { expense, _, receipt in receipt.expenseID == expense.id }
///   .where { expense, category, _ in expense.amount > 100 && category.name != "Rent" }
///   .order { expense, _, _ in expense.date.descending }
/// // SELECT "expenses"."id", … FROM "expenses"
/// // JOIN "categories" ON "expenses"."categoryID" = "categories"."id"
/// // LEFT JOIN "receipts" ON "receipts"."expenseID" = "expenses"."id" WHERE … ORDER BY …
/// for result in try dear.all(reader) {
///   let (expense, category, receipt) = result.rows
/// }
/// ```
/// ``Query/joining(_:by:)`` begins a join, and `joining` and `leftJoining` add a third and a fourth
/// table. A third or fourth table needs a condition by ``on(_:)``, unless the declared references
/// between it and all earlier tables are exactly one in total. A join has the `where`, `order`,
/// `limit`, `offset`, `select`, `group` and `forEach` of a ``Query``; their closures have a
/// parameter for each table. A table that occurs twice has a separate name in each place, such as
/// `"expenses2"`.
///
/// The `rows` of a result are a tuple. The row of a left-joined table is optional, and its columns
/// are optional in closures.
///
/// The type parameter lists the tables: `One`, `Two`, `Three` or `Four`, with `Inner` for a table
/// that has a row in each result, and `Left` for a left-joined one. Swift infers it; as the type of
/// a property, that of the join above is written
/// `Join<Three<Inner<Expense>, Inner<Category>, Left<Receipt>>>`.
public struct Join<Tables: JoinedTables>: Sendable {
  /// The tables with their names in the statement.
  let places: [JoinPlace]
  /// The text after `FROM` for the tables before the last one.
  private let former: SQL
  /// The text of the last table, such as `JOIN "charters"`, or the first table.
  private let last: SQL
  /// The condition of the last table; `nil` for the first.
  private var match: SQL?
  var clauses = Clauses()
  /// Returns the columns of all tables for the tables' names in the statement.
  private let columnsByNames: @Sendable ([String]) -> Tables.Columns
  /// Reads the rows of a result.
  let read: @Sendable (inout RowReader) throws -> Tables.Rows

  fileprivate init(
    places: [JoinPlace], former: SQL, last: SQL, match: SQL?, clauses: Clauses,
    columns: @escaping @Sendable ([String]) -> Tables.Columns,
    read: @escaping @Sendable (inout RowReader) throws -> Tables.Rows
  ) {
    self.places = places
    self.former = former
    self.last = last
    self.match = match
    self.clauses = clauses
    columnsByNames = columns
    self.read = read
  }

  /// The text after `FROM`.
  var tables: SQL { match.map { "\(former) \(last) ON \($0)" } ?? last }
}

// MARK: - Joining

extension Query {
  /// Adds to each row the row of another table that it refers to, or that refers to it, by the one
  /// declared reference between the two.
  ///
  /// ```swift
  /// Checklist.where { !$0.isDone }.joining(Charter.self)
  ///   .where { checklist, charter in charter.startDate > now }
  /// // SELECT "checklists"."id", …, "charters"."id", … FROM "checklists"
  /// // JOIN "charters" ON "checklists"."charterID" = "charters"."id" WHERE …
  /// ```
  /// Rows without a match are omitted; `leftJoining(_:by:)` keeps them by a `LEFT JOIN`.
  ///
  /// If several references are declared between the tables, choose one of this table by `property`.
  /// State the condition by ``Join/on(_:)`` if none is declared, or to follow one of several
  /// references of the other table. Otherwise fetching throws ``DatabaseError`` with code
  /// `declaration`.
  ///
  /// - Parameters:
  ///   - other: The record type of the other table.
  ///   - property: The property of this table whose column refers to the other table.
  public func joining<Other: Record>(
    _ other: Other.Type, by property: PartialKeyPath<Row>? = nil
  ) -> Join<Two<Inner<Row>, Inner<Other>>> {
    asJoin.adding(.inner(other), by: property)
  }

  /// Adds the row of another table as ``joining(_:by:)`` does, or `nil` to a row without a match.
  ///
  /// `LEFT JOIN "charters" ON …`
  @_documentation(visibility: internal)
  public func leftJoining<Other: Record>(
    _ other: Other.Type, by property: PartialKeyPath<Row>? = nil
  ) -> Join<Two<Inner<Row>, Left<Other>>> {
    asJoin.adding(.left(other), by: property)
  }

  /// The query as the first table of a join, in its order.
  var asJoin: Join<One<Inner<Row>>> {
    let name = Row.table.name
    let table: SQL = isPart ? "(\(joinedSQL)) AS \(identifier: name)" : tables
    let clauses = Clauses(condition: isPart ? nil : conditions, terms: joinedTerms)
    let part = JoinedPart.inner(Row.self)
    return Join(
      places: [part.place(name)], former: "", last: table, match: nil, clauses: clauses,
      columns: { part.columns($0[0]) }, read: part.read)
  }
}

@_documentation(visibility: internal)
extension Join {
  /// Adds the row of another table that a row refers to, or that refers to it.
  ///
  /// The rows match by the one declared reference between this table and all tables before it, or
  /// by the condition of ``on(_:)``.
  public func joining<First, Second, Other: Record>(
    _ other: Other.Type
  ) -> Join<Three<First, Second, Inner<Other>>> where Tables == Two<First, Second> {
    adding(.inner(other))
  }

  /// Adds the row of another table as `joining` does, or `nil` to a result without a match.
  public func leftJoining<First, Second, Other: Record>(
    _ other: Other.Type
  ) -> Join<Three<First, Second, Left<Other>>> where Tables == Two<First, Second> {
    adding(.left(other))
  }

  /// Adds a fourth table; see the function of two tables.
  public func joining<First, Second, Third, Other: Record>(
    _ other: Other.Type
  ) -> Join<Four<First, Second, Third, Inner<Other>>> where Tables == Three<First, Second, Third> {
    adding(.inner(other))
  }

  /// Adds a fourth table; see the function of two tables.
  public func leftJoining<First, Second, Third, Other: Record>(
    _ other: Other.Type
  ) -> Join<Four<First, Second, Third, Left<Other>>> where Tables == Three<First, Second, Third> {
    adding(.left(other))
  }
}

extension Join {
  /// Matches the rows of the last table by a condition instead of a declared reference.
  ///
  /// ```swift
  /// Expense.joining(Expense.self).on { expense, original in expense.repeatedID == original.id }
  /// // … JOIN "expenses" AS "expenses2" ON "expenses"."repeatedID" = "expenses2"."id"
  /// ```
  public func on(_ condition: (Tables.Columns) -> SQLExpression<Bool>) -> Self {
    var copy = self
    copy.match = condition(columns).sql
    return copy
  }
}

// MARK: - Adding tables

extension Join {
  fileprivate func adding<First, Other>(
    _ part: JoinedPart<Other>, by property: AnyKeyPath? = nil
  ) -> Join<Two<First, Other>> where Tables == One<First> {
    let (columns, read) = (columnsByNames, read)
    return adding(part, by: property) { names in
      (columns(names), part.columns(names[1]))
    } read: {
      JoinedRows(try read(&$0), try part.read(&$0))
    }
  }

  fileprivate func adding<First, Second, Other>(
    _ part: JoinedPart<Other>
  ) -> Join<Three<First, Second, Other>> where Tables == Two<First, Second> {
    let (columns, read) = (columnsByNames, read)
    return adding(part) { names in
      let (first, second) = columns(names)
      return (first, second, part.columns(names[2]))
    } read: {
      let (first, second) = try read(&$0).rows
      return JoinedRows(first, second, try part.read(&$0))
    }
  }

  fileprivate func adding<First, Second, Third, Other>(
    _ part: JoinedPart<Other>
  ) -> Join<Four<First, Second, Third, Other>> where Tables == Three<First, Second, Third> {
    let (columns, read) = (columnsByNames, read)
    return adding(part) { names in
      let (first, second, third) = columns(names)
      return (first, second, third, part.columns(names[3]))
    } read: {
      let (first, second, third) = try read(&$0).rows
      return JoinedRows(first, second, third, try part.read(&$0))
    }
  }

  private func adding<Other, All: JoinedTables>(
    _ part: JoinedPart<Other>, by property: AnyKeyPath? = nil,
    columns: @escaping @Sendable ([String]) -> All.Columns,
    read: @escaping @Sendable (inout RowReader) throws -> All.Rows
  ) -> Join<All> {
    let name = freeName(of: part.table)
    let place = part.place(name)
    let match = place.reference(among: places, by: property)
    var last: SQL = "\(SQL(raw: part.keyword)) \(identifier: part.table)"
    if name != part.table { last.append(" AS \(identifier: name)") }
    return Join<All>(
      places: places + [place], former: tables, last: last, match: match, clauses: clauses,
      columns: columns, read: read)
  }

  /// Returns a name that no table of the join has yet: the table's own, or one with a number.
  private func freeName(of table: String) -> String {
    let names = places.map(\.name)
    guard names.contains(table) else { return table }
    return (2...).lazy.map { "\(table)\($0)" }.first { !names.contains($0) } ?? table
  }
}

// MARK: - Clauses

extension Join {
  /// The columns of all tables.
  var columns: Tables.Columns { columnsByNames(places.map(\.name)) }

  /// Filters the results by a further condition.
  ///
  /// `WHERE …`
  @_documentation(visibility: internal)
  public func `where`(
    _ condition: (Tables.Columns) -> SQLExpression<Bool>
  ) -> Self {
    with { $0.condition.require(condition(columns)) }
  }

  /// Sorts by terms of any of the tables, after the existing terms.
  @_documentation(visibility: internal)
  public func order(
    @OrderBuilder _ terms: (Tables.Columns) -> [OrderTerm]
  ) -> Self {
    with { $0.terms += terms(columns) }
  }

  /// Limits the number of results.
  @_documentation(visibility: internal)
  public func limit(_ count: Int) -> Self { with { $0.count = count } }

  /// Skips a number of results at the start.
  @_documentation(visibility: internal)
  public func offset(_ count: Int) -> Self { with { $0.skipped = count } }

  private func with(_ change: (inout Clauses) -> Void) -> Self {
    var copy = self
    change(&copy.clauses)
    return copy
  }
}

// MARK: - Fetching

@_documentation(visibility: internal)
extension Join: Fetchable {
  /// The statement that fetches the rows of all tables.
  public var sql: SQL {
    let list = places.flatMap(\.fullNames)
    return "SELECT \(SQL(raw: list.joined(separator: ", "))) FROM \(tables)\(clauses.sql)"
  }

  /// Returns the results, in the order of the join.
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  public func all(_ reader: Reader) throws -> [Tables.Rows] {
    for place in places { try place.checkFirstUse() }
    return try reader.connection.fetch(sql) { try read(&$0) }
  }

  /// Returns the first result, or `nil` if there is none.
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  public func first(_ reader: Reader) throws -> Tables.Rows? {
    try limit(min(clauses.count ?? 1, 1)).all(reader).first
  }

  /// Returns the number of results.
  ///
  /// `SELECT count(*) FROM …`
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  public func count(_ reader: Reader) throws -> Int {
    let sql: SQL = "SELECT count(*) FROM (SELECT 1 FROM \(tables)\(clauses.sql))"
    return try reader.connection.fetchOne(sql) { try $0.value(Int.self) } ?? 0
  }
}
