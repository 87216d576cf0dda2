public import OffshoreWire

/// What the log keeps of a scope beside its rows.
public struct ScopeState: Hashable, Sendable {
  /// The number of the last change, or 0 before the first.
  public var head: Int64
  /// Tombstones up to this number may have been collected.
  public var minSeq: Int64
  /// The sum of the rows at ``head``.
  public var digest: Digest
  /// How many conflicts were decided, which is the number of the last.
  public var conflicts: Int64
  /// The epoch of the data; see ``ChangeLogWriter/beginEpoch(_:)``.
  public var epoch: UInt64

  /// Describes a scope; one without rows, unless more is said.
  public init(
    head: Int64 = 0, minSeq: Int64 = 0, digest: Digest = Digest(), conflicts: Int64 = 0,
    epoch: UInt64
  ) {
    self.head = head
    self.minSeq = minSeq
    self.digest = digest
    self.conflicts = conflicts
    self.epoch = epoch
  }
}
