/// The `CREATE TABLE` statement of a table in the file, with functions that add or remove a column.
struct StoredTable {
  let sql: String
  private let definitions: [ArraySlice<SQLTokens.Token>]

  /// Reads the statement of a table.
  /// - Throws: ``DatabaseError`` with code `notFound` if the table does not exist.
  init(_ table: String, _ connection: Connection) throws {
    let texts = try connection.fetch(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = \(table) COLLATE NOCASE"
    ) { try $0.value(String.self) }
    guard let sql = texts.first else {
      var error = DatabaseError(.notFound, "There is no such table. Create it by an earlier step.")
      error.table = table
      throw error
    }
    self.sql = sql
    definitions = SQLTokens(sql).definitions
  }

  /// Returns the statement with another column, between the columns and the constraints of the
  /// table.
  func adding(_ definition: String) -> String {
    if let constraint = definitions.dropFirst().first(where: \.isConstraint)?.first {
      let place = constraint.range.lowerBound
      return sql[..<place] + definition + ", " + sql[place...]
    }
    guard let end = definitions.last?.last?.range.upperBound else { return sql }
    return sql[..<end] + ", " + definition + sql[end...]
  }

  /// Returns the statement without a column.
  func removing(_ column: String) -> String {
    guard let number = index(of: column), let first = definitions[number].first else { return sql }
    if number + 1 < definitions.count, let next = definitions[number + 1].first {
      return String(sql[..<first.range.lowerBound] + sql[next.range.lowerBound...])
    }
    guard number > 0, let before = definitions[number - 1].last, let last = definitions[number].last
    else { return sql }
    return String(sql[..<before.range.upperBound] + sql[last.range.upperBound...])
  }

  /// Returns whether a column has a constraint that prevents SQLite from dropping it.
  func isBound(_ column: String) -> Bool {
    guard let number = index(of: column) else { return false }
    return definitions[number].contains { $0.is("REFERENCES") || $0.is("UNIQUE") }
  }

  private func index(of column: String) -> Int? {
    definitions.firstIndex { $0.first?.name.isSameName(column) == true }
  }
}

extension ArraySlice<SQLTokens.Token> {
  /// Whether a definition in a `CREATE TABLE` is a constraint of the table rather than a column.
  fileprivate var isConstraint: Bool {
    ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].contains { first?.is($0) == true }
  }
}
