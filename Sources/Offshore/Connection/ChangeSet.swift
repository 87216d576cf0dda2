/// The changes of one commit.
package struct ChangeSet: Sendable {
  /// The number of the commit. It rises by one with each commit of a connection, or with each
  /// commit to the file of a ``Database``.
  package private(set) var number: UInt64
  /// The changes by table name.
  package internal(set) var tables: [String: TableChange] = [:]
  /// Whether tables, indexes, views, or triggers changed.
  package internal(set) var changesSchema = false
  /// The reason, in words, why anything may have changed; `nil` if the changes are known.
  private(set) var unknown: String?

  /// Creates the change set of a commit that may have changed anything, such as one of another
  /// process.
  init(everythingBecause unknown: String) {
    number = 0
    self.unknown = unknown
  }

  init(number: UInt64, _ changes: [PendingChange]) {
    self.number = number
    // Equal statements share one effect, which is added once.
    var seen: Set<ObjectIdentifier> = []
    for change in changes {
      if change.rows?.isEmpty != false, change.grownTables.isEmpty,
        !seen.insert(ObjectIdentifier(change.effect)).inserted
      {
        continue
      }
      add(change)
    }
  }

  /// The same changes with another number.
  func numbered(_ number: UInt64) -> ChangeSet {
    var copy = self
    copy.number = number
    return copy
  }

  private mutating func add(_ change: PendingChange) {
    changesSchema = changesSchema || change.effect.changesSchema
    for table in change.effect.tables {
      let rowIDs = change.rows.map { TableChange.rowIDs(of: table, in: $0) }
      // The statement could have changed this table, but inserted no row and changed no named one.
      if rowIDs?.isEmpty == true, !change.effect.onlyAdds, !change.grownTables.contains(table) {
        continue
      }
      tables[table, default: TableChange()].add(
        columns: change.effect.columns[table] ?? [],
        addsOrRemovesRows: change.effect.rows.contains(table), rowIDs: rowIDs)
    }
  }
}

/// The changes of one commit in one table.
package struct TableChange: Sendable {
  /// Whether rows were inserted or deleted.
  package private(set) var addsOrRemovesRows = false
  /// The columns whose values changed in any row.
  package private(set) var columns: Set<String> = []
  /// The ids of changed and deleted rows, or `nil` if any row may have changed. The ids of inserted
  /// rows may be missing.
  package private(set) var rowIDs: Set<Int64>? = []

  /// The maximum number of rows that are named. If more have changed, any row counts as changed.
  private static let rowLimit = 4096

  /// Returns the ids of a table's rows among others: all, or enough of them to count as any row.
  fileprivate static func rowIDs(of table: String, in rows: [TouchedTable]) -> Set<Int64> {
    var ids: Set<Int64> = []
    for rows in rows where rows.name == table {
      for rowID in rows.rowIDs where ids.count <= rowLimit { ids.insert(rowID) }
    }
    return ids
  }

  fileprivate mutating func add(
    columns: Set<String>, addsOrRemovesRows: Bool, rowIDs: Set<Int64>?
  ) {
    self.columns.formUnion(columns)
    self.addsOrRemovesRows = self.addsOrRemovesRows || addsOrRemovesRows
    if let rowIDs { self.rowIDs?.formUnion(rowIDs) } else { self.rowIDs = nil }
    if let count = self.rowIDs?.count, count > Self.rowLimit { self.rowIDs = nil }
  }
}
