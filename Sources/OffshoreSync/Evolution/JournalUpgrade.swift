import Offshore
import OffshoreWire

/// Brings captured changes that wait to a later version of their table, inside one write.
struct JournalUpgrade {
  let upgrades: [SyncUpgrade]
  let writer: Writer

  /// Those of a schema's upgrades that a file has not had, in their order.
  init(_ schema: SyncSchema, after version: Int, _ writer: Writer) {
    upgrades = schema.upgrades.filter { $0.version > version }.sorted { $0.version < $1.version }
    self.writer = writer
  }

  /// Converts old values.
  /// - Returns: the layout with the columns' names after the last upgrade.
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
    let column: SQL = "\(identifier: "o\(place)")"
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
