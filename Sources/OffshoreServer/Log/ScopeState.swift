public import OffshoreWire

/// The state of a scope, without its rows.
public struct ScopeState: Hashable, Sendable {
  /// The sequence number of the last change, or 0 before the first.
  public var head: Int64
  /// The sequence number up to which tombstones may have been removed.
  public var minSeq: Int64
  /// The sum of the hashes of all rows at ``head``.
  public var digest: Digest
  /// The number of conflicts that the scope has had, which is the number of the last one.
  public var conflicts: Int64
  /// The epoch of the data; see ``ChangeLogWriter/beginEpoch(_:)``.
  public var epoch: UInt64

  /// Creates the state of a scope, by default that of one without rows.
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
