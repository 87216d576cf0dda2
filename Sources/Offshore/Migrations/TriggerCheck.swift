extension Connection {
  /// Checks, inside the transaction of a migration, that views and triggers name only objects that
  /// exist.
  ///
  /// - Throws: ``DatabaseError`` with code `invalidSQL` that names the first one that does not.
  func checkViewsAndTriggers() throws {
    // NB: SQLite has no statement for this check, but makes it before it renames a column. So a
    // column of the library's own table is renamed to its current name. That does not check the
    // columns that triggers set, so the triggers of each table are compiled as well.
    try run("ALTER TABLE _migrations RENAME COLUMN name TO name")
    let tables = try fetch("SELECT DISTINCT tbl_name FROM sqlite_schema WHERE type = 'trigger'") {
      try $0.value(String.self)
    }
    for table in tables { try compileTriggers(of: table) }
  }

  /// Prepares each kind of statement that fires triggers of a table, without running it.
  private func compileTriggers(of table: String) throws {
    let columns = try SchemaCatalog(self).columns(of: table).filter { !$0.isGenerated }
      .map { "\($0.name.quotedIdentifier) = \($0.name.quotedIdentifier)" }
    let name = table.quotedIdentifier
    for sql in [
      "INSERT INTO \(name) DEFAULT VALUES", "DELETE FROM \(name)",
      "UPDATE \(name) SET \(columns.joined(separator: ", "))",
    ] where try mayRun(sql, on: table) {
      do {
        _ = try prepare(sql)
      } catch let cause as DatabaseError {
        var error = DatabaseError(
          cause.code, "A trigger of “\(table)” does not fit the schema. \(cause.message)")
        error.table = table
        error.resultCode = cause.resultCode
        error.cause = cause
        throw error
      }
    }
  }

  /// Returns whether a table or a view has a trigger for a statement. A view accepts no other
  /// statements.
  private func mayRun(_ sql: String, on table: String) throws -> Bool {
    let operation = sql.prefix { $0 != " " }
    let triggers = try fetch(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = \(table)"
    ) { SQLTokens(try $0.value(String.self)).tokens }
    return triggers.contains { tokens in
      tokens.prefix { !$0.is("ON") }.contains { $0.is(String(operation)) }
    }
  }
}
