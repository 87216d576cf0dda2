/// The pushes or the pulls, one request at a time.
struct RequestLane: Hashable {
  /// Whether another request is to be made, besides one that is under way.
  var isWanted = false
  /// Whether a request is under way.
  private(set) var isRunning = false
  /// The number of changes of the access token before the last request was sent.
  private(set) var credentials: UInt64 = 0
  var retry = Retry()

  /// The milliseconds until a wanted request may be sent; `nil` if no request is wanted or one is
  /// under way.
  var wait: Int64? { isWanted && !isRunning ? retry.wait : nil }

  /// Starts a request if one is wanted and its delay is over.
  /// - Returns: whether a request was started.
  mutating func start(with credentials: UInt64) -> Bool {
    guard wait == 0 else { return false }
    isWanted = false
    isRunning = true
    self.credentials = credentials
    return true
  }

  /// Ends a request that succeeded.
  mutating func succeed() {
    isRunning = false
    retry = Retry()
  }

  /// Ends a request whose answer brought nothing new. The next one is delayed, so that requests do
  /// not loop.
  mutating func stall(random: UInt64, _ timing: SyncEngine.Timing) {
    isRunning = false
    retry.stall(random: random, timing)
  }

  /// Ends a request that failed.
  mutating func fail(_ failure: SyncEngine.Failure, random: UInt64, _ timing: SyncEngine.Timing) {
    restart()
    retry.fail(failure, random: random, timing)
  }

  /// Ends a request that is to be made again.
  mutating func restart() {
    isRunning = false
    isWanted = true
  }
}

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
