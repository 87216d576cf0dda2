import OffshoreWire

/// How much is sealed into one batch.
///
/// Adjacent transactions are merged as long as they fit. One that alone is larger, as a change of
/// 100,000 rows at once, becomes several batches with consecutive numbers, each applied whole: that
/// is the unit that others see. No batch ever ends within the changes of one row, and a row comes
/// after those it refers to, so no part dangles.
public struct SealingLimits: Hashable, Sendable {
  /// The ops of a batch at the most.
  public var ops = WireLimits.opsPerPush
  /// The bytes of a batch's ops at the most, with room left for what a message has around them.
  public var bytes = WireLimits.bodyBytes - (64 << 10)

  /// Takes the largest that the wire allows.
  public init() {}
}
