/// How far the server's clock is ahead of the device's, as its answers tell.
///
/// An answer bounds the offset: the server read its clock after the request was sent and before the
/// answer was received. An offset that keeps to the bounds stays; another moves to the nearer
/// bound. So a slow answer takes nothing away from what a quick one told, and a clock that was set is
/// noticed at once.
public struct ClockOffset: Hashable, Sendable {
  /// The milliseconds to add to the device's clock, or `nil` while no answer has come.
  public private(set) var milliseconds: Int64?

  /// Takes an offset that was kept, or none.
  public init(milliseconds: Int64? = nil) { self.milliseconds = milliseconds }

  /// Learns from an answer.
  /// - Parameters:
  ///   - server: the time of the server in its answer, in milliseconds since 1970.
  ///   - sent: what the device's clock showed when it sent the request.
  ///   - received: what it showed when the answer came. One that stepped back meanwhile tells nothing.
  public mutating func learn(server: Int64, sent: Int64, received: Int64) {
    let (server, sent, received) = (
      Self.bounded(server), Self.bounded(sent), Self.bounded(received)
    )
    guard sent <= received else { return }
    let (least, most) = (server - received, server - sent)
    let known = milliseconds ?? (least + (most - least) / 2)
    milliseconds = min(max(known, least), most)
  }

  /// The server's time, as far as it is known, when the device's clock shows a time.
  public func serverTime(at milliseconds: Int64) -> Int64 {
    let (sum, overflows) = milliseconds.addingReportingOverflow(self.milliseconds ?? 0)
    return overflows ? milliseconds : sum
  }

  private static func bounded(_ milliseconds: Int64) -> Int64 {
    min(max(milliseconds, Stamp.range.lowerBound), Stamp.range.upperBound)
  }
}
