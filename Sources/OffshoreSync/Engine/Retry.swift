/// How long to wait after a failure.
///
/// Waits are kept as what is left of them, so no step of a clock makes one longer than it was.
struct Retry: Hashable {
  /// Why the last request failed, or `nil` where it did not.
  private(set) var failure: SyncEngine.Failure?
  private var attempts = 0
  /// What is left of the time that the server asked for.
  private var hold: Int64 = 0
  /// What is left of the delay, which comes after it.
  private var delay: Int64 = 0

  /// The milliseconds until the next attempt.
  var wait: Int64 { hold + delay }

  /// Whether it waits because the server was not reached.
  var isOfNetwork: Bool { failure?.isOfNetwork ?? false }

  /// Lets time pass.
  mutating func pass(_ elapsed: Int64) {
    delay = max(delay - max(elapsed - hold, 0), 0)
    hold = max(hold - elapsed, 0)
  }

  /// Waits longer than after the failure before. One that pauses everything needs no delay.
  mutating func fail(_ failure: SyncEngine.Failure, random: UInt64, _ timing: SyncEngine.Timing) {
    self.failure = failure
    guard failure.pause == nil else { return }
    draw(random, timing)
    hold = Self.hold(of: failure.retryAfter ?? 0, timing)
  }

  /// Waits as after a failure, though there was none.
  mutating func stall(random: UInt64, _ timing: SyncEngine.Timing) {
    failure = nil
    draw(random, timing)
  }

  /// Ends the delay and forgets the attempts, but keeps to what the server asked for.
  mutating func reset() {
    attempts = 0
    delay = 0
  }

  /// Ends the wait, whatever the server asked for.
  mutating func release() {
    reset()
    hold = 0
  }

  /// Draws a delay evenly from 0 to the bound, both included.
  private mutating func draw(_ random: UInt64, _ timing: SyncEngine.Timing) {
    let bound = min(timing.longestDelay, timing.firstDelay << Int64(attempts))
    delay = Int64(random.multipliedFullWidth(by: UInt64(bound) + 1).high)
    // A day has 27 binary digits of milliseconds: 30 doublings reach any bound and never overflow.
    attempts = min(attempts + 1, 30)
  }

  private static func hold(of seconds: Int64, _ timing: SyncEngine.Timing) -> Int64 {
    let (milliseconds, overflows) = max(seconds, 0).multipliedReportingOverflow(by: 1_000)
    return overflows ? timing.longestRetryAfter : min(milliseconds, timing.longestRetryAfter)
  }
}
