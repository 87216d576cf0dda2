/// Makes the stamps of one device, each after all that it made or saw before.
///
/// It reads no clock itself: the caller passes the milliseconds since 1970 that the device's clock
/// shows. That clock may step back, and stamps still do not.
public struct HybridClock: Hashable, Sendable {
  /// The last stamp made or seen, as this device's. Keep it: a clock goes on from there.
  public private(set) var latest: Stamp
  /// How far the server's clock is ahead of the device's.
  public private(set) var offset: ClockOffset

  /// The device that the stamps are of.
  public var device: DeviceID { latest.device }

  /// Begins a clock, or goes on with one that was kept.
  public init(device: DeviceID, latest: Stamp? = nil, offset: ClockOffset = ClockOffset()) {
    self.latest = Stamp(time: latest?.time ?? 0, device: device)
    self.offset = offset
  }

  /// Makes the stamp of an edit.
  /// - Parameter milliseconds: what the device's clock shows.
  public mutating func next(at milliseconds: Int64) -> Stamp {
    let now = serverTime(at: milliseconds)
    latest = now > latest.time ? Stamp(time: now, device: device) : latest.next(by: device)
    return latest
  }

  /// Notes a stamp that arrived, so that all later ones come after it.
  /// - Parameters:
  ///   - stamp: the stamp, which the server has clamped (``Stamp/clamped(to:)``).
  ///   - milliseconds: what the device's clock shows.
  public mutating func observe(_ stamp: Stamp, at milliseconds: Int64) {
    let time = max(latest.time, stamp.time, serverTime(at: milliseconds))
    latest = Stamp(time: time, device: device)
  }

  /// Learns the offset from an answer of the server; see ``ClockOffset/learn(server:sent:received:)``.
  public mutating func learn(server: Int64, sent: Int64, received: Int64) {
    offset.learn(server: server, sent: sent, received: received)
  }

  private func serverTime(at milliseconds: Int64) -> UInt64 {
    Stamp.time(of: offset.serverTime(at: milliseconds))
  }
}
