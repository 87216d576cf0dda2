/// What a statement may change, triggers and cascades included, as SQLite's authorizer tells it.
///
/// It is kept with its statement, by reference, so that noting a change is cheap.
final class Effect: Sendable {
  /// Tables in which rows come or go.
  let rows: Set<String>
  /// Columns in which values of rows change, by table.
  let columns: [String: Set<String>]
  /// The tables in which anything may change.
  let tables: [String]
  /// Whether rows only come: nothing that is there already changes or goes.
  let onlyAdds: Bool
  /// Whether tables, indexes, views, or triggers change.
  let changesSchema: Bool
  /// Whether rows may take others' place or change their keys, of which SQLite does not tell all.
  let hidesRows: Bool

  /// The queues of text indexes among the tables.
  let textQueues: Set<String>

  /// Whether the rows that the statement changes can be learned from SQLite's update hook.
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
