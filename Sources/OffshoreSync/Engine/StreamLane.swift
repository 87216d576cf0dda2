/// The event stream: one at a time, opened again when it ends.
struct StreamLane: Hashable {
  enum State: Hashable {
    case closed, opening, open, closing
  }

  private(set) var state = State.closed
  /// Whether the stream belongs to former credentials.
  private(set) var isOutdated = false
  /// For how many milliseconds the stream has been open.
  private var age: Int64 = 0
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

  /// Notes that the stream has ended, and waits where nobody asked for it.
  ///
  /// A stream that lasted is a success. One that ends soon after each opening is opened less and
  /// less often, as one that cannot be opened.
  mutating func didClose(
    _ failure: SyncEngine.Failure?, random: UInt64, _ timing: SyncEngine.Timing
  ) {
    let wasClosing = state == .closing
    state = .closed
    if wasClosing || age >= timing.polling { retry = Retry() }
    guard !wasClosing else { return }
    if let failure {
      retry.fail(failure, random: random, timing)
    } else {
      retry.stall(random: random, timing)
    }
  }
}
