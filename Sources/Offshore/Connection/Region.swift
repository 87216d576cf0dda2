/// What a fetch reads: the columns of each table, or of single rows of it.
struct Region: Equatable, Sendable {
  /// A row that was found by its key.
  struct RowReference: Hashable, Sendable {
    let table: String
    let rowID: Int64
  }

  /// Names of columns by table. "" stands for a table that is read without any one column, as
  /// `count(*)` does: it changes with every row that comes or goes.
  private(set) var columns: [String: Set<String>] = [:]
  /// Names of columns that are read of single rows only.
  private(set) var rows: [RowReference: Set<String>] = [:]

  /// Adds a column as SQLite's authorizer names it.
  mutating func insert(table: String, column: String) {
    columns[table, default: []].insert(column)
  }

  /// Adds columns of one row.
  mutating func insert(_ row: RowReference, columns: Set<String>) {
    rows[row, default: []].formUnion(columns)
  }

  /// Adds all that another fetch reads.
  mutating func formUnion(_ other: Region) {
    columns.merge(other.columns) { $0.union($1) }
    rows.merge(other.rows) { $0.union($1) }
  }

  /// Why a commit may change what was read, or `nil` where it cannot.
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
  /// Whether rows may have got another row id, in which case SQLite names the new one alone.
  var movesRows: Bool { columns.contains("ROWID") }

  /// Whether values of columns changed in any row.
  func touches(_ read: Set<String>) -> Bool {
    // A row id that changes is called by that name, though a query may know it as a column's.
    addsOrRemovesRows || movesRows || !columns.isDisjoint(with: read)
  }

  /// Whether values of columns changed in one row.
  func touches(_ read: Set<String>, of rowID: Int64) -> Bool {
    if movesRows { return true }
    return rowIDs?.contains(rowID) ?? touches(read)
  }

  /// The change in words, for people who look into why something was fetched again.
  func description(of table: String) -> String {
    var words = [addsOrRemovesRows ? "rows of \(table)" : "\(table)"]
    if !columns.isEmpty { words.append("(\(columns.sorted().joined(separator: ", ")))") }
    if let rowIDs, !rowIDs.isEmpty { words.append("in \(rowIDs.count) named rows") }
    return words.joined(separator: " ")
  }
}
