public import OffshoreWire

/// An op of a batch that was rejected, by which later ops that build on it are known.
public struct Refusal: Hashable, Sendable {
  /// The row.
  public let row: RowID
  /// Which life of the row the op was for.
  public let generation: Int64
  /// Whether the op would have inserted the row.
  public let isInsertion: Bool
  /// When the op was made, as the device told it.
  public let stamp: Stamp

  /// Notes an op.
  public init(_ op: Op) {
    self.init(op.row, generation: op.generation, isInsertion: op.kind == .put, stamp: op.stamp)
  }

  init(_ row: RowID, generation: Int64, isInsertion: Bool, stamp: Stamp) {
    self.row = row
    self.generation = generation
    self.isInsertion = isInsertion
    self.stamp = stamp
  }
}
