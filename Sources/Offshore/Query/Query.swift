/// The rows of one table that satisfy conditions, with an order and a limit.
///
/// A query is a value. It runs only when it receives a ``Reader`` or ``Writer``:
///
/// ```swift
/// let upcoming = Charter.where { $0.startDate > now }.order { $0.startDate }.limit(20)
/// // SELECT "id", … FROM "charters" WHERE "charters"."startDate" > ?
/// // ORDER BY "charters"."startDate", "charters"."id" LIMIT ?
/// let charters = try await database.read { try upcoming.all($0) }
/// ```
///
/// Conditions are combined by `AND`, and later orders follow earlier ones. Apart from that, the
/// order of the calls makes no difference: a limit always applies to the rows that satisfy all
/// conditions. ``Fetchable`` has the functions that run a query, such as ``Fetchable/all(_:)``, and
/// ``Database/values(of:)`` observes its rows. Two queries are equal if they have the same
/// statement with the same values.
public struct Query<Row: Record>: Sendable {
  /// The stored key of the only row that can match, if the query was created from a key.
  @usableFromInline package internal(set) var key: [SQLValue]?

  @usableFromInline var condition: SQLExpression<Bool>?
  @usableFromInline var terms: [OrderTerm] = []
  @usableFromInline var count: Int?
  @usableFromInline var skipped: Int?
  /// The row after which the result continues, or no element. An array makes queries of all row
  /// types equally large, so that copying one needs no lookup of the type.
  @usableFromInline var boundary: [Row] = [] { didSet { isContinued = !boundary.isEmpty } }
  /// Whether the boundary has a row. Reading the array would need a lookup of its type.
  @usableFromInline var isContinued = false
  /// The search by a text index.
  @usableFromInline var match: TextMatch?
  /// Whether the matching rows are sorted by rank.
  @usableFromInline var isRanked = false

  @inlinable
  init(key: [SQLValue]? = nil) { self.key = key }

  /// Filters the rows by a further condition, which ``SQLExpression`` describes.
  ///
  /// ```swift
  /// Charter.where { $0.startDate > now && $0.name.contains("Alma") || $0.guests.in([2, 4]) }
  /// // … WHERE "charters"."startDate" > ? AND instr("charters"."name", ?) > 0 OR …
  /// ```
  public func `where`(
    _ condition: (Columns<Row>) -> SQLExpression<Bool>
  ) -> Self {
    with { $0.condition.require(condition(Columns())) }
  }

  /// Sorts by one term, or by several in an array or in lines, after the existing terms.
  ///
  /// ```swift
  /// .order { [$0.startDate.descending, $0.name.ascending] }
  /// // ORDER BY "startDate" DESC, "name"
  /// ```
  /// A term is an expression of a ``SQLComparable`` type, with its direction: `ascending` or
  /// `descending`. A single expression is sorted in ascending order. NULL sorts before all values.
  public func order(@OrderBuilder _ terms: (Columns<Row>) -> [OrderTerm]) -> Self {
    with { $0.terms += terms(Columns()) }
  }

  /// Limits the number of rows; `offset(_:)` skips rows at the start.
  ///
  /// `LIMIT ? OFFSET ?`. Rows that are equal in the query's order are then sorted by their primary
  /// key, so that the result is always the same. For pages of a list, ``after(_:)`` is faster than
  /// an offset. Fetching throws ``DatabaseError`` with code `invalidSQL` if the number is negative.
  public func limit(_ count: Int) -> Self { with { $0.count = count } }

  /// Skips a number of rows at the start. For pages of a list, ``after(_:)`` is faster.
  ///
  /// `OFFSET ?`
  @_documentation(visibility: internal)
  public func offset(_ count: Int) -> Self { with { $0.skipped = count } }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

// MARK: - SQL

extension Query {
  /// The statement that fetches the rows.
  @_documentation(visibility: internal)
  public var sql: SQL {
    guard ranking != nil else {
      var sql = SQL(raw: Row.table.plan.sql.select)
      sql.append(clauses)
      return sql
    }
    return "SELECT \(columns: Row.self) FROM \(tables)\(clauses)"
  }

  /// The key, if it alone determines the result.
  @inlinable
  var keyAlone: [SQLValue]? {
    condition == nil && match == nil && !isPart ? key : nil
  }

  /// Whether the result is a part of the rows that satisfy the conditions.
  @inlinable
  var isPart: Bool { count != nil || skipped != nil || isContinued }

  /// The text after the table's name.
  var clauses: SQL {
    var sql = filter
    sql.append((ranking?.rankedTerms(terms) ?? allTerms).sql)
    sql.append(SQL.range(count, skipped))
    return sql
  }

  /// ` WHERE …`, or nothing if there are no conditions.
  var filter: SQL {
    guard let conditions else { return SQL(raw: "") }
    var sql = SQL(raw: " WHERE ")
    sql.append(conditions.sql)
    return sql
  }

  /// All conditions together, but for a search that ranks the rows, which is a part of ``tables``.
  var conditions: SQLExpression<Bool>? {
    if key == nil, match == nil, !isContinued { return condition }
    let all = [keyCondition, matchCondition, condition, boundaryCondition].compactMap(\.self)
    guard let first = all.first else { return nil }
    return all.dropFirst().reduce(first) { $0 && $1 }
  }

  private var matchCondition: SQLExpression<Bool>? { ranking == nil ? match?.condition : nil }

  private var keyCondition: SQLExpression<Bool>? {
    guard let key else { return nil }
    let table = Row.table
    var sql = SQL(raw: "")
    for (position, index) in table.plan.keyIndexes.enumerated() where position < key.count {
      sql.append(raw: position == 0 ? "" : " AND ")
      sql.append(raw: table.fullName(of: index) + " = ")
      sql.append(key[position])
    }
    return SQLExpression<Bool>(sql, .and, isNullable: false)
  }
}

@_documentation(visibility: internal)
extension Query: Hashable {
  /// Returns whether two queries have the same statement with the same values.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.sql == rhs.sql }

  public func hash(into hasher: inout Hasher) { hasher.combine(sql) }
}

// MARK: - Fetching

extension Query {
  /// Returns the rows, in the query's order.
  /// - Throws: ``DatabaseError``: `unknownColumn` or `invalidValue` if the query is invalid,
  ///   `invalidValue` if a stored value does not fit its column.
  @_documentation(visibility: internal)
  public func all(_ reader: Reader) throws -> [Row] {
    let connection = reader.connection
    guard let key = keyAlone else {
      if let rows = try OrderedMatches(self, reader)?.all() { return rows }
      return try connection.fetchAll(Row.self, sql)
    }
    return try connection.fetch(Row.table, key: key).map { [$0] } ?? []
  }

  /// Returns the first row, or `nil` if there is none.
  ///
  /// `… LIMIT 1`
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  @_documentation(visibility: internal)
  @inlinable
  public func first(_ reader: Reader) throws -> Row? {
    guard let key = keyAlone else { return try fetchFirst(reader) }
    return try reader.row(Row.table, key: key)
  }

  /// Returns the first row of a query that is not by a key alone.
  @usableFromInline
  func fetchFirst(_ reader: Reader) throws -> Row? {
    if match != nil { return try limit(Swift.min(count ?? 1, 1)).all(reader).first }
    return try reader.connection.fetchOne(Row.self, sqlForOne)
  }

  /// Returns the number of rows.
  ///
  /// `SELECT count(*) FROM …`
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  @_documentation(visibility: internal)
  public func count(_ reader: Reader) throws -> Int {
    let sql: SQL = "SELECT count(*) FROM \(source)"
    return try reader.connection.fetchOne(sql) { try $0.value(Int.self) } ?? 0
  }

  /// Returns whether the query has any row.
  ///
  /// `SELECT EXISTS (SELECT 1 FROM …)`. The property `exists` makes the same test, for use in a
  /// condition of an outer query. The inner query can use the columns of the outer one, here those
  /// of `charter`:
  ///
  /// ```swift
  /// Charter.where { charter in Checklist.where { $0.charterID == charter.id }.exists }
  /// // EXISTS (SELECT 1 FROM "checklists" WHERE "checklists"."charterID" = "charters"."id")
  /// ```
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  public func exists(_ reader: Reader) throws -> Bool {
    let sql: SQL = "SELECT EXISTS (SELECT 1 FROM \(source))"
    return try reader.connection.fetchOne(sql) { try $0.value(Bool.self) } ?? false
  }
}

extension Query {
  /// The statement for the first row. If the query has no limit yet, the limit of 1 adds no order.
  var sqlForOne: SQL {
    guard !isPart else {
      var first = self
      first.count = Swift.min(count ?? 1, 1)
      return first.sql
    }
    return "\(sql) LIMIT 1"
  }

  /// The text after `FROM` in a statement over all rows of the query.
  var source: SQL {
    let table = Row.table.name
    guard isPart else { return "\(tables)\(filter)" }
    return "(\(sql)) AS \(identifier: table)"
  }
}
