/// The changes of one commit.
package struct ChangeSet: Sendable {
  /// The number of the commit. It rises by one with each commit of a connection, or with each
  /// commit to the file of a ``Database``.
  private(set) var number: UInt64
  /// The changes by table name.
  package internal(set) var tables: [String: TableChange] = [:]
  /// Whether tables, indexes, views, or triggers changed.
  var changesSchema = false
  /// The reason, in words, why anything may have changed; `nil` if the changes are known.
  private(set) var unknown: String?

  /// Creates the change set of a commit that may have changed anything, such as one of another
  /// process.
  init(everythingBecause unknown: String) {
    number = 0
    self.unknown = unknown
  }

  init(number: UInt64, _ changes: [UncommittedChange]) {
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

  private mutating func add(_ change: UncommittedChange) {
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
  private(set) var addsOrRemovesRows = false
  /// The columns whose values changed in any row.
  private(set) var columns: Set<String> = []
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

/// The data that a fetch reads: columns of tables, or of single rows.
struct Region: Equatable, Sendable {
  /// A row that was found by its key.
  struct RowReference: Hashable, Sendable {
    let table: String
    let rowID: Int64
  }

  /// The names of columns by table. "" stands for a read without columns, such as `count(*)`, which
  /// changes with each inserted or deleted row.
  private(set) var columns: [String: Set<String>] = [:]
  /// The names of columns that are read from single rows only.
  private(set) var rows: [RowReference: Set<String>] = [:]

  /// Adds a column by the names that SQLite's authorizer reports.
  mutating func insert(table: String, column: String) {
    columns[table, default: []].insert(column)
  }

  /// Adds columns of one row.
  mutating func insert(_ row: RowReference, columns: Set<String>) {
    rows[row, default: []].formUnion(columns)
  }

  /// Adds the columns and rows of another region.
  mutating func formUnion(_ other: Region) {
    columns.merge(other.columns) { $0.union($1) }
    rows.merge(other.rows) { $0.union($1) }
  }

  /// Returns the reason why a commit may have changed the data, or `nil` if it cannot have.
  func cause(in changes: ChangeSet) -> String? {
    if let unknown = changes.unknown { return unknown }
    if changes.changesSchema { return "the schema" }
    for (table, change) in changes.tables {
      if let read = columns[table], change.touches(read) { return change.description(of: table) }
      for (row, read) in rows where row.table == table {
        if change.touches(read, of: row.rowID) { return change.description(of: table) }
      }
    }
    return nil
  }
}

extension TableChange {
  /// Whether row ids may have changed, in which case SQLite names the new ones only.
  var movesRows: Bool { columns.contains("ROWID") }

  /// Returns whether values of these columns may have changed in any row.
  func touches(_ read: Set<String>) -> Bool {
    // SQLite reports a changed row id as `ROWID`, though a query may read it as a declared column.
    addsOrRemovesRows || movesRows || !columns.isDisjoint(with: read)
  }

  /// Returns whether values of these columns may have changed in one row.
  func touches(_ read: Set<String>, of rowID: Int64) -> Bool {
    if movesRows { return true }
    return rowIDs?.contains(rowID) ?? touches(read)
  }

  /// Describes the change, for developers who examine why data was fetched again.
  func description(of table: String) -> String {
    var words = [addsOrRemovesRows ? "rows of \(table)" : "\(table)"]
    if !columns.isEmpty { words.append("(\(columns.sorted().joined(separator: ", ")))") }
    if let rowIDs, !rowIDs.isEmpty { words.append("in \(rowIDs.count) named rows") }
    return words.joined(separator: " ")
  }
}
