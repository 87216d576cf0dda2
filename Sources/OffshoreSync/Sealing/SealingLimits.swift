import OffshoreWire

/// The maximum size of a batch.
///
/// Adjacent transactions are merged while they fit. A single transaction that is larger, such as a
/// change of 100,000 rows, becomes several batches with consecutive numbers. Other devices see each
/// batch as a whole. All changes of a row are in one batch, and a row comes after the rows that it
/// refers to, so that no reference dangles.
public struct SealingLimits: Hashable, Sendable {
  /// The maximum number of ops in a batch.
  public var ops = WireLimits.opsPerPush
  /// The maximum number of bytes of a batch's ops. A message has room for more, which its other
  /// content needs.
  public var bytes = WireLimits.bodyBytes - (64 << 10)

  /// Creates the largest limits that the protocol allows.
  public init() {}
}
