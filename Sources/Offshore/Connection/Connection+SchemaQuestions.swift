import CSQLite

/// The cached results of schema queries, valid until the schema changes.
struct SchemaAnswers {
  fileprivate struct Question: Hashable {
    let sql: String
    let arguments: [SQLValue]
  }

  /// The version of the schema that the results belong to.
  fileprivate var version: Int64 = -1
  fileprivate var texts: [Question: [String]] = [:]

  /// Removes all results: the schema may have changed without a new version.
  mutating func removeAll() { texts.removeAll() }
}

extension Connection {
  /// Returns whether a statement may change rows that SQLite's update hook does not name.
  ///
  /// These are rows that others replace, and rows whose row id changes with their key.
  /// - Parameter columns: The columns that the statement changes, by table.
  func hidesRows(_ sql: String, _ columns: [String: Set<String>]) -> Bool {
    if Self.mentionsReplace(sql) { return true }
    if isAnswered("SELECT 1 FROM sqlite_master WHERE sql LIKE '%REPLACE%'", []) { return true }
    let keys = "SELECT name FROM pragma_table_info(?) WHERE pk > 0"
    return columns.contains { table, columns in
      texts(keys, [.text(table)])?.contains(where: columns.contains) ?? true
    }
  }

  private static func mentionsReplace(_ sql: String) -> Bool {
    // Setting this bit makes ASCII letters lowercase, and turns no other byte into a letter.
    let (text, word) = (sql.utf8.map { $0 | 0x20 }, Array("replace".utf8))
    return text.indices.dropLast(word.count - 1).contains { start in
      text[start] == word[0] && text[start..<(start + word.count)].elementsEqual(word)
    }
  }

  /// Adds all columns of tables with generated columns to a region.
  ///
  /// SQLite names only the generated column that a statement reads, not the columns it is computed
  /// from (<https://sqlite.org/gencol.html>).
  func addSources(to region: inout Region) {
    let sql = """
      SELECT name FROM pragma_table_xinfo(?1)
      WHERE EXISTS (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden IN (2, 3))
      """
    for table in region.columns.keys {
      for name in texts(sql, [.text(table)]) ?? [] { region.insert(table: table, column: name) }
    }
  }

  /// Returns whether a schema query has a row or fails.
  private func isAnswered(_ sql: String, _ arguments: [SQLValue]) -> Bool {
    texts(sql, arguments)?.isEmpty != true
  }

  /// Returns the texts in the first column of a schema query, or `nil` if the query fails.
  ///
  /// The query does not use ``prepare(_:)``, because it runs while another statement is being
  /// prepared.
  func texts(_ sql: String, _ arguments: [SQLValue]) -> [String]? {
    let version = schemaVersion
    if version != schemaAnswers.version || version < 0 {
      schemaAnswers.removeAll()
      schemaAnswers.version = version
    }
    let question = SchemaAnswers.Question(sql: sql, arguments: arguments)
    if let answer = schemaAnswers.texts[question] { return answer }
    let answer = ask(sql, arguments)
    schemaAnswers.texts[question] = answer
    return answer
  }

  private func ask(_ sql: String, _ arguments: [SQLValue]) -> [String]? {
    var pointer: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &pointer, nil) == SQLITE_OK, let pointer else {
      return nil
    }
    defer { sqlite3_finalize(pointer) }
    var writer = RowWriter(pointer)
    for (index, argument) in arguments.enumerated() { argument.bind(&writer, Int32(index + 1)) }
    var texts: [String] = []
    while true {
      let code = sqlite3_step(pointer)
      guard code == SQLITE_ROW else { return code == SQLITE_DONE ? texts : nil }
      texts.append(sqlite3_column_text(pointer, 0).map { String(cString: $0) } ?? "")
    }
  }
}
