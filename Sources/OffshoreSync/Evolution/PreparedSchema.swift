import Foundation
import Offshore
import OffshoreWire

/// The schema that a file was prepared for, as far as it matters to the next one.
struct PreparedSchema: Codable, Equatable {
  /// The schema's version, or 0 before the first.
  var version = 0
  /// The synced columns of each table, in order, the id aside.
  var tables: [String: [String]] = [:]

  /// Reads what the file was prepared for.
  /// - Throws: ``SyncError`` with the code `damaged` where it is not what was written.
  init(_ reader: Reader) throws {
    let text = try SQL("SELECT schema FROM _state WHERE k = 1").one(reader, as: String.self)
    guard
      let prepared = try? JSONDecoder().decode(PreparedSchema.self, from: Data((text ?? "").utf8))
    else {
      throw SyncError(.damaged, "“_state” is not readable. Restore the file from a backup.")
    }
    self = prepared
  }

  init(_ schema: SyncSchema) {
    version = schema.manifest.version
    for table in schema.manifest.tables { tables[table.name] = table.columns.map(\.name) }
  }

  func save(_ writer: Writer) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(self), as: UTF8.self)
    try SQL("UPDATE _state SET schema = \(text) WHERE k = 1").run(writer)
  }

  // MARK: - Differences

  /// The columns of a table that this schema lacked.
  func columnsNew(in table: SyncedTable) -> [SyncedColumn] {
    let known = Set(tables[table.name] ?? [])
    return table.columns.filter { !known.contains($0.name) }
  }

  /// The tables of which a later schema has not all columns, or none.
  func tablesCut(in manifest: Manifest) -> [String] {
    tables.filter { name, columns in columns.contains { manifest[name]?[$0] == nil } }
      .keys.sorted()
  }
}
