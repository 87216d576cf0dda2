/// An SQL statement that changes the schema in a way that can be undone.
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
      guard let name = rest.takeName() else { return nil }
      self = .createIndex(name)
      return
    }
    guard rest.skip("ALTER"), rest.skip("TABLE"), let table = rest.takeName() else { return nil }
    if rest.skip("ADD") {
      _ = rest.skip("COLUMN")
      guard let column = rest.takeName() else { return nil }
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
      guard let new = rest.takeName() else { return nil }
      self = .rename(table, to: new)
      return
    }
    _ = rest.skip("COLUMN")
    guard let old = rest.takeName(), rest.skip("TO"), let new = rest.takeName() else { return nil }
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
  fileprivate mutating func takeName() -> String? {
    guard let token = popFirst() else { return nil }
    guard first?.text == ".", count > 1 else { return token.name }
    removeFirst()
    return popFirst()?.name
  }
}
