/// A statement whose results can be fetched and observed: a ``Query``, a ``Join``, a ``Selection``,
/// or an ``IncludingQuery``.
public protocol Fetchable<Element>: Sendable {
  /// The type of a result.
  associatedtype Element: Sendable

  /// The statement that fetches the results.
  var sql: SQL { get }

  /// Returns the results.
  /// - Throws: ``DatabaseError``.
  func all(_ reader: Reader) throws -> [Element]
}

extension Query: Fetchable {}
extension IncludingQuery: Fetchable {}

extension Query: CustomStringConvertible {}
extension IncludingQuery: CustomStringConvertible {}
extension Join: CustomStringConvertible {}
extension Selection: CustomStringConvertible {}

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
  /// all rows.
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
