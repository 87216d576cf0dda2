import OffshoreWire

/// How many more bytes of rows fit into the answer to a push.
struct AnswerRoom {
  private var bytes: Int

  init(bytes: Int = WireLimits.rowBytes) { self.bytes = bytes }

  /// Whether a row has not fitted. Then no other is read.
  private(set) var isFull = false

  /// Takes room for a row.
  /// - Returns: the row, or `nil` where it does not fit.
  mutating func take(_ row: SyncedRow) -> SyncedRow? {
    isFull = isFull || row.state.byteCount > bytes
    guard !isFull else { return nil }
    bytes -= row.state.byteCount
    return row
  }
}
