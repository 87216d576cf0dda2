import CSQLite

/// What a connection knows of its transaction.
struct TransactionState {
  enum Mode { case none, read, write }

  var mode = Mode.none
  /// What the statements of the transaction changed, in order.
  var changes: [PendingChange] = []
  /// The rows that the running statement has changed so far.
  var touched = TouchedRows()
  /// The number of commits that changed something.
  var commitNumber: UInt64 = 0
}

/// What one execution of a statement changed.
struct PendingChange {
  let effect: Effect
  /// The rows concerned, or `nil` where SQLite did not name them all.
  let rows: [TouchedRow]?
  /// The tables that rows have come to, where ``rows`` are named.
  var grownTables: Set<String> = []
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

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    grownTables = []
    count = 0
    lastGrown = nil
  }

  /// Takes what the hook is called with.
  mutating func add(_ operation: Int32, _ table: UnsafePointer<CChar>, _ rowID: Int64) {
    count += 1
    guard operation == SQLITE_INSERT else {
      return rows.append(TouchedRow(table: String(cString: table), rowID: rowID))
    }
    // Within a statement the name of a table stays where it is.
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
