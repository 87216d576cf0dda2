import Offshore
import OffshoreWire

/// A check whether a declared table can be synced, which reports the first mistake.
struct SyncTableCheck {
  /// The maximum number of columns of a table. Each has a bit in a mask, which SQLite stores as a
  /// signed integer.
  static let columnLimit = 62

  let table: SyncTable
  /// The key of each synced table.
  let keys: [String: String]

  func run() throws(ReplicaError) {
    if let mistake = table.mistake ?? table.row.mistake(keys: keys) { throw problem(mistake) }
    try checkKey()
    guard table.definitions.count <= Self.columnLimit else {
      throw problem("It has more than \(Self.columnLimit) columns. Split the table.")
    }
    if table.policy(of: table.scopeColumn) == nil {
      throw problem("The scope column cannot be local: it tells others where a row belongs.")
    }
    for column in table.syncedColumns { try check(column) }
    for column in table.definitions { try checkDeletion(column) }
    for column in table.definitions where table.policy(of: column.name) == nil {
      guard !column.isNullable, column.defaultSQL == nil else { continue }
      throw problem(
        "“\(column.name)” is local, and others' rows come without it. Let it be NULL, or give it a "
          + "default.")
    }
    try checkUniqueKeys()
    try checkDerivedColumns()
  }

  private func checkKey() throws(ReplicaError) {
    let keys = table.definitions.filter(\.isPrimaryKey)
    guard keys.count == 1, let key = keys.first, StorageType(affinityOf: key.sqlType) == .text
    else {
      throw problem("A synced table has one primary key column, and that is a TEXT.")
    }
    guard key.collation == nil || key.collation == .binary else {
      throw problem("The key compares by a collation. Two ids that differ are two rows elsewhere.")
    }
    guard table.rules[key.name] == nil else {
      throw problem("The key is neither local nor merged. Leave it out of the columns.")
    }
    guard table.formerNames[key.name] == nil else {
      throw problem("The key has no name in messages. Leave its former name out.")
    }
  }

  private func checkDerivedColumns() throws(ReplicaError) {
    let retired = Set(table.retiredColumns.map(\.name))
    for column in table.derivedColumns {
      guard retired.contains(column.from) else {
        throw problem(
          "“\(column.name)” is derived from “\(column.from)”, which is not retired. Declare that column "
            + "as retired.")
      }
      guard table.policy(of: column.name) != nil else {
        throw problem(
          "“\(column.name)” is local and derived. Let it be synced, or fill it yourself.")
      }
    }
  }

  private func check(_ column: ColumnDefinition) throws(ReplicaError) {
    guard let reference = column.reference, let target = reference.column,
      target != keys[reference.table]
    else { return }
    throw problem(
      "“\(column.name)” refers to the column “\(target)”. Refer to the other table's key.")
  }

  /// Checks that the deletion of a referenced row has the same effect here as on the server.
  private func checkDeletion(_ column: ColumnDefinition) throws(ReplicaError) {
    guard !column.isPrimaryKey, let reference = column.reference,
      keys[reference.table] != nil
    else { return }
    let wanted: ReferenceAction = column.isNullable ? .setNull : .cascade
    guard table.policy(of: column.name) != nil else {
      if column.isNullable, reference.onDelete == .setNull { return }
      throw problem(
        "“\(column.name)” is local and refers to a synced row, whose deletion it must neither keep "
          + "nor follow. Let it be NULL, and declare ON DELETE SET NULL.")
    }
    guard reference.onDelete != wanted else { return }
    throw problem(
      "When a row is deleted, the server "
        + (column.isNullable
          ? "makes “\(column.name)” NULL where it refers to it. "
          : "deletes the rows that must refer to it by “\(column.name)”. ")
        + "Declare ON DELETE \(wanted.rawValue).")
  }

  private func checkUniqueKeys() throws(ReplicaError) {
    for column in table.uniqueKeys.joined() where table.policy(of: column) == nil {
      throw problem("“\(column)” is unique and local. Others' rows could not be stored beside it.")
    }
  }

  private func problem(_ message: String) -> ReplicaError {
    ReplicaError(.declaration, "Table “\(table.name)” cannot be synced: \(message)")
  }
}

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
