extension ReadableRows {
  /// The list with each row as another value.
  func map<Value: Sendable>(_ body: (Row) -> Value) -> ReadableRows<Value> {
    ReadableRows<Value>(rows: rows.map(body), unreadable: unreadable)
  }
}
