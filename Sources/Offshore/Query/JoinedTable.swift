import CSQLite

/// A table of a ``Join``: ``Inner`` if each result has a row of it, ``Left`` if a result may lack one.
public protocol JoinedTable: Sendable {
  /// The rows of the table.
  associatedtype Row: Record
  /// The columns of the table, as the closures of a join see them.
  associatedtype Columns: Sendable
  /// A row of the table, as a result has it.
  associatedtype Value: Sendable

  /// Returns the columns of the table by the name that it has in a join.
  static func columns(of name: String) -> Columns

  /// Reads the next values of a result as a row.
  /// - Throws: ``DatabaseError`` with code `invalidValue` if a value does not fit its column.
  static func read(_ reader: inout RowReader) throws -> Value
}

/// A table of which each result of a join has a row.
public enum Inner<Row: Record>: JoinedTable {
  public static func columns(of name: String) -> Columns<Row> { Columns(of: name) }

  public static func read(_ reader: inout RowReader) throws -> Row {
    let table = Row.table
    let row = table.readOne(&reader)
    if reader.failure != nil { try reader.fail(in: table.name) }
    return row
  }
}

/// A table of which a result of a join has a row, or `nil` if no row of it matches.
public enum Left<Row: Record>: JoinedTable {
  public static func columns(of name: String) -> OptionalColumns<Row> { OptionalColumns(of: name) }

  public static func read(_ reader: inout RowReader) throws -> Row? {
    let places = reader.position..<reader.position + Int32(Row.table.columns.count)
    if places.allSatisfy({ reader.storageClass($0) == SQLITE_NULL }) {
      reader.position = places.upperBound
      return nil
    }
    return try Inner<Row>.read(&reader)
  }
}

/// The columns of a table that a join may have no row of: each is `nil` then.
@dynamicMemberLookup
public struct OptionalColumns<Row: Record>: Sendable {
  // NB: No members with a name: one that is visible here would hide a property of the row.
  private let columns: Columns<Row>

  init(of name: String) { columns = Columns(of: name) }

  /// The column of a property, or `nil`.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Row, Value>) -> SQLExpression<Value?> {
    columns[dynamicMember: keyPath].optional
  }

  /// The column of an optional property, or `nil`.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Row, Value?>) -> SQLExpression<Value?> {
    var column = columns[dynamicMember: keyPath]
    column.isNullable = true
    return column
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
public struct JoinedRows<each Row: Sendable>: Sendable {
  /// The rows in the order of the tables.
  public let rows: (repeat each Row)

  /// Puts rows together.
  public init(_ rows: repeat each Row) { self.rows = (repeat each rows) }
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
  /// - Throws: ``DatabaseError`` with code `invalidValue` that names a table and the column of the value
  ///   that does not fit.
  fileprivate mutating func fail(in table: String) throws {
    do {
      try checkFit()
    } catch var error as DatabaseError {
      error.table = table
      throw error
    }
  }
}
