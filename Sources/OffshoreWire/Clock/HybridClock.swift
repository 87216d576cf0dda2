/// A clock that creates the stamps of one device, each after all that it created or observed
/// before.
///
/// It does not read a clock itself: the caller passes the time of the device's clock in
/// milliseconds since 1970. That clock may step back; stamps never do.
public struct HybridClock: Hashable, Sendable {
  /// The last stamp created or observed, as a stamp of this device. Store it to continue from it.
  public private(set) var latest: Stamp
  /// The time by which the server's clock is ahead of the device's.
  public private(set) var offset: ClockOffset

  /// The device that creates the stamps.
  public var device: DeviceID { latest.device }

  /// Creates a clock, which continues from a stored stamp and offset if they are passed.
  public init(device: DeviceID, latest: Stamp? = nil, offset: ClockOffset = ClockOffset()) {
    self.latest = Stamp(time: latest?.time ?? 0, device: device)
    self.offset = offset
  }

  /// Creates the stamp of an edit.
  /// - Parameter milliseconds: the time of the device's clock.
  public mutating func next(at milliseconds: Int64) -> Stamp {
    let now = serverTime(at: milliseconds)
    latest = now > latest.time ? Stamp(time: now, device: device) : latest.next(by: device)
    return latest
  }

  /// Records a stamp that was received, so that all later ones come after it.
  /// - Parameters:
  ///   - stamp: the stamp, which the server has clamped (``Stamp/clamped(to:)``).
  ///   - milliseconds: the time of the device's clock.
  public mutating func observe(_ stamp: Stamp, at milliseconds: Int64) {
    let time = max(latest.time, stamp.time, serverTime(at: milliseconds))
    latest = Stamp(time: time, device: device)
  }

  /// Updates the offset from an answer; see ``ClockOffset/learn(server:sent:received:)``.
  public mutating func learn(server: Int64, sent: Int64, received: Int64) {
    offset.learn(server: server, sent: sent, received: received)
  }

  private func serverTime(at milliseconds: Int64) -> UInt64 {
    Stamp.time(of: offset.serverTime(at: milliseconds))
  }
}
