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
