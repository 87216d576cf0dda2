import CSQLite

/// The tables of a ``Join``, from which the types of its closures and results follow.
@_documentation(visibility: internal)
public protocol JoinedTables: Sendable {
  /// The columns of all tables: a tuple if there are several.
  associatedtype Columns
  /// The rows of one result.
  associatedtype Rows: Sendable
}

/// One table, before others are joined.
@_documentation(visibility: internal)
public enum One<First: JoinedTable>: JoinedTables {
  public typealias Columns = First.Columns
  public typealias Rows = First.Value
}

/// Two joined tables.
@_documentation(visibility: internal)
public enum Two<First: JoinedTable, Second: JoinedTable>: JoinedTables {
  public typealias Columns = (First.Columns, Second.Columns)
  public typealias Rows = JoinedRows<First.Value, Second.Value>
}

/// Three joined tables.
@_documentation(visibility: internal)
public enum Three<First: JoinedTable, Second: JoinedTable, Third: JoinedTable>: JoinedTables {
  public typealias Columns = (First.Columns, Second.Columns, Third.Columns)
  public typealias Rows = JoinedRows<First.Value, Second.Value, Third.Value>
}

/// Four joined tables.
@_documentation(visibility: internal)
public enum Four<
  First: JoinedTable, Second: JoinedTable, Third: JoinedTable, Fourth: JoinedTable
>: JoinedTables {
  public typealias Columns = (First.Columns, Second.Columns, Third.Columns, Fourth.Columns)
  public typealias Rows = JoinedRows<First.Value, Second.Value, Third.Value, Fourth.Value>
}

/// A table of a ``Join``: ``Inner`` if each result has a row of it, ``Left`` if a result may lack
/// one.
@_documentation(visibility: internal)
public protocol JoinedTable: Sendable {
  /// The columns of the table in the closures of a join.
  associatedtype Columns
  /// The row of the table in a result.
  associatedtype Value: Sendable
}

/// A table of which each result of a join has a row.
@_documentation(visibility: internal)
public enum Inner<Row: Record>: JoinedTable {
  public typealias Columns = Offshore.Columns<Row>
  public typealias Value = Row
}

/// A table of which a result of a join has a row, or `nil` if no row matches.
@_documentation(visibility: internal)
public enum Left<Row: Record>: JoinedTable {
  public typealias Columns = OptionalColumns<Row>
  public typealias Value = Row?
}

/// A table as a part of a join: its columns, and the function that reads its rows.
struct JoinedPart<Table: JoinedTable>: Sendable {
  /// `JOIN` or `LEFT JOIN`.
  let keyword: String
  /// The name of the table in the database.
  let table: String
  /// Returns the place of the table for its name in the join.
  let place: @Sendable (String) -> JoinPlace
  /// Returns the columns of the table for its name in the join.
  let columns: @Sendable (String) -> Table.Columns
  /// Reads the next values of a result as a row.
  let read: @Sendable (inout RowReader) throws -> Table.Value

  static func inner<Row: Record>(_: Row.Type) -> Self where Table == Inner<Row> {
    let table = Row.table
    return Self(
      keyword: "JOIN", table: table.name, place: { JoinPlace(Row.self, $0) },
      columns: { Columns(of: $0) }, read: { try $0.row(of: table) })
  }

  static func left<Row: Record>(_: Row.Type) -> Self where Table == Left<Row> {
    let table = Row.table
    return Self(
      keyword: "LEFT JOIN", table: table.name, place: { JoinPlace(Row.self, $0) },
      columns: { OptionalColumns(of: $0) }, read: { try $0.optionalRow(of: table) })
  }
}

extension RowReader {
  /// Reads the next values as a row of a table.
  /// - Throws: ``DatabaseError`` with code `invalidValue` if a value does not fit its column.
  fileprivate mutating func row<Row>(of table: Table<Row>) throws -> Row {
    let row = table.readOne(&self)
    if failure != nil { try fail(in: table.name) }
    return row
  }

  /// Reads the next values as a row of a table, or as `nil` if all are NULL.
  fileprivate mutating func optionalRow<Row>(of table: Table<Row>) throws -> Row? {
    let places = position..<position + Int32(table.columns.count)
    guard places.contains(where: { storageClass($0) != SQLITE_NULL }) else {
      position = places.upperBound
      return nil
    }
    return try row(of: table)
  }
}

extension SQLExpression {
  /// The same value, which may be NULL.
  var optional: SQLExpression<Value?> {
    let coder = coder?.optional
    return SQLExpression<Value?>(sql, precedence, isNullable: true, coder, column: column)
  }
}

/// The rows of one result of a join.
///
/// ```swift
/// for result in try Expense.joining(Category.self).all(reader) {
///   let (expense, category) = result.rows
/// }
/// ```
@_documentation(visibility: internal)
public struct JoinedRows<each Row: Sendable>: Sendable {
  /// The rows in the order of the tables.
  public let rows: (repeat each Row)

  init(_ rows: repeat each Row) { self.rows = (repeat each rows) }
}

extension JoinedRows: Equatable where repeat each Row: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    for (left, right) in repeat (each lhs.rows, each rhs.rows) {
      guard left == right else { return false }
    }
    return true
  }
}

extension RowReader {
  /// Throws the error of a value that does not fit its column, with the table's name.
  /// - Throws: ``DatabaseError`` with code `invalidValue`.
  fileprivate mutating func fail(in table: String) throws {
    do {
      try checkFit()
    } catch var error as DatabaseError {
      error.table = table
      throw error
    }
  }
}
