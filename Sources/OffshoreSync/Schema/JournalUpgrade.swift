import Offshore
import OffshoreWire

/// The conversion of captured changes to a later version of their tables, inside one write.
struct JournalUpgrade {
  let upgrades: [SyncUpgrade]
  let writer: Writer

  /// Selects the upgrades that the file has not had yet, in their order.
  /// - Parameter version: the version of the schema for which the file was prepared.
  init(_ schema: SyncSchema, after version: Int, _ writer: Writer) {
    upgrades = schema.upgrades.filter { $0.version > version }.sorted { $0.version < $1.version }
    self.writer = writer
  }

  /// Renames columns in the layout, and converts old values in the journal.
  /// - Returns: the layout with the names of columns after the last upgrade.
  func run(on layout: CaptureLayout) throws -> CaptureLayout {
    var layout = layout
    for upgrade in upgrades {
      guard let number = layout.number(of: upgrade.table) else { continue }
      layout.rename(upgrade.renamed, in: number)
      for (column, convert) in upgrade.converted.sorted(by: { $0.key < $1.key }) {
        guard let place = layout.tables[number].columns.firstIndex(of: column) else { continue }
        try self.convert(number, place, convert)
      }
    }
    return layout
  }

  private func convert(
    _ table: Int, _ place: Int, _ convert: (WireValue) -> WireValue
  ) throws {
    let column: SQL = "\(identifier: JournalRow.column(of: place))"
    let values = try writer.connection.fetch(
      "SELECT seq, \(column) FROM _outbox WHERE tbl = \(table) AND mask >> \(place) & 1"
    ) { row in (try row.value(Int64.self), try row.value(StoredValue.self).value) }
    for (number, value) in values {
      let converted = convert(value)
      guard converted != value else { continue }
      let stored = StoredValue(value: converted)
      try SQL("UPDATE _outbox SET \(column) = \(stored) WHERE seq = \(number)").run(writer)
    }
  }
}
