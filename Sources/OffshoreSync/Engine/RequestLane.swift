/// The pushes or the pulls, one request at a time.
struct RequestLane: Hashable {
  /// Whether a request is to be made, apart from the one that is under way.
  var isWanted = false
  /// Whether a request is under way.
  private(set) var isRunning = false
  /// How often the credentials had changed when the last request left.
  private(set) var credentials: UInt64 = 0
  var retry = Retry()

  /// The milliseconds until a wanted request may leave.
  var wait: Int64? { isWanted && !isRunning ? retry.wait : nil }

  /// Begins a request where one is wanted and may leave.
  mutating func start(with credentials: UInt64) -> Bool {
    guard wait == 0 else { return false }
    isWanted = false
    isRunning = true
    self.credentials = credentials
    return true
  }

  /// Ends a request that did what it should.
  mutating func succeed() {
    isRunning = false
    retry = Retry()
  }

  /// Ends a request whose answer brought nothing: the next one waits, so that none go in circles.
  mutating func stall(random: UInt64, _ timing: SyncEngine.Timing) {
    isRunning = false
    retry.stall(random: random, timing)
  }

  /// Ends a request that failed.
  mutating func fail(_ failure: SyncEngine.Failure, random: UInt64, _ timing: SyncEngine.Timing) {
    restart()
    retry.fail(failure, random: random, timing)
  }

  /// Ends a request that is to be made once more.
  mutating func restart() {
    isRunning = false
    isWanted = true
  }
}
