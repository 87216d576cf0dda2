/// The changes that a statement may make, including triggers and cascades, by SQLite's authorizer.
///
/// A statement refers to one shared instance, so that recording a change is cheap.
final class Effect: Sendable {
  /// The tables in which rows may be inserted or deleted.
  let rows: Set<String>
  /// The columns whose values may change, by table.
  let columns: [String: Set<String>]
  /// All tables that may change.
  let tables: [String]
  /// Whether rows are only inserted: no existing row changes or is deleted.
  let onlyAdds: Bool
  /// Whether tables, indexes, views, or triggers change.
  let changesSchema: Bool
  /// Whether rows may replace others or change their keys, which SQLite does not report completely.
  let hidesRows: Bool

  /// The changed tables that are queues of text indexes.
  let textQueues: Set<String>

  /// Whether the changed rows are collected by SQLite's update hook.
  let namesRows: Bool

  init(
    rows: Set<String>, columns: [String: Set<String>], onlyAdds: Bool, changesSchema: Bool,
    hidesRows: Bool
  ) {
    self.rows = rows
    textQueues = rows.filter(TextIndexNames.isQueue)
    self.columns = columns
    tables = Array(rows.union(columns.keys))
    self.onlyAdds = onlyAdds && !hidesRows
    self.changesSchema = changesSchema
    self.hidesRows = hidesRows
    namesRows = !hidesRows && !changesSchema && !onlyAdds && !tables.isEmpty
  }
}
