import Offshore
import OffshoreSync
import OffshoreWire

extension SimulatedDevice {
  /// Returns the rows that the app shows, with their synced columns.
  func rows() throws -> [RowID: [String: WireValue]] {
    var rows: [RowID: [String: WireValue]] = [:]
    try connection.read { reader in
      for (table, columns) in version.tables {
        let list = columns.reduce("" as SQL) { "\($0), \(identifier: $1.name)" }
        let sql: SQL = "SELECT id\(list) FROM \(identifier: table)"
        let found = try reader.connection.fetch(sql) { row in
          let id = try row.value(String.self)
          var values: [String: WireValue] = [:]
          for column in columns { values[column.name] = try row.value(CellValue.self).value }
          return (id, values)
        }
        for (id, values) in found { rows[RowID(table: table, id: id)] = values }
      }
    }
    return rows
  }

  /// Returns the value of a row's column, or `nil` if the row does not exist.
  func value(_ column: String, of row: RowID, _ reader: Reader) throws -> WireValue? {
    try SQL(
      "SELECT \(identifier: column) FROM \(identifier: row.table) WHERE id = \(row.id)"
    ).first(reader, as: CellValue.self)?.value
  }

  /// Records the work of the device's user.
  func note(_ work: LocalWork) throws {
    for write in work.writes { ledger.note(write) }
    for (counter, count) in work.counts { ledger.add(count, to: counter) }
    ledger.stopCounting(work.ended)
    ledger.noteDeleted(work.deleted)
    try noteUndone()
  }

  /// Removes cancelled and overwritten writes: those that are not shown and were not sealed.
  func noteUndone() throws {
    let sent = Set(ledger.sent.map(\.text))
    try connection.read { reader in
      try ledger.forgetOwed { try value($0.column, of: $0.row, reader) != .text($0.text) }
      try ledger.forgetOwn { write in
        try !sent.contains(write.text)
          && value(write.column, of: write.row, reader) != .text(write.text)
      }
    }
  }

  /// Returns the rows that are hidden because of a constraint or because another scope has the row.
  func hiddenRows() throws -> Set<RowID> {
    let rows = try connection.read {
      try SQL("SELECT tbl, id FROM _shadow WHERE reason IS NOT NULL")
        .all($0, as: String.self, String.self)
    }
    return Set(rows.map { RowID(table: $0, id: $1) })
  }

  /// Returns the rows with refused changes.
  func deadRows() throws -> Set<RowID> {
    let rows = try connection.read {
      try SQL("SELECT tbl, id FROM _dead").all($0, as: String.self, String.self)
    }
    return Set(rows.map { RowID(table: $0, id: $1) })
  }
}
