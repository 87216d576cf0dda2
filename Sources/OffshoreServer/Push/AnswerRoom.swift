import OffshoreWire

/// The bytes that are left for rows in the answer to a push.
struct AnswerRoom {
  private var bytes: Int

  init(bytes: Int = WireLimits.rowBytes) { self.bytes = bytes }

  /// Whether a row did not fit. Later rows are not read then.
  private(set) var isFull = false

  /// Reserves room for a row.
  /// - Returns: the row, or `nil` if it does not fit.
  mutating func take(_ row: SyncedRow) -> SyncedRow? {
    isFull = isFull || row.state.byteCount > bytes
    guard !isFull else { return nil }
    bytes -= row.state.byteCount
    return row
  }
}
