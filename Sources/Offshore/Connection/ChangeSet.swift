/// What one commit changed.
package struct ChangeSet: Sendable {
  /// The number of the commit: one higher for each on the same connection, or for each to the file of
  /// a ``Database``.
  package private(set) var number: UInt64
  /// What changed, by the name of the table.
  package internal(set) var tables: [String: TableChange] = [:]
  /// Whether tables, indexes, views, or triggers changed.
  package internal(set) var changesSchema = false
  /// What may have changed anything, in words, if it is not known what changed.
  private(set) var unknown: String?

  /// A commit that may have changed anything, as one of another process.
  init(everythingBecause unknown: String) {
    number = 0
    self.unknown = unknown
  }

  init(number: UInt64, _ changes: [PendingChange]) {
    self.number = number
    // A bulk of equal statements shares one effect.
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
      // A table that no row came to and no named row belongs to did not change, though it might have.
      if rowIDs?.isEmpty == true, !change.effect.onlyAdds, !change.grownTables.contains(table) {
        continue
      }
      tables[table, default: TableChange()].add(
        columns: change.effect.columns[table] ?? [],
        addsOrRemovesRows: change.effect.rows.contains(table), rowIDs: rowIDs)
    }
  }
}

/// What one commit changed in one table.
package struct TableChange: Sendable {
  /// Whether rows came or went.
  package private(set) var addsOrRemovesRows = false
  /// The columns in which values of rows changed.
  package private(set) var columns: Set<String> = []
  /// The ids of rows that changed or went, or `nil` where any may have. Rows that came need not be
  /// among them.
  package private(set) var rowIDs: Set<Int64>? = []

  /// How many rows are named at the most; more count as any row.
  private static let rowLimit = 4096

  /// The ids of a table's rows among others, or of enough of them to count as any row.
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
