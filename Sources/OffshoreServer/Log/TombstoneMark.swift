public import OffshoreWire

/// The number of a scope's last tombstone at a point in time.
public struct TombstoneMark: Hashable, Sendable {
  /// The scope.
  public let scope: ScopeID
  /// The sequence number of the last tombstone.
  public let seq: Int64
  /// The time of the mark, in milliseconds since 1970.
  public let time: Int64

  /// Creates a mark.
  public init(_ scope: ScopeID, seq: Int64, time: Int64) {
    (self.scope, self.seq, self.time) = (scope, seq, time)
  }
}
