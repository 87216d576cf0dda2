/// What a connection knows of its transaction.
struct TransactionState {
  enum Mode { case none, read, write }

  var mode = Mode.none
  /// What the statements of the transaction changed, in order.
  var changes: [PendingChange] = []
  /// The rows that the running statement has changed so far.
  var touched: [TouchedRow] = []
  /// The number of commits that changed something.
  var commitNumber: UInt64 = 0
}

/// What one execution of a statement changed.
struct PendingChange {
  let effect: Effect
  /// The rows concerned, or `nil` where SQLite did not name them all.
  let rows: [TouchedRow]?
}

/// A row that an update or a delete has changed.
struct TouchedRow {
  let table: String
  let rowID: Int64
}
