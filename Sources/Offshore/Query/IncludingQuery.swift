/// A row with the rows of another table that refer to it.
@_documentation(visibility: internal)
public struct RowWithChildren<Row: Sendable, Child: Sendable>: Sendable {
  /// The referenced row.
  public let row: Row
  /// The rows that refer to it, in the order of their query.
  public let children: [Child]
}

extension RowWithChildren: Equatable where Row: Equatable, Child: Equatable {}

/// The rows of a query, each with the rows of another table that refer to it: its children.
///
/// ```swift
/// for result in try Charter.all.including(Checklist.all).all(reader) {
///   print(result.row.name, result.children.count)
/// }
/// ```
/// It runs two statements for any number of rows: one for the rows, and one for all their children.
/// Its `sql`, `count` and `explain` are of the first one. The children of a row have the order of
/// their query.
public struct IncludingQuery<Row: Record, Child: Record>: Hashable, Sendable {
  let rows: Query<Row>
  let children: Query<Child>
  let match: ReferenceMatch<Child, Row>?
}

extension Query {
  /// Adds the rows of another table that refer to each row, by a second statement.
  ///
  /// ```swift
  /// let charters = try Charter.order { $0.startDate }
  ///   .including(Checklist.where { !$0.isDone }.order { $0.title }).all(reader)
  /// // SELECT "id", … FROM "checklists" WHERE NOT "checklists"."isDone"
  /// // AND "checklists"."charterID" IN (SELECT "charters"."id" FROM "charters" …) ORDER BY …
  /// ```
  /// The other table must declare a reference to this one; if it declares several, choose one by
  /// `property`. Otherwise fetching throws ``DatabaseError`` with code `declaration`. It throws
  /// `invalidSQL` if the other query has a limit.
  ///
  /// - Parameters:
  ///   - children: The included rows and their order.
  ///   - property: The property of the other table whose column refers to this table; required if
  ///     several do.
  public func including<Child: Record>(
    _ children: Query<Child>, by property: PartialKeyPath<Child>? = nil
  ) -> IncludingQuery<Row, Child> {
    do {
      let match = try ReferenceMatch<Child, Row>(by: property)
      let child = Child.table.fullName(of: match.childIndex)
      let parent = Row.table.fullName(of: match.parentIndex)
      let keys: SQL = "SELECT \(SQL(raw: parent)) FROM \(tables)\(clauses)"
      let condition = SQLExpression<Bool>("\(SQL(raw: child)) IN (\(keys))", isNullable: true)
      guard !children.isPart else {
        return IncludingQuery(self, children, failing: .includedLimit)
      }
      return IncludingQuery(
        rows: self, children: children.where { _ in condition }, match: match)
    } catch {
      return IncludingQuery(self, children, failing: error)
    }
  }
}

@_documentation(visibility: internal)
extension IncludingQuery {
  /// Creates a query that throws when it is used.
  fileprivate init(_ rows: Query<Row>, _ children: Query<Child>, failing problem: SQL.Problem) {
    let condition = SQLExpression<Bool>(SQL(problem), isNullable: false)
    self.init(rows: rows, children: children.where { _ in condition }, match: nil)
  }

  /// The statement of the rows, without their children.
  public var sql: SQL { rows.sql }

  /// The statement of the rows that refer to them.
  var childrenSQL: SQL { children.sql }

  /// Returns the rows in their query's order, each with the rows that refer to it.
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  public func all(_ reader: Reader) throws -> [RowWithChildren<Row, Child>] {
    let childrenByKey = try childrenByKey(reader)
    guard let match else { return [] }
    let lookup = Row.table.plan.lookups[match.parentIndex]
    return try rows.all(reader).map { row in
      let key = lookup.bind(row).arguments.first ?? .null
      return RowWithChildren(row: row, children: childrenByKey[key] ?? [])
    }
  }

  /// Returns the first row with the rows that refer to it, or `nil` if there is none.
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  public func first(_ reader: Reader) throws -> RowWithChildren<Row, Child>? {
    guard let row = try rows.first(reader), let match else { return nil }
    let key = Row.table.plan.lookups[match.parentIndex].bind(row)
    let child = SQL(raw: Child.table.fullName(of: match.childIndex))
    let isOfRow = SQLExpression<Bool>("\(child) = \(key)", isNullable: true)
    return RowWithChildren(row: row, children: try children.where { _ in isOfRow }.all(reader))
  }

  /// Returns the rows that refer to others, by the stored value of the referenced column.
  private func childrenByKey(_ reader: Reader) throws -> [SQLValue: [Child]] {
    let all = try children.all(reader)
    guard let match else { return [:] }
    let lookup = Child.table.plan.lookups[match.childIndex]
    return Dictionary(grouping: all) { lookup.bind($0).arguments.first ?? .null }
  }
}

extension SQL.Problem {
  fileprivate static let includedLimit = SQL.Problem(
    code: .invalidSQL,
    message: "A limit counts the included rows of all rows together. Include them without one.")
}
