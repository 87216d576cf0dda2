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
