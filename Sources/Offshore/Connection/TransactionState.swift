import CSQLite

/// The state of a connection's transaction.
struct TransactionState {
  enum Mode { case none, read, write }

  var mode = Mode.none
  /// The changes of the transaction's statements, in order. Consecutive executions of one statement
  /// share an element.
  private(set) var changes: [UncommittedChange] = []
  /// The number of changes before the savepoint that was begun last.
  private var mark = 0
  /// The rows that the running statement has changed so far.
  var touched = TouchedRows()
  /// The number of commits that changed something.
  var commitNumber: UInt64 = 0

  /// Records the changes of a statement.
  /// - Parameters:
  ///   - effect: The changes that the statement may have made.
  ///   - count: The number of changed rows, including those of triggers and cascades.
  ///   - isFollowed: Whether ``touched`` has the rows of this statement.
  mutating func add(_ effect: Effect, count: Int64, isFollowed: Bool) {
    let isNamed = isFollowed && touched.count == count
    let last = changes.count - 1
    guard last >= mark, changes[last].effect === effect else {
      let change = UncommittedChange(
        effect: effect, rows: effect.onlyAdds ? [] : isNamed ? touched.rows : nil,
        grownTables: isFollowed ? touched.grownTables : [])
      return changes.append(change)
    }
    // Another execution of the same statement: the rows stay named if both executions name theirs.
    if !effect.onlyAdds { changes[last].add(isNamed ? touched.rows : nil) }
    guard isFollowed, !touched.grownTables.isEmpty else { return }
    changes[last].grownTables.formUnion(touched.grownTables)
  }

  /// Discards the row ids of the last change, so that further executions use no more memory. Any
  /// row may have changed then.
  mutating func forgetRowsOfLastChange() {
    guard let last = changes.indices.last, !changes[last].effect.onlyAdds else { return }
    changes[last].rows = nil
  }

  /// Records the beginning of a savepoint.
  /// - Returns: The number of changes before the savepoint.
  mutating func beginSavepoint() -> Int {
    mark = changes.count
    return mark
  }

  /// Removes the changes from an index on, after a rollback.
  mutating func removeChanges(from start: Int = 0) {
    changes.removeSubrange(min(start, changes.count)...)
    mark = min(mark, changes.count)
  }
}

/// The changes of consecutive executions of a statement.
struct UncommittedChange {
  let effect: Effect
  /// The changed and deleted rows, or `nil` if SQLite did not name all of them.
  var rows: [TouchedTable]?
  /// The tables with inserted rows, if the update hook has reported the rows.
  var grownTables: Set<String> = []

  /// Adds the rows of another execution. They stay named only if both executions name theirs.
  fileprivate mutating func add(_ touched: [TouchedTable]?) {
    guard let touched, rows != nil else {
      rows = nil
      return
    }
    for table in touched {
      if let index = rows?.firstIndex(where: { $0.name == table.name }) {
        rows?[index].rowIDs.append(contentsOf: table.rowIDs)
      } else {
        rows?.append(table)
      }
    }
  }
}

/// The updated and deleted rows of one table.
struct TouchedTable {
  let name: String
  var rowIDs: [Int64] = []
}

/// The rows that the running statement has changed, by SQLite's update hook.
struct TouchedRows {
  private(set) var rows: [TouchedTable] = []
  /// The tables with inserted rows. The ids of those rows are not needed, and a capture trigger
  /// inserts as many rows as the statement changes.
  private(set) var grownTables: Set<String> = []
  /// The number of inserted, updated and deleted rows.
  private(set) var count = 0
  private var lastGrown: UnsafePointer<CChar>?
  private var last: (pointer: UnsafePointer<CChar>, index: Int)?

  mutating func removeAll() {
    guard count > 0 else { return }
    // A statement that runs again mostly changes rows of the same table.
    if rows.count == 1 { rows[0].rowIDs.removeAll(keepingCapacity: true) } else { rows = [] }
    if !grownTables.isEmpty { grownTables = [] }
    count = 0
    lastGrown = nil
    last = nil
  }

  /// Records a row that the update hook reports.
  mutating func add(_ operation: Int32, _ table: UnsafePointer<CChar>, _ rowID: Int64) {
    count += 1
    // During a statement, the pointer to a table's name does not change.
    guard operation == SQLITE_INSERT else {
      if let last, last.pointer == table { return rows[last.index].rowIDs.append(rowID) }
      let index = index(of: table)
      last = (table, index)
      return rows[index].rowIDs.append(rowID)
    }
    guard table != lastGrown else { return }
    lastGrown = table
    grownTables.insert(String(cString: table))
  }

  private mutating func index(of table: UnsafePointer<CChar>) -> Int {
    let name = String(cString: table)
    if let index = rows.firstIndex(where: { $0.name == name }) { return index }
    rows.append(TouchedTable(name: name))
    return rows.count - 1
  }
}
