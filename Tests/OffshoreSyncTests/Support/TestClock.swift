import Synchronization

/// A clock in milliseconds that a test sets.
final class TestClock: Sendable {
  private let milliseconds: Mutex<Int64>

  init(_ milliseconds: Int64) { self.milliseconds = Mutex(milliseconds) }

  var now: Int64 {
    get { milliseconds.withLock { $0 } }
    set { milliseconds.withLock { $0 = newValue } }
  }
}
