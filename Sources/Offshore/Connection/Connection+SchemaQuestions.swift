import CSQLite

/// What the schema was asked, and answered as long as it stays as it is.
struct SchemaAnswers {
  fileprivate struct Question: Hashable {
    let sql: String
    let arguments: [SQLValue]
  }

  /// The version of the schema that was asked.
  fileprivate var version: Int64 = -1
  fileprivate var texts: [Question: [String]] = [:]

  /// Forgets everything: the schema may be another one, though of the same version.
  mutating func removeAll() { texts.removeAll() }
}

extension Connection {
  /// Whether a statement may change rows that SQLite's update hook does not name: those that others
  /// replace, and those that leave their row id because their key changes.
  func hidesRows(_ sql: String, _ columns: [String: Set<String>]) -> Bool {
    if Self.mentionsReplace(sql) { return true }
    if isAnswered("SELECT 1 FROM sqlite_master WHERE sql LIKE '%REPLACE%'", []) { return true }
    let keys = "SELECT name FROM pragma_table_info(?) WHERE pk > 0"
    return columns.contains { table, columns in
      texts(keys, [.text(table)])?.contains(where: columns.contains) ?? true
    }
  }

  private static func mentionsReplace(_ sql: String) -> Bool {
    // Letters of ASCII become lower case by one bit; what else that changes is no letter.
    let (text, word) = (sql.utf8.map { $0 | 0x20 }, Array("replace".utf8))
    return text.indices.dropLast(word.count - 1).contains { start in
      text[start] == word[0] && text[start..<(start + word.count)].elementsEqual(word)
    }
  }

  /// Adds the columns of tables with generated ones, of which SQLite names the generated one alone
  /// and not those it is made of (<https://sqlite.org/gencol.html>).
  func addSources(to region: inout Region) {
    let sql = """
      SELECT name FROM pragma_table_xinfo(?1)
      WHERE EXISTS (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden IN (2, 3))
      """
    for table in region.columns.keys {
      for name in texts(sql, [.text(table)]) ?? [] { region.insert(table: table, column: name) }
    }
  }

  /// Whether a query of the schema has a result, or cannot be asked.
  private func isAnswered(_ sql: String, _ arguments: [SQLValue]) -> Bool {
    texts(sql, arguments)?.isEmpty != true
  }

  /// The texts of a query's first column, or `nil` where it cannot be asked. It is prepared apart,
  /// because this is asked while another statement is being prepared.
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
