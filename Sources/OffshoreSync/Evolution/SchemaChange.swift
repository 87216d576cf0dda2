import Offshore
import OffshoreWire

/// Brings what a device keeps of rows from the schema that its file was prepared for to another.
///
/// A device keeps the values of columns and tables that it does not know. When the app is updated, they
/// move into the tables. Of a row whose maker did not know a column, that is noted, so that the row's
/// state is what the server has, whatever the migration has put into the column.
///
/// The values of a column that went, or of all columns of a table, are not kept: a migration may have
/// dropped or changed them, and what others have written counts. The scopes with such rows are fetched
/// anew by the next pulls, beside the rows that are shown, and the values come back as unknown ones.
/// Nothing that is sent meanwhile touches them on the server, and sums stay right: they are of hashes
/// that were kept. Scopes are fetched anew too where a kept value does not fit the file as it is.
///
/// NB: A table that is synced again after a release that did not sync it gets what others have, and
/// keeps what it had. Drop it meanwhile: nobody can tell rows that are new in it from those that others
/// have deleted.
struct SchemaChange {
  let schema: SyncSchema
  let former: PreparedSchema
  let writer: Writer

  func run() throws {
    var scopes: Set<ScopeID> = []
    for table in former.tablesCut(in: schema.manifest) { scopes.formUnion(try self.scopes(table)) }
    scopes.formUnion(try fill())
    for scope in scopes.sorted() { try restart(scope) }
  }

  // MARK: - What came

  private struct DanglingReference: Error {}

  /// Moves kept values into columns that came.
  /// - Returns: the scopes with values for which there is no room.
  private func fill() throws -> Set<ScopeID> {
    let tables = schema.manifest.tables.filter { !former.columnsNew(in: $0).isEmpty }
    guard !tables.isEmpty else { return [] }
    do {
      return try writer.savepoint { writer in
        try writer.applying {
          try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
          var kept = try KeptFields(schema: schema, former: former, writer: writer)
          for table in tables { try kept.move(into: table) }
          guard !writer.connection.hasDanglingReferences else { throw DanglingReference() }
          return kept.refused
        }
      }
    } catch is DanglingReference {
      // This device has deleted, or does not show, what some of them refer to.
      return try tables.reduce(into: []) { $0.formUnion(try scopes($1.name)) }
    }
  }

  // MARK: - What is fetched anew

  /// The scopes with rows of a table.
  private func scopes(_ table: String) throws -> Set<ScopeID> {
    Set(
      try SQL("SELECT DISTINCT scope FROM _row WHERE tbl = \(table)")
        .all(writer, as: String.self).map { try ScopeID($0) })
  }

  private func restart(_ scope: ScopeID) throws {
    var cursor = try ScopeCursor.of(scope, writer)
    guard cursor.role?.canRead == true, cursor.epoch != 0 else { return }
    cursor.restart(epoch: cursor.epoch)
    try SQL("DELETE FROM _page WHERE scope = \(scope.text)").run(writer)
    try cursor.save(writer)
  }
}
