extension Connection {
  /// How the names of those triggers begin that the library makes to note changes.
  ///
  /// Such a trigger cannot fail, and says nothing about conflicts.
  package static let notingTriggerPrefix = "_capture_"

  /// Whether the insertion of a row by `OR FAIL` leaves nothing behind where it fails, just as by
  /// `OR ABORT`, and costs less: the table has triggers, and none but those that note changes.
  ///
  /// A statement that sets off triggers and may abort keeps a copy of each page that it changes,
  /// which for one row is more work than the row. What refuses a row does so before it is written,
  /// so nothing is to be undone where no trigger can fail.
  ///
  /// NB: The clause of a statement takes precedence over those of the table's constraints and over
  /// those in triggers (<https://sqlite.org/lang_conflict.html>), so there may be none.
  func failsWhole(_ table: String) -> Bool {
    let triggers = texts(
      """
      WITH objects AS (
        SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE
        UNION ALL
        SELECT type, name, sql FROM sqlite_temp_schema WHERE tbl_name = ?1 COLLATE NOCASE),
      foreigners AS (
        SELECT 1 FROM objects WHERE CASE type
          WHEN 'trigger' THEN substr(name, 1, length(?2)) <> ?2 AND substr(name, 1, length(?3)) <> ?3
          ELSE sql LIKE '%CONFLICT%' END)
      SELECT 1 FROM objects WHERE type = 'trigger' AND NOT EXISTS (SELECT 1 FROM foreigners)
      """, [.text(table), .text(Self.notingTriggerPrefix), .text(TextIndexNames.prefix)])
    return triggers?.isEmpty == false
  }
}

extension Writer {
  /// How a statement begins that inserts single rows into a table: `INSERT`, or `INSERT OR FAIL`
  /// where that does the same for less.
  package func insertClause(for table: String) -> String {
    connection.failsWhole(table) ? "INSERT OR FAIL" : "INSERT"
  }
}

extension Writer {
  /// How a statement begins that changes columns of single rows of a table: `UPDATE`, or
  /// `UPDATE OR FAIL` where that does the same for less.
  ///
  /// What refuses a row refuses a change of it before that is written, too. But where other rows
  /// refer to the columns, the change may be carried on to those, which can fail after it.
  package func updateClause(for table: String, setting columns: [String]) -> String {
    connection.failsWhole(table) && !connection.isReferred(table, by: columns)
      ? "UPDATE OR FAIL" : "UPDATE"
  }
}

extension Connection {
  /// Whether any table's foreign keys refer to some of the columns.
  fileprivate func isReferred(_ table: String, by columns: [String]) -> Bool {
    // NB: A key that names no column refers to the primary key.
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
