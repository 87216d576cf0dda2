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
          WHEN 'trigger' THEN substr(name, 1, length(?2)) <> ?2
          ELSE sql LIKE '%CONFLICT%' END)
      SELECT 1 FROM objects WHERE type = 'trigger' AND NOT EXISTS (SELECT 1 FROM foreigners)
      """, [.text(table), .text(Self.notingTriggerPrefix)])
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
