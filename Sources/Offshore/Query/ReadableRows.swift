/// The readable rows of a query, and the errors of the others.
///
/// A row whose value does not fit its column makes ``Fetchable/all(_:)`` throw. A list that can
/// show the other rows uses the readable ones:
///
/// ```swift
/// let charters = try await database.read { try Charter.all.readable($0) }
/// show(charters.rows)
/// for error in charters.unreadable { warn("\(error.table ?? "") \(error.rowKey)") }
/// ```
/// `count` is the number of rows that the query has found, readable or not. The offset of the next
/// page is that of this page plus `count`.
public struct ReadableRows<Row: Sendable>: Sendable {
  /// The readable rows, in the query's order.
  public var rows: [Row]
  /// The errors of the other rows, in the query's order. Each names table, column and row key.
  public var unreadable: [DatabaseError]

  /// Creates a list of readable rows and the errors of others.
  @_documentation(visibility: internal)
  public init(rows: [Row] = [], unreadable: [DatabaseError] = []) {
    self.rows = rows
    self.unreadable = unreadable
  }

  /// The number of rows that the query has found, readable or not.
  @_documentation(visibility: internal)
  public var count: Int { rows.count + unreadable.count }

  /// Returns the results of a closure over the readable rows, with the same errors.
  public func map<Value: Sendable>(
    _ transform: (Row) throws -> Value
  ) rethrows -> ReadableRows<Value> {
    ReadableRows<Value>(rows: try rows.map(transform), unreadable: unreadable)
  }
}

extension ReadableRows: Equatable where Row: Equatable {}

extension Query {
  /// Returns the readable rows and the errors of the others, in one pass.
  ///
  /// A limit and an offset of the query count all rows, readable or not.
  /// - Throws: ``DatabaseError`` for any failure other than a stored value that does not fit its
  ///   column.
  public func readable(_ reader: Reader) throws -> ReadableRows<Row> {
    guard keyAlone != nil else {
      if let found = try OrderedMatches(self, reader)?.readable() { return found }
      return try reader.connection.fetchReadable(Row.table, sql)
    }
    do {
      return ReadableRows(rows: try all(reader))
    } catch let error as DatabaseError where error.isUnreadableRow {
      return ReadableRows(unreadable: [error])
    }
  }

  /// Returns the readable rows as the values of another declaration of the table, which has only the columns that a
  /// caller needs, and the errors of the others.
  ///
  /// ```swift
  /// let names = Table("charters", CharterName.init, Column("id", \.id).primaryKey(), Column("name", \.name))
  /// try Charter.where { $0.guests > 4 }.readable(reader, as: names)
  /// // SELECT "id", "name" FROM "charters" WHERE "charters"."guests" > ?
  /// ```
  /// - Throws: ``DatabaseError`` as ``readable(_:)`` does, and with the code `declaration` if the declaration is that of
  ///   another table.
  @_documentation(visibility: internal)
  public func readable<Part>(_ reader: Reader, as part: Table<Part>) throws -> ReadableRows<Part> {
    guard part.name == Row.table.name else {
      throw DatabaseError(
        .declaration,
        "“\(part.name)” is read as a part of “\(Row.table.name)”. Name the same table.")
    }
    let columns = SQL(raw: part.plan.sql.columnList)
    return try reader.connection.fetchReadable(
      part, "SELECT \(columns) FROM \(tables)\(clauses)")
  }
}
