public import OffshoreWire

/// The final result of a batch, stored to repeat it if the batch arrives again.
public struct StoredResult: Hashable, Sendable {
  /// The hash of the batch.
  public let hash: ContentHash
  /// The outcome: applied or rejected, without the current row of a rejection.
  public let outcome: BatchResult.Outcome

  var isApplied: Bool { if case .applied = outcome { true } else { false } }

  /// Creates a result.
  public init(hash: ContentHash, outcome: BatchResult.Outcome) {
    self.hash = hash
    self.outcome = outcome
  }
}
