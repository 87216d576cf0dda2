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
  mutating func add(_ change: PendingChange) {
    guard changes.count > mark, changes[changes.count - 1].merge(change) else {
      return changes.append(change)
    }
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

/// What one execution of a statement changed.
struct PendingChange {
  let effect: Effect
  /// The rows concerned, or `nil` where SQLite did not name them all.
  var rows: [TouchedRow]?
  /// The tables that rows have come to, where ``rows`` are named.
  var grownTables: Set<String> = []

  /// Takes another execution of the same statement; rows stay named if they are for both.
  /// - Returns: whether nothing of the other is left.
  fileprivate mutating func merge(_ other: PendingChange) -> Bool {
    guard effect === other.effect else { return false }
    if let named = other.rows, !named.isEmpty { rows?.append(contentsOf: named) }
    if other.rows == nil { rows = nil }
    if !other.grownTables.isEmpty { grownTables.formUnion(other.grownTables) }
    return true
  }
}

/// The rows that the running statement has changed, as SQLite's update hook tells them.
struct TouchedRows {
  private(set) var rows: [TouchedRow] = []
  /// The tables that rows have come to. Nobody asks for those rows, which a trigger that notes
  /// changes makes as many of as there are others.
  private(set) var grownTables: Set<String> = []
  /// How many rows came, changed or went.
  private(set) var count = 0
  private var lastGrown: UnsafePointer<CChar>?
  private var lastTable: (pointer: UnsafePointer<CChar>, name: String)?

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    grownTables = []
    count = 0
    lastGrown = nil
    lastTable = nil
  }

  /// Takes what the hook is called with.
  mutating func add(_ operation: Int32, _ table: UnsafePointer<CChar>, _ rowID: Int64) {
    count += 1
    // Within a statement the name of a table stays where it is.
    guard operation == SQLITE_INSERT else {
      if lastTable?.pointer != table { lastTable = (table, String(cString: table)) }
      return rows.append(TouchedRow(table: lastTable?.name ?? "", rowID: rowID))
    }
    guard table != lastGrown else { return }
    lastGrown = table
    grownTables.insert(String(cString: table))
  }
}

/// A row that an update or a delete has changed.
struct TouchedRow {
  let table: String
  let rowID: Int64
}
