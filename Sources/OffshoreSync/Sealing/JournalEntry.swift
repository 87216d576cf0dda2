import OffshoreWire

/// One captured change of one row.
struct JournalEntry: Hashable {
  let number: Int64
  /// The number of the transaction.
  let transaction: Int64
  let kind: CaptureTriggers.Kind
  /// The values of the changed columns before the change, or of all columns for a deletion.
  var old: [String: WireValue] = [:]
}

/// The identity of a row in the journal. Its id may be invalid, so that the row cannot be sent.
struct JournalKey: Hashable {
  /// The number of the table in the ``CaptureLayout``.
  let table: Int
  let id: WireValue
}
