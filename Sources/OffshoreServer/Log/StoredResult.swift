public import OffshoreWire

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
