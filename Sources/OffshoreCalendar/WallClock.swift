import Foundation

/// The clock on a wall in a time zone. When the clocks change, it skips some times and shows others
/// twice.
struct WallClock {
  private let zone: TimeZone

  /// More seconds than any clock has differed from UTC: in Manila, it was 15 h 56 min until 1844.
  private static let reach = 16 * 3600

  /// Creates the clock of a time zone.
  init(in zone: TimeZone) { self.zone = zone }

  /// Returns the first instant at which the clock shows a time, or the instant of the change if the
  /// clock skips it.
  ///
  /// - Parameter reading: the time on the clock, in seconds since 1970-01-01 00:00 on the clock.
  func firstInstant(showing reading: Int) -> Date {
    Date(timeIntervalSince1970: TimeInterval(firstSecond(showing: reading)))
  }

  private func firstSecond(showing reading: Int) -> Int {
    let before = offset(at: reading - Self.reach)
    let after = offset(at: reading + Self.reach)
    // The former offset comes first: by that one, a time that the clock shows twice is earlier.
    for offset in [before, self.offset(at: reading - before), after] {
      let second = reading - offset
      if self.offset(at: second) == offset { return second }
    }
    return change(after: reading - max(before, after), until: reading - min(before, after))
  }

  /// Returns the first second with another offset than that of `start`, by bisection.
  private func change(after start: Int, until end: Int) -> Int {
    let former = offset(at: start)
    var (start, end) = (start, end)
    while end - start > 1 {
      let middle = start + (end - start) / 2
      if offset(at: middle) == former { start = middle } else { end = middle }
    }
    return end
  }

  private func offset(at second: Int) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second)))
  }
}
