/// A row as a server sends it: its state, and the number of its last change.
public struct SyncedRow: Hashable, Sendable {
  /// The row.
  public let row: RowID
  /// The number of the row's last change. Each change in a scope has its own number.
  public let seq: Int64
  /// The state of the row.
  public let state: RowState

  /// Creates a row.
  public init(_ row: RowID, seq: Int64, state: RowState) {
    self.row = row
    self.seq = seq
    self.state = state
  }
}

/// The encoding has the row's id, the number, then the state.
extension SyncedRow: WireCodable {
  public static var leastByteCount: Int { RowID.leastByteCount + 1 + RowState.leastByteCount }

  public func encode(into writer: inout WireWriter) {
    row.encode(into: &writer)
    writer.signed(seq)
    state.encode(into: &writer)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(
      try RowID(from: &reader), seq: try reader.counted(), state: try RowState(from: &reader))
  }
}
