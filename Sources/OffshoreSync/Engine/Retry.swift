/// The delay before a request is sent again.
///
/// Times are stored as the milliseconds left, so a step of the clock cannot prolong them.
struct Retry: Hashable {
  /// The reason why the last request failed, or `nil` if it did not fail.
  private(set) var failure: SyncEngine.Failure?
  private var attempts = 0
  /// The time left of the server's `Retry-After`.
  private var hold: Int64 = 0
  /// The time left of the random delay, which begins after ``hold``.
  private var delay: Int64 = 0

  /// The milliseconds until the next attempt.
  var wait: Int64 { hold + delay }

  /// Whether the last request did not reach the server.
  var isOfNetwork: Bool { failure?.isOfNetwork ?? false }

  /// Reduces the delay by the elapsed milliseconds.
  mutating func pass(_ elapsed: Int64) {
    delay = max(delay - max(elapsed - hold, 0), 0)
    hold = max(hold - elapsed, 0)
  }

  /// Starts a delay, whose bound doubles with each failure. A failure that pauses all requests
  /// starts no delay.
  mutating func fail(_ failure: SyncEngine.Failure, random: UInt64, _ timing: SyncEngine.Timing) {
    self.failure = failure
    guard failure.pause == nil else { return }
    draw(random, timing)
    hold = Self.hold(of: failure.retryAfter ?? 0, timing)
  }

  /// Starts a delay as after a failure, though the request did not fail.
  mutating func stall(random: UInt64, _ timing: SyncEngine.Timing) {
    failure = nil
    draw(random, timing)
  }

  /// Ends the random delay and resets its bound. The server's `Retry-After` stays.
  mutating func reset() {
    attempts = 0
    delay = 0
  }

  /// Ends the whole delay, including the server's `Retry-After`.
  mutating func release() {
    reset()
    hold = 0
  }

  /// Draws a delay evenly from 0 to the bound, both included.
  private mutating func draw(_ random: UInt64, _ timing: SyncEngine.Timing) {
    let bound = min(timing.longestDelay, timing.firstDelay << Int64(attempts))
    delay = Int64(random.multipliedFullWidth(by: UInt64(bound) + 1).high)
    // A day in milliseconds has 27 bits: 30 doublings reach any bound and never overflow.
    attempts = min(attempts + 1, 30)
  }

  private static func hold(of seconds: Int64, _ timing: SyncEngine.Timing) -> Int64 {
    let (milliseconds, overflows) = max(seconds, 0).multipliedReportingOverflow(by: 1_000)
    return overflows ? timing.longestRetryAfter : min(milliseconds, timing.longestRetryAfter)
  }
}
