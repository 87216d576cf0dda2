/// A row as a server tells it: its state, and its place in the order of the scope's changes.
public struct SyncedRow: Hashable, Sendable {
  /// The row.
  public let row: RowID
  /// The number of the row's last change; each change in a scope has one of its own.
  public let seq: Int64
  /// What the row is.
  public let state: RowState

  /// Describes a row.
  public init(_ row: RowID, seq: Int64, state: RowState) {
    self.row = row
    self.seq = seq
    self.state = state
  }
}

/// The row, the number, then the state.
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
