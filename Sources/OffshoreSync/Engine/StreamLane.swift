/// The event stream: one at a time, opened again when it ends.
struct StreamLane: Hashable {
  enum State: Hashable {
    case closed, opening, open, closing
  }

  /// The number of streams in a row that may end at once before there is a delay.
  private static let toleratedShortLives = 3

  private(set) var state = State.closed
  /// Whether the stream belongs to former credentials.
  private(set) var isOutdated = false
  /// The milliseconds since the stream was opened.
  private var age: Int64 = 0
  /// The number of streams in a row that ended at once.
  private var shortLives = 0
  var retry = Retry()

  /// The milliseconds until the stream may be opened.
  var wait: Int64? { state == .closed ? retry.wait : nil }

  mutating func pass(_ elapsed: Int64) {
    retry.pass(elapsed)
    // A day is more than any age is compared with.
    if state == .open { age = min(age + elapsed, 86_400_000) }
  }

  mutating func open() -> Bool {
    guard wait == 0 else { return false }
    state = .opening
    isOutdated = false
    age = 0
    return true
  }

  mutating func close() -> Bool {
    guard state == .opening || state == .open else { return false }
    state = .closing
    return true
  }

  mutating func replace() { isOutdated = true }

  mutating func didOpen() { state = .open }

  /// Ends the stream, and opens it again at once if it was open.
  ///
  /// A server or a proxy ends streams now and then, which is no failure. A stream that cannot be opened,
  /// or that ends at once time and again, is opened less and less often.
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
