public import OffshoreWire

/// Up to which number a scope had tombstones at a time.
public struct TombstoneMark: Hashable, Sendable {
  /// The scope.
  public let scope: ScopeID
  /// The number of the last tombstone.
  public let seq: Int64
  /// When that was noted, in milliseconds since 1970.
  public let time: Int64

  /// Describes what was noted.
  public init(_ scope: ScopeID, seq: Int64, time: Int64) {
    (self.scope, self.seq, self.time) = (scope, seq, time)
  }
}
