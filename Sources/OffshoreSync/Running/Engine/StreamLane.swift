/// The event stream: one at a time, opened again when it ends.
struct StreamLane: Hashable {
  enum State: Hashable {
    case closed, opening, open, closing
  }

  /// The number of consecutive streams that may end at once before the next one is delayed.
  private static let toleratedShortLives = 3

  private(set) var state = State.closed
  /// Whether the stream was opened with a former access token.
  private(set) var isOutdated = false
  /// The milliseconds since the stream was opened.
  private var age: Int64 = 0
  /// The number of consecutive streams that ended at once.
  private var shortLives = 0
  var retry = Retry()

  /// The milliseconds until the stream may be opened, or `nil` if it is not closed.
  var wait: Int64? { state == .closed ? retry.wait : nil }

  mutating func pass(_ elapsed: Int64) {
    retry.pass(elapsed)
    // Ages are compared with at most a day.
    if state == .open { age = min(age + elapsed, 86_400_000) }
  }

  /// Starts to open the stream if it is closed and its delay is over.
  /// - Returns: whether it is being opened.
  mutating func open() -> Bool {
    guard wait == 0 else { return false }
    state = .opening
    isOutdated = false
    age = 0
    return true
  }

  /// Starts to close the stream if it is open or being opened.
  /// - Returns: whether it is being closed.
  mutating func close() -> Bool {
    guard state == .opening || state == .open else { return false }
    state = .closing
    return true
  }

  /// Marks the stream to be closed, and opened again with the present access token.
  mutating func replace() { isOutdated = true }

  mutating func didOpen() { state = .open }

  /// Records the end of the stream. A stream that was open is opened again at once.
  ///
  /// Servers and proxies end streams now and then, which is not a failure. If a stream cannot be
  /// opened, or streams end at once repeatedly, the delays grow.
  mutating func didClose(
    _ failure: SyncEngine.Failure?, random: UInt64, _ timing: SyncEngine.Timing
  ) {
    let former = state
    state = .closed
    guard former != .closing else {
      (retry, shortLives) = (Retry(), 0)
      return
    }
    shortLives = age >= timing.firstDelay ? 0 : shortLives + 1
    if former == .open, shortLives <= Self.toleratedShortLives {
      retry = Retry()
    } else if let failure {
      retry.fail(failure, random: random, timing)
    } else {
      retry.stall(random: random, timing)
    }
  }
}
