import Offshore
import OffshoreWire

/// A summary of the schema for which a file was prepared, to compare a later schema with.
struct PreparedSchema: Codable, Equatable {
  /// The schema's version, or 0 before the first.
  var version = 0
  /// The synced columns of each table, in order and without the id.
  var tables: [String: [String]] = [:]

  /// Creates the summary before the first schema, or with a version only.
  init(version: Int = 0) { self.version = version }

  init(_ schema: SyncSchema) {
    version = schema.manifest.version
    for table in schema.manifest.tables { tables[table.name] = table.columns.map(\.name) }
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
