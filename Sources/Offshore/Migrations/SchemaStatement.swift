/// An SQL statement that changes the schema in a way that ``SchemaHistory`` can reverse.
enum SchemaStatement {
  case addColumn(String, table: String)
  case renameColumn(String, to: String, table: String)
  case rename(String, to: String)
  case createIndex(String)

  /// Recognizes a statement; `nil` if it is of another kind.
  init?(_ tokens: ArraySlice<SQLTokens.Token>) {
    var rest = tokens
    if rest.skip("CREATE") {
      _ = rest.skip("UNIQUE")
      guard rest.skip("INDEX") else { return nil }
      for word in ["IF", "NOT", "EXISTS"] { _ = rest.skip(word) }
      guard let name = rest.parseName() else { return nil }
      self = .createIndex(name)
      return
    }
    guard rest.skip("ALTER"), rest.skip("TABLE"), let table = rest.parseName() else { return nil }
    if rest.skip("ADD") {
      _ = rest.skip("COLUMN")
      guard let column = rest.parseName() else { return nil }
      self = .addColumn(column, table: table)
    } else if rest.skip("RENAME") {
      self.init(renaming: table, rest)
    } else {
      return nil
    }
  }

  private init?(renaming table: String, _ tokens: ArraySlice<SQLTokens.Token>) {
    var rest = tokens
    if rest.skip("TO") {
      guard let new = rest.parseName() else { return nil }
      self = .rename(table, to: new)
      return
    }
    _ = rest.skip("COLUMN")
    guard let old = rest.parseName(), rest.skip("TO"), let new = rest.parseName() else {
      return nil
    }
    self = .renameColumn(old, to: new, table: table)
  }
}

extension ArraySlice<SQLTokens.Token> {
  /// Removes a keyword from the beginning, if it is there.
  /// - Returns: Whether the keyword was removed.
  fileprivate mutating func skip(_ keyword: String) -> Bool {
    guard first?.is(keyword) == true else { return false }
    removeFirst()
    return true
  }

  /// Removes a name from the beginning, with the schema before it.
  /// - Returns: The name without the schema.
  fileprivate mutating func parseName() -> String? {
    guard let token = popFirst() else { return nil }
    guard first?.text == ".", count > 1 else { return token.name }
    removeFirst()
    return popFirst()?.name
  }
}

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

/// A script that begins with a `CREATE TABLE` statement.
struct TableCreation {
  /// The text after the first statement; `nil` if there is none.
  let rest: String?
  /// Whether the table has an `AUTOINCREMENT` key, which never reuses a number.
  let isAutoincrement: Bool
  private let first: String
  private let nameRange: Range<String.Index>

  init(_ sql: String, of name: String) throws {
    let tokens = SQLTokens(sql).tokens
    let end = tokens.firstIndex { $0.text == ";" } ?? tokens.endIndex
    var head = tokens[..<end]
    guard head.popFirst()?.is("CREATE") == true, head.popFirst()?.is("TABLE") == true,
      let token = head.popFirst(), token.name.lowercased() == name.lowercased(),
      head.first?.text == "("
    else {
      var error = DatabaseError(
        .declaration, "A rebuild begins with CREATE TABLE \(name.plainIdentifier) (…).")
      error.table = name
      error.sql = sql
      throw error
    }
    nameRange = token.range
    isAutoincrement = head.contains { $0.is("AUTOINCREMENT") }
    first = end < tokens.endIndex ? String(sql[..<tokens[end].range.lowerBound]) : sql
    rest = end + 1 < tokens.count ? String(sql[tokens[end].range.upperBound...]) : nil
  }

  /// Returns the statement with another name for the table.
  func sql(named name: String) -> String {
    first[..<nameRange.lowerBound] + name.quotedIdentifier + first[nameRange.upperBound...]
  }
}
