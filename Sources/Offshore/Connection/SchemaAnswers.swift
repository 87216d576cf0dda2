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
  /// from (<https://sqlite.org/gencol.html>). A declaration of such a column has the word AS, which
  /// few other tables have.
  func addSources(to region: inout Region) {
    let candidates = texts(
      """
      SELECT name FROM (SELECT * FROM sqlite_schema UNION ALL SELECT * FROM sqlite_temp_schema)
      WHERE type = 'table' AND sql GLOB '*[^a-zA-Z0-9_][aA][sS][^a-zA-Z0-9_]*'
      """, [])
    let sql = """
      SELECT name FROM pragma_table_xinfo(?1)
      WHERE EXISTS (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden IN (2, 3))
      """
    for table in candidates ?? Array(region.columns.keys) where region.columns[table] != nil {
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
    let answer = query(sql, arguments)
    schemaAnswers.texts[question] = answer
    return answer
  }

  private func query(_ sql: String, _ arguments: [SQLValue]) -> [String]? {
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

// MARK: - Triggers

extension Connection {
  /// The prefix of the names of triggers by which the library captures changes.
  ///
  /// These triggers cannot fail, and have no conflict clauses.
  package static let notingTriggerPrefix = "_capture_"

  /// Returns whether `INSERT OR FAIL` or `UPDATE OR FAIL` of one row has the same effect as without
  /// the clause, at a lower cost.
  ///
  /// This is the case if the table has triggers, and those of the app run at deletions only. A
  /// statement that fires triggers and may abort keeps a copy of each page that it changes, which
  /// for one row is more work than writing the row. A constraint refuses a row before it is written,
  /// so nothing has to be undone if no trigger can fail.
  ///
  /// NB: The conflict clause of a statement overrides those of the table's constraints and those in
  /// triggers (<https://sqlite.org/lang_conflict.html>), so the table must not have any.
  func allowsOrFail(_ table: String) -> Bool {
    let triggers = texts(
      """
      WITH objects AS (
        SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE
        UNION ALL
        SELECT type, name, sql FROM sqlite_temp_schema WHERE tbl_name = ?1 COLLATE NOCASE)
      SELECT iif(substr(name, 1, length(?2)) = ?2 OR substr(name, 1, length(?3)) = ?3, '', sql)
      FROM objects WHERE type = 'trigger'
        AND NOT EXISTS (SELECT 1 FROM objects WHERE type <> 'trigger' AND sql LIKE '%CONFLICT%')
      """, [.text(table), .text(Self.notingTriggerPrefix), .text(TextIndexNames.prefix)])
    guard let triggers, !triggers.isEmpty else { return false }
    return triggers.allSatisfy { $0.isEmpty || Self.runsAtDeletions($0) }
  }

  /// Returns whether a `CREATE TRIGGER` statement is one of `DELETE`.
  private static func runsAtDeletions(_ trigger: String) -> Bool {
    // The events are reserved words, so a name that is spelled like one is quoted.
    SQLTokens(trigger).tokens.first { $0.is("DELETE") || $0.is("INSERT") || $0.is("UPDATE") }?
      .is("DELETE") == true
  }
}

extension Writer {
  /// Returns whether a statement from ``insertClause(for:)`` fails if the row's key is already in the
  /// table, whatever the table and its triggers declare.
  package func failsOnConflict(_ table: String) -> Bool { connection.allowsOrFail(table) }

  /// Returns the first words of a statement that inserts single rows into a table.
  ///
  /// They are `INSERT`, or `INSERT OR FAIL` if that has the same effect at a lower cost.
  package func insertClause(for table: String) -> String {
    connection.allowsOrFail(table) ? "INSERT OR FAIL" : "INSERT"
  }

  /// Returns the first words of a statement that updates columns of single rows of a table.
  ///
  /// They are `UPDATE`, or `UPDATE OR FAIL` if that has the same effect at a lower cost. A
  /// constraint refuses a change, too, before it is written. But if other rows refer to the
  /// columns, the change may cascade to them, which can fail afterwards.
  package func updateClause(for table: String, setting columns: [String]) -> String {
    connection.allowsOrFail(table) && !connection.isReferred(table, by: columns)
      ? "UPDATE OR FAIL" : "UPDATE"
  }
}

extension Connection {
  /// Returns whether the foreign keys of any table refer to some of the columns.
  fileprivate func isReferred(_ table: String, by columns: [String]) -> Bool {
    // NB: A foreign key that names no column refers to the primary key.
    let targets = texts(
      """
      SELECT DISTINCT ifnull(key."to", own.name) FROM sqlite_schema AS child,
        pragma_foreign_key_list(child.name) AS key, pragma_table_info(?1) AS own
      WHERE child.type = 'table' AND key."table" = ?1 COLLATE NOCASE
        AND (key."to" IS NOT NULL OR own.pk > 0)
      """, [.text(table)])
    guard let targets else { return true }
    let names = Set(columns.map { $0.lowercased() })
    return targets.contains { names.contains($0.lowercased()) }
  }
}
