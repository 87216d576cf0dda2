import OffshoreWire

/// One captured change of one row.
struct JournalEntry: Hashable {
  let number: Int64
  /// The number of the transaction.
  let transaction: Int64
  let kind: CaptureTriggers.Kind
  /// The values before the change, of the columns that changed; of a deletion, of all.
  var old: [String: WireValue] = [:]
}

/// Names a row in the journal, whose id may be one that cannot be sent.
struct JournalKey: Hashable {
  /// The number of the table.
  let table: Int
  let id: WireValue
}
