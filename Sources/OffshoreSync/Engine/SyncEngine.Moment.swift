import OffshoreWire

extension SyncEngine {
  /// The time of an event, and a random number for the delay that it may lead to.
  public struct Moment: Hashable, Sendable {
    /// The milliseconds since 1970 by the device's clock. The clock may jump in either direction.
    public let milliseconds: Int64
    /// A random number, which the driver draws for each event.
    public let random: UInt64

    /// Creates a moment. A time outside of `Stamp.range` becomes its nearest bound.
    public init(milliseconds: Int64, random: UInt64) {
      self.milliseconds = min(
        max(milliseconds, Stamp.range.lowerBound), Stamp.range.upperBound)
      self.random = random
    }
  }
}
