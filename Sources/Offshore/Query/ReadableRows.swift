/// The rows of a query that can be read, and the errors of those that cannot.
///
/// A row whose value does not fit its column makes ``Query/all(_:)`` throw. A list that should show
/// the others asks for the readable ones:
///
/// ```swift
/// let charters = try await database.read { try Charter.all.readable($0) }
/// show(charters.rows)
/// for error in charters.unreadable { warn("\(error.table ?? "") \(error.rowKey)") }
/// ```
public struct ReadableRows<Row: Sendable>: Sendable {
  /// The rows that can be read, in the query's order.
  public var rows: [Row]
  /// The errors of the other rows, in the query's order. Each names table, column and row key.
  public var unreadable: [DatabaseError]

  /// Creates a list.
  public init(rows: [Row] = [], unreadable: [DatabaseError] = []) {
    self.rows = rows
    self.unreadable = unreadable
  }

  /// How many rows the query found, readable or not: where the next page begins.
  public var count: Int { rows.count + unreadable.count }

  /// Replaces each row by another value.
  public func map<Value: Sendable>(
    _ transform: (Row) throws -> Value
  ) rethrows -> ReadableRows<Value> {
    ReadableRows<Value>(rows: try rows.map(transform), unreadable: unreadable)
  }
}

extension ReadableRows: Equatable where Row: Equatable {}

extension Query {
  /// The rows that can be read, and the errors of those that cannot, in one pass.
  ///
  /// A limit and an offset count rows of both kinds.
  /// - Throws: ``DatabaseError`` for everything but a stored value that does not fit its column.
  public func readable(_ reader: Reader) throws -> ReadableRows<Row> {
    guard keyAlone != nil else { return try reader.connection.fetchReadable(Row.self, sql) }
    do {
      return ReadableRows(rows: try all(reader))
    } catch let error as DatabaseError where error.isUnreadableRow {
      return ReadableRows(unreadable: [error])
    }
  }
}
