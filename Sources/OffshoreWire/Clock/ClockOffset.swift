/// The time by which the server's clock is ahead of the device's, estimated from the server's
/// answers.
///
/// Each answer bounds the offset: the server read its clock after the request was sent and before
/// the answer was received. An offset within the bounds stays unchanged; any other moves to the
/// nearer bound. So a slow answer does not make the offset less exact, and a change of a clock is
/// detected with the next answer.
public struct ClockOffset: Hashable, Sendable {
  /// The milliseconds to add to the device's clock, or `nil` before the first answer.
  public private(set) var milliseconds: Int64?

  /// Creates an offset from a stored one, or an unknown one.
  public init(milliseconds: Int64? = nil) { self.milliseconds = milliseconds }

  /// Updates the offset from an answer, unless the device's clock was set back while it was
  /// awaited.
  /// - Parameters:
  ///   - server: the server's time in its answer, in milliseconds since 1970.
  ///   - sent: the device's time when it sent the request.
  ///   - received: the device's time when it received the answer.
  public mutating func learn(server: Int64, sent: Int64, received: Int64) {
    let (server, sent, received) = (
      Self.bounded(server), Self.bounded(sent), Self.bounded(received)
    )
    guard sent <= received else { return }
    let (least, most) = (server - received, server - sent)
    let known = milliseconds ?? (least + (most - least) / 2)
    milliseconds = min(max(known, least), most)
  }

  /// Returns the server's time for a time of the device, or the same time if the offset is unknown.
  public func serverTime(at milliseconds: Int64) -> Int64 {
    let (sum, overflows) = milliseconds.addingReportingOverflow(self.milliseconds ?? 0)
    return overflows ? milliseconds : sum
  }

  private static func bounded(_ milliseconds: Int64) -> Int64 {
    min(max(milliseconds, Stamp.range.lowerBound), Stamp.range.upperBound)
  }
}
