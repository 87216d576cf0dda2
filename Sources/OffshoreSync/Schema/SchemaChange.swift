import Offshore
import OffshoreWire

/// The conversion of a device's stored rows from the schema for which its file was prepared to
/// another one.
///
/// A device stores the values of columns and tables that it does not know, and those that a column cannot
/// store. When the app is updated, they move into the app's tables. If a row's author did not know a
/// column, that is recorded, so that the row's state equals the server's, whatever the migration wrote
/// into the column. Its default is shown, also if the default has changed, as on a device that gets the row
/// now.
///
/// The values of removed columns and tables are not stored: a migration may have dropped or changed
/// them, and the server's values count. The next pulls fetch the scopes with such rows again,
/// beside the visible rows, and the values return as those of unknown columns. Changes that are
/// sent in the meantime do not affect them on the server, and digests stay right, because they are
/// computed from stored hashes. Scopes are also fetched again if a stored value does not fit into
/// the file.
///
/// NB: A table that is synced again after a release that did not sync it gets the server's rows,
/// and retains its own. Drop it in the release between: its new rows cannot be distinguished from
/// rows that other devices have deleted.
struct SchemaChange {
  let schema: SyncSchema
  let former: PreparedSchema
  /// The layout of the journal for the former schema, which has all columns of the file.
  let layout: CaptureLayout
  let writer: Writer

  private var next: PreparedSchema { PreparedSchema(schema) }

  func run() throws {
    var scopes: Set<ScopeID> = []
    for table in former.tablesCut(in: schema.present) { scopes.formUnion(try self.scopes(table)) }
    scopes.formUnion(try fill())
    for scope in scopes.sorted() { try restart(scope) }
  }

  // MARK: - New and wider columns

  private struct DanglingReference: Error {}

  /// Moves stored values into columns that are new, or that can store other values than before. Shows
  /// defaults that have changed.
  /// - Returns: the scopes with values that do not fit.
  private func fill() throws -> Set<ScopeID> {
    let next = next
    let tables = schema.present.tables.filter {
      !former.columnsChanged(in: $0, of: next).isEmpty
    }
    guard !tables.isEmpty else { return [] }
    do {
      return try writer.savepoint { writer in
        try writer.applying {
          try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
          var kept = try KeptFields(
            schema: schema, former: former, next: next, layout: layout, writer: writer)
          for table in tables { try kept.move(into: table) }
          guard !writer.connection.hasDanglingReferences else { throw DanglingReference() }
          return kept.refused
        }
      }
    } catch is DanglingReference {
      // Some values refer to rows that this device has deleted or does not show.
      return try tables.reduce(into: []) { $0.formUnion(try scopes($1.name)) }
    }
  }

  // MARK: - Fetching again

  /// Returns the scopes with rows of a table.
  private func scopes(_ table: String) throws -> Set<ScopeID> {
    Set(
      try VersionRow.where { $0.tableName == table }.select { $0.scope }.distinct().all(writer))
  }

  /// Makes the next pulls fetch a scope again. A scope that the account has left is fetched again if the
  /// account returns.
  private func restart(_ scope: ScopeID) throws {
    var cursor = try ScopeCursor.of(scope, writer)
    guard cursor.epoch != 0 else { return }
    cursor.restart(epoch: cursor.epoch)
    try StagedPage.of(scope).delete(writer)
    try ScopeArrival.leaveRest(of: scope, writer)
    try cursor.save(writer)
  }
}

/// A summary of the schema for which a file was prepared, to compare a later schema with.
struct PreparedSchema: Codable, Equatable {
  /// The schema's version, or 0 before the first.
  var version = 0
  /// The synced columns of each table, in order and without the id.
  var tables: [String: [String]] = [:]
  /// The values that columns store, by table and column. A file that was prepared by a former version of
  /// the library has none.
  var values: [String: [String: String]]?
  /// The SQL of the columns' defaults, or empty texts, by table and column. A file that was prepared by a
  /// former version of the library has none.
  var defaults: [String: [String: String]]?

  /// Creates the summary before the first schema, or with a version only.
  init(version: Int = 0) { self.version = version }

  init(_ schema: SyncSchema) {
    version = schema.manifest.version
    var values: [String: [String: String]] = [:]
    for table in schema.present.tables {
      tables[table.name] = table.columns.map(\.name)
      for column in table.columns { values[table.name, default: [:]][column.name] = column.values }
    }
    self.values = values
    var defaults: [String: [String: String]] = [:]
    for table in schema.tables {
      for column in table.syncedColumns {
        let name = table.sentName(of: column.name)
        defaults[table.sentName, default: [:]][name] = column.defaultSQL ?? ""
      }
    }
    self.defaults = defaults
  }

  // MARK: - Differences

  /// Returns the columns of a table that this schema does not have.
  func columnsNew(in table: SyncedTable) -> [SyncedColumn] {
    let known = Set(tables[table.name] ?? [])
    return table.columns.filter { !known.contains($0.name) }
  }

  /// Returns the columns of a table that this schema does not have, or with other values or another default.
  /// - Parameter next: the summary of the later schema.
  func columnsChanged(in table: SyncedTable, of next: PreparedSchema) -> [SyncedColumn] {
    let new = Set(columnsNew(in: table).map(\.name))
    let parts: [KeyPath<PreparedSchema, [String: [String: String]]?>] = [\.values, \.defaults]
    return table.columns.filter { column in
      new.contains(column.name)
        || parts.contains { part in
          let former = self[keyPath: part]?[table.name]?[column.name]
          return former != nil && former != next[keyPath: part]?[table.name]?[column.name]
        }
    }
  }

  /// Returns the tables that are missing from a later schema or have lost columns in it, in order.
  func tablesCut(in manifest: Manifest) -> [String] {
    tables.filter { name, columns in columns.contains { manifest[name]?[$0] == nil } }
      .keys.sorted()
  }
}

extension SyncedColumn {
  /// A text that differs if the column stores other values.
  fileprivate var values: String {
    let states = if case .ordered(let states) = policy { states.joined(separator: ",") } else { "" }
    return "\(type.rawValue) \(isNullable) \(states)"
  }
}
