public import OffshoreWire

/// An op of a rejected batch, stored to recognize later ops that depend on it.
public struct Refusal: Hashable, Sendable {
  /// The row.
  public let row: RowID
  /// The generation of the row that the op was for.
  public let generation: Int64
  /// Whether the op would have inserted the row.
  public let isInsertion: Bool
  /// The stamp of the op, made by the device.
  public let stamp: Stamp

  /// Creates a record of an op.
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
