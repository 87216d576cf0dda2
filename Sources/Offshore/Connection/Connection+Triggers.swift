extension Connection {
  /// The prefix of the names of triggers by which the library captures changes.
  ///
  /// These triggers cannot fail, and have no conflict clauses.
  package static let notingTriggerPrefix = "_capture_"

  /// Returns whether `INSERT OR FAIL` of one row has the same effect as `INSERT`, at a lower cost.
  ///
  /// This is the case if the table has triggers, and all of them are the library's. A statement
  /// that fires triggers and may abort keeps a copy of each page that it changes, which for one row
  /// is more work than writing the row. A constraint refuses a row before it is written, so nothing
  /// has to be undone if no trigger can fail.
  ///
  /// NB: The conflict clause of a statement overrides those of the table's constraints and those in
  /// triggers (<https://sqlite.org/lang_conflict.html>), so the table must not have any.
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
  /// Returns the first words of a statement that inserts single rows into a table.
  ///
  /// They are `INSERT`, or `INSERT OR FAIL` if that has the same effect at a lower cost.
  package func insertClause(for table: String) -> String {
    connection.failsWhole(table) ? "INSERT OR FAIL" : "INSERT"
  }
}

extension Writer {
  /// Returns the first words of a statement that updates columns of single rows of a table.
  ///
  /// They are `UPDATE`, or `UPDATE OR FAIL` if that has the same effect at a lower cost. A
  /// constraint refuses a change, too, before it is written. But if other rows refer to the
  /// columns, the change may cascade to them, which can fail afterwards.
  package func updateClause(for table: String, setting columns: [String]) -> String {
    connection.failsWhole(table) && !connection.isReferred(table, by: columns)
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
