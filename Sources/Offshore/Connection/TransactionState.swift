import CSQLite

/// What a connection knows of its transaction.
struct TransactionState {
  enum Mode { case none, read, write }

  var mode = Mode.none
  /// What the statements of the transaction changed, in order; equal statements in a row share one element.
  private(set) var changes: [PendingChange] = []
  /// The number of changes before the innermost savepoint that was begun.
  private var mark = 0
  /// The rows that the running statement has changed so far.
  var touched = TouchedRows()
  /// The number of commits that changed something.
  var commitNumber: UInt64 = 0

  /// Notes what a statement changed.
  /// - Parameters:
  ///   - count: the number of rows that it changed, those of triggers and cascades included.
  ///   - isFollowed: whether ``touched`` are its rows.
  mutating func add(_ effect: Effect, count: Int64, isFollowed: Bool) {
    let isNamed = isFollowed && touched.count == count
    let last = changes.count - 1
    guard last >= mark, changes[last].effect === effect else {
      let change = PendingChange(
        effect: effect, rows: effect.onlyAdds ? [] : isNamed ? touched.rows : nil,
        grownTables: isFollowed ? touched.grownTables : [])
      return changes.append(change)
    }
    // Another execution of the same statement: rows stay named if they are for both.
    if !effect.onlyAdds { changes[last].take(isNamed ? touched.rows : nil) }
    guard isFollowed, !touched.grownTables.isEmpty else { return }
    changes[last].grownTables.formUnion(touched.grownTables)
  }

  /// Forgets which rows the last statement has changed, so that its further executions take no more memory:
  /// any row may have changed then.
  mutating func forgetRowsOfLastChange() {
    guard let last = changes.indices.last, !changes[last].effect.onlyAdds else { return }
    changes[last].rows = nil
  }

  /// Notes that a savepoint begins.
  /// - Returns: the number of changes before it.
  mutating func beginSavepoint() -> Int {
    mark = changes.count
    return mark
  }

  /// Forgets the changes from one on, which were undone.
  mutating func removeChanges(from start: Int = 0) {
    changes.removeSubrange(min(start, changes.count)...)
    mark = min(mark, changes.count)
  }
}

/// What executions of a statement changed.
struct PendingChange {
  let effect: Effect
  /// The rows concerned, or `nil` where SQLite did not name them all.
  var rows: [TouchedTable]?
  /// The tables that rows have come to, where ``rows`` are named.
  var grownTables: Set<String> = []

  /// Takes the rows of another execution; they stay named if they are for both.
  fileprivate mutating func take(_ touched: [TouchedTable]?) {
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

/// The rows of one table that updates and deletes have changed.
struct TouchedTable {
  let name: String
  var rowIDs: [Int64] = []
}

/// The rows that the running statement has changed, as SQLite's update hook tells them.
struct TouchedRows {
  private(set) var rows: [TouchedTable] = []
  /// The tables that rows have come to. Nobody asks for those rows, which a trigger that notes
  /// changes makes as many of as there are others.
  private(set) var grownTables: Set<String> = []
  /// How many rows came, changed or went.
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

  /// Takes what the hook is called with.
  mutating func add(_ operation: Int32, _ table: UnsafePointer<CChar>, _ rowID: Int64) {
    count += 1
    // Within a statement the name of a table stays where it is.
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
