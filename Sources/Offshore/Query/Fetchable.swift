/// A statement whose results can be fetched and observed: a ``Query``, ``Join``, ``Selection`` or
/// ``IncludingQuery``.
///
/// ```swift
/// let upcoming = Charter.where { $0.startDate > now }
/// let charters = try await database.read { try upcoming.all($0) }
/// ```
/// The `description` of a statement is its SQL, without the values.
public protocol Fetchable<Element>: Sendable {
  /// The type of a result: a row, the rows of a join, a selected value, or a row with its children.
  @_documentation(visibility: internal)
  associatedtype Element: Sendable

  /// The statement that fetches the results, with its values.
  ///
  /// An ``IncludingQuery`` runs two statements. This is the one for its rows, without their
  /// children.
  var sql: SQL { get }

  /// Returns all results, in the order of the statement.
  /// - Throws: ``DatabaseError``: `unknownColumn` or `declaration` if an expression or a table is
  ///   not declared correctly, `invalidSQL` if the statement is invalid, `invalidValue` if a value
  ///   cannot be bound, or a stored value does not fit its column.
  func all(_ reader: Reader) throws -> [Element]

  /// Returns the first result, or `nil` if there is none.
  ///
  /// `… LIMIT 1`
  /// - Throws: ``DatabaseError`` as ``all(_:)`` does.
  func first(_ reader: Reader) throws -> Element?

  /// Returns the number of results. The children of an ``IncludingQuery`` are not counted.
  ///
  /// `SELECT count(*) FROM …`
  /// - Throws: ``DatabaseError`` as ``all(_:)`` does.
  func count(_ reader: Reader) throws -> Int
}

@_documentation(visibility: internal)
extension Fetchable {
  /// Returns the number of results.
  ///
  /// `SELECT count(*) FROM (…)`
  public func count(_ reader: Reader) throws -> Int {
    let sql: SQL = "SELECT count(*) FROM (\(sql))"
    return try reader.connection.fetchOne(sql) { try $0.value(Int.self) } ?? 0
  }
}

@_documentation(visibility: internal)
extension Query: Fetchable {}
@_documentation(visibility: internal)
extension IncludingQuery: Fetchable {}

@_documentation(visibility: internal)
extension Query: CustomStringConvertible {}
@_documentation(visibility: internal)
extension IncludingQuery: CustomStringConvertible {}
@_documentation(visibility: internal)
extension Join: CustomStringConvertible {}
@_documentation(visibility: internal)
extension Selection: CustomStringConvertible {}

@_documentation(visibility: internal)
extension Fetchable where Self: CustomStringConvertible {
  /// The statement, without its values.
  public var description: String { sql.text }
}

extension Fetchable {
  /// The SQL that identifies equal results, or `nil` if SQL cannot identify them.
  var sharedSQL: SQL? { if let own = self as? any OwnSharing { own.sharedSQL } else { sql } }

  /// Describes how SQLite finds the results, with a line for each step
  /// (<https://sqlite.org/eqp.html>).
  ///
  /// A line is, for example, `SEARCH charters USING INDEX …`, or `SCAN charters` if SQLite reads
  /// all rows. Of an ``IncludingQuery``, only the statement ``sql`` is described.
  /// - Throws: ``DatabaseError``.
  public func explain(_ reader: Reader) throws -> String { try sql.explain(reader) }
}

/// Results that are not identified by their statement alone.
protocol OwnSharing {
  var sharedSQL: SQL? { get }
}

extension IncludingQuery: OwnSharing {
  var sharedSQL: SQL? { "\(sql); \(childrenSQL)" }
}

extension Selection: OwnSharing {
  var sharedSQL: SQL? { expression == nil ? nil : sql }
}

@_documentation(visibility: internal)
extension SQL {
  /// Returns a line for each step by which SQLite runs the statement
  /// (<https://sqlite.org/eqp.html>).
  /// - Throws: ``DatabaseError`` if SQLite refuses the statement.
  public func explain(_ reader: Reader) throws -> String {
    let steps = try reader.connection.fetch("EXPLAIN QUERY PLAN \(self)") { row in
      (
        id: try row.value(Int.self), parent: try row.value(Int.self),
        unused: try row.value(Int.self), text: try row.value(String.self)
      )
    }
    var depths: [Int: Int] = [0: -1]
    return steps.map { step in
      let depth = (depths[step.parent] ?? -1) + 1
      depths[step.id] = depth
      return String(repeating: "  ", count: depth) + step.text
    }.joined(separator: "\n")
  }
}
