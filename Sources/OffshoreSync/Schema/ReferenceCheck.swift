import Offshore

/// A check of a file for references that would prevent the deletion of synced rows.
///
/// A deletion made on another device has to be applied here, even if rows refer to the deleted one.
/// The references of synced tables have the same effect as on the server; see ``SyncTableCheck``.
/// This check is for the other tables, which only this device has.
struct ReferenceCheck {
  let schema: SyncSchema
  let reader: Reader

  /// - Throws: ``ReplicaError`` with the code `declaration` that names the first such reference.
  func run() throws {
    let synced = Set(schema.tables.map { $0.name.lowercased() })
    for reference in try references()
    where synced.contains(reference.target.lowercased())
      && !synced.contains(reference.table.lowercased())
    {
      try check(reference)
    }
  }

  private struct FoundReference {
    let table: String
    let column: String
    let target: String
    let action: String
    let isNullable: Bool
  }

  private func check(_ reference: FoundReference) throws {
    let isSatisfied =
      switch reference.action.uppercased() {
      case ReferenceAction.noAction.rawValue, ReferenceAction.restrict.rawValue: false
      case ReferenceAction.setNull.rawValue: reference.isNullable
      default: true
      }
    guard !isSatisfied else { return }
    throw ReplicaError(
      .declaration,
      "“\(reference.table).\(reference.column)” refers to the synced table “\(reference.target)”, "
        + "and would keep its rows from being deleted when they are elsewhere. Declare ON DELETE "
        + "CASCADE, or SET NULL where the column may be NULL, or sync “\(reference.table)” too.")
  }

  private func references() throws -> [FoundReference] {
    // A virtual table has no references, and its module may not be loaded.
    try reader.connection.fetch(
      """
      SELECT t.name, f."from", f."table", f.on_delete,
        NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) c
          WHERE c.name = f."from" COLLATE NOCASE AND c."notnull")
      FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
      WHERE t.type = 'table' AND t.rootpage > 0 ORDER BY t.name, f."from"
      """
    ) { row in
      FoundReference(
        table: try row.value(String.self), column: try row.value(String.self),
        target: try row.value(String.self), action: try row.value(String.self),
        isNullable: try row.value(Bool.self))
    }
  }
}
