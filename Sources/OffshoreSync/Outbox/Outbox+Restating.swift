import Offshore
import OffshoreWire

extension Outbox {
  /// Captures an edit that writes the values again that columns of a row have, so that it is later than all
  /// other edits of them.
  ///
  /// - Returns: Whether the row exists and its table is synced.
  /// - Precondition: The columns are synced, and are neither counters nor merged by their parts.
  func restate(_ columns: Set<String>, of row: RowID, _ writer: Writer) throws -> Bool {
    let layout = try CaptureLayout(writer)
    guard let table = schema[row.table], let number = layout.number(of: row.table) else {
      return false
    }
    let places = layout.tables[number].columns.enumerated().filter { columns.contains($1) }
    let mask = places.reduce(Int64(0)) { $0 | 1 << Int64($1.offset) }
    let names = places.reduce("" as SQL) { "\($0), \(identifier: JournalRow.column(of: $1.offset))" }
    let values = places.reduce("" as SQL) { "\($0), t.\(identifier: $1.element)" }
    let key: SQL = "t.\(identifier: table.idColumn)"
    return try SQL(
      """
      INSERT INTO _outbox (batch, tbl, id, kind, mask\(names))
      SELECT s.batch, \(number), \(key), \(CaptureTriggers.Kind.restatement.rawValue), \(mask)\(values)
      FROM _state s, \(identifier: table.name) t WHERE s.k = 1 AND \(key) = \(row.id)
      """
    ).run(writer) > 0
  }
}
