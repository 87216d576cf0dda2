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
