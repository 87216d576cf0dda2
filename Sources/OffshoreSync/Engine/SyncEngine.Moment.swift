import OffshoreWire

extension SyncEngine {
  /// When an event happens, and a random number for what it may lead to.
  public struct Moment: Hashable, Sendable {
    /// Milliseconds since 1970 by the device's clock. It may step, also backwards.
    public let milliseconds: Int64
    /// A number that the driver draws anew for each event.
    public let random: UInt64

    /// Describes a moment; a time that no clock shows becomes the nearest that one can show.
    public init(milliseconds: Int64, random: UInt64) {
      self.milliseconds = min(
        max(milliseconds, Stamp.range.lowerBound), Stamp.range.upperBound)
      self.random = random
    }
  }
}
