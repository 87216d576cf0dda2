import Offshore
import OffshoreWire

/// The conversion of captured changes after an update of the app, inside one write.
///
/// The journal has the former values of changed columns, and a migration cannot see them. If a column
/// replaces a retired one, changes of the retired column become changes of it.
struct JournalUpgrade {
  let schema: SyncSchema
  let writer: Writer

  /// Adds the former values of derived columns that the file has had since this update.
  /// - Parameters:
  ///   - former: the layout before the update.
  ///   - layout: the layout after it.
  func run(from former: CaptureLayout, to layout: CaptureLayout) throws {
    for table in schema.tables where !table.derivedColumns.isEmpty {
      guard let number = former.number(of: table.sentName) else { continue }
      let before = former.tables[number].columns
      for column in table.derivedColumns {
        let name = table.sentName(of: column.name)
        guard !before.contains(name), let source = before.firstIndex(of: column.from),
          let place = layout.tables[number].columns.firstIndex(of: name)
        else { continue }
        try derive(column, number, from: source, to: place)
      }
    }
  }

  private func derive(
    _ column: DerivedColumn, _ table: Int, from source: Int, to place: Int
  ) throws {
    let former: SQL = "\(identifier: JournalRow.column(of: source))"
    let values = try writer.connection.fetch(
      "SELECT seq, \(former) FROM _outbox WHERE tbl = \(table) AND mask >> \(source) & 1"
    ) { row in (try row.value(Int64.self), try row.value(StoredValue.self).value) }
    for (number, value) in values {
      guard let derived = column.value(of: value, writer) else { continue }
      try SQL(
        """
        UPDATE _outbox SET mask = mask | \(1 << place),
          \(identifier: JournalRow.column(of: place)) = \(StoredValue(value: derived))
        WHERE seq = \(number)
        """
      ).run(writer)
    }
  }
}
