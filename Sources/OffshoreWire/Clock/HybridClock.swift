/// A clock that creates the stamps of one device, each after all that it created or observed
/// before.
///
/// It does not read a clock itself: the caller passes the time of the device's clock in
/// milliseconds since 1970. That clock may step back; stamps never do.
package struct HybridClock: Hashable, Sendable {
  /// The last stamp created or observed, as a stamp of this device. Store it to continue from it.
  package private(set) var latest: Stamp
  /// The time by which the server's clock is ahead of the device's.
  package private(set) var offset: ClockOffset

  /// The device that creates the stamps.
  package var device: DeviceID { latest.device }

  /// Creates a clock, which continues from a stored stamp and offset if they are passed.
  package init(device: DeviceID, latest: Stamp? = nil, offset: ClockOffset = ClockOffset()) {
    self.latest = Stamp(time: latest?.time ?? 0, device: device)
    self.offset = offset
  }

  /// Creates the stamp of an edit.
  /// - Parameter milliseconds: the time of the device's clock.
  package mutating func next(at milliseconds: Int64) -> Stamp {
    let now = serverTime(at: milliseconds)
    latest = now > latest.time ? Stamp(time: now, device: device) : latest.next(by: device)
    return latest
  }

  /// Records a stamp that was received, so that all later ones come after it.
  /// - Parameters:
  ///   - stamp: the stamp, which the server has clamped (``Stamp/clamped(to:)``).
  ///   - milliseconds: the time of the device's clock.
  package mutating func observe(_ stamp: Stamp, at milliseconds: Int64) {
    let time = max(latest.time, stamp.time, serverTime(at: milliseconds))
    latest = Stamp(time: time, device: device)
  }

  /// Updates the offset from an answer; see ``ClockOffset/update(server:sent:received:)``.
  package mutating func updateOffset(server: Int64, sent: Int64, received: Int64) {
    offset.update(server: server, sent: sent, received: received)
  }

  private func serverTime(at milliseconds: Int64) -> UInt64 {
    Stamp.time(of: offset.serverTime(at: milliseconds))
  }
}

/// The time by which the server's clock is ahead of the device's, estimated from the server's
/// answers.
///
/// Each answer bounds the offset: the server read its clock after the request was sent and before
/// the answer was received. An offset within the bounds stays unchanged; any other moves to the
/// nearer bound. So a slow answer does not make the offset less exact, and a change of a clock is
/// detected with the next answer.
package struct ClockOffset: Hashable, Sendable {
  /// The milliseconds to add to the device's clock, or `nil` before the first answer.
  package private(set) var milliseconds: Int64?

  /// Creates an offset from a stored one, or an unknown one.
  package init(milliseconds: Int64? = nil) { self.milliseconds = milliseconds }

  /// Updates the offset from an answer, unless the device's clock was set back while it was
  /// awaited.
  /// - Parameters:
  ///   - server: the server's time in its answer, in milliseconds since 1970.
  ///   - sent: the device's time when it sent the request.
  ///   - received: the device's time when it received the answer.
  package mutating func update(server: Int64, sent: Int64, received: Int64) {
    let (server, sent, received) = (
      Self.bounded(server), Self.bounded(sent), Self.bounded(received)
    )
    guard sent <= received else { return }
    let (least, most) = (server - received, server - sent)
    let known = milliseconds ?? (least + (most - least) / 2)
    milliseconds = min(max(known, least), most)
  }

  /// Returns the server's time for a time of the device, or the same time if the offset is unknown.
  package func serverTime(at milliseconds: Int64) -> Int64 {
    let (sum, overflows) = milliseconds.addingReportingOverflow(self.milliseconds ?? 0)
    return overflows ? milliseconds : sum
  }

  private static func bounded(_ milliseconds: Int64) -> Int64 {
    min(max(milliseconds, Stamp.range.lowerBound), Stamp.range.upperBound)
  }
}
