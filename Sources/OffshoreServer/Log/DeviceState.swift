public import OffshoreWire

/// What the log keeps of a device in one scope.
public struct DeviceState: Hashable, Sendable {
  /// The number of the last batch that was answered for good, or 0 before the first.
  public var lastNumber: Int64
  /// The number up to which the device has committed all changes.
  public var acknowledged: Int64
  /// Whether a batch of the device was rejected, so that later ones may build on it.
  public var hasRefusals: Bool

  /// Describes a device; one that was never heard of, unless more is said.
  public init(lastNumber: Int64 = 0, acknowledged: Int64 = 0, hasRefusals: Bool = false) {
    self.lastNumber = lastNumber
    self.acknowledged = acknowledged
    self.hasRefusals = hasRefusals
  }
}

/// What became of a batch, to be told again whenever the batch arrives again.
public struct StoredResult: Hashable, Sendable {
  /// The hash of the batch.
  public let hash: ContentHash
  /// What became of it: it was applied or rejected. The row that stood in the way is not kept.
  public let outcome: BatchResult.Outcome

  var isApplied: Bool { if case .applied = outcome { true } else { false } }

  /// Describes a result.
  public init(hash: ContentHash, outcome: BatchResult.Outcome) {
    self.hash = hash
    self.outcome = outcome
  }
}

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
