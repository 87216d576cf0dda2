import Foundation
import Offshore
import OffshoreWire

/// A summary of the schema for which a file was prepared, to compare a later schema with.
struct PreparedSchema: Codable, Equatable {
  /// The schema's version, or 0 before the first.
  var version = 0
  /// The synced columns of each table, in order and without the id.
  var tables: [String: [String]] = [:]

  /// Reads the schema from `_state`.
  /// - Throws: ``SyncError`` with the code `damaged` if it cannot be parsed.
  init(_ reader: Reader) throws {
    let text = try SQL("SELECT schema FROM _state WHERE k = 1").first(reader, as: String.self)
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

  /// Returns the columns of a table that this schema does not have.
  func columnsNew(in table: SyncedTable) -> [SyncedColumn] {
    let known = Set(tables[table.name] ?? [])
    return table.columns.filter { !known.contains($0.name) }
  }

  /// Returns the tables that are missing from a later schema or have lost columns in it, in order.
  func tablesCut(in manifest: Manifest) -> [String] {
    tables.filter { name, columns in columns.contains { manifest[name]?[$0] == nil } }
      .keys.sorted()
  }
}
