import Synchronization

/// Says, across threads, whether work that waits its turn has begun, and whether its caller has
/// given up.
final class CancellationFlag: Sendable {
  private static let waiting = 0
  private static let begun = 1
  private static let withdrawn = 2
  private static let stopping = 3

  private let state = Atomic<Int>(waiting)

  /// Whether the caller has given up.
  var isSet: Bool { state.load(ordering: .relaxed) >= Self.withdrawn }

  /// Notes that the work begins.
  /// - Returns: whether it may; not where the caller has given up before.
  func begin() -> Bool { exchange(Self.waiting, Self.begun) }

  /// Notes that the caller has given up.
  /// - Returns: whether the work had not begun, and never will.
  @discardableResult
  func set() -> Bool {
    if exchange(Self.waiting, Self.withdrawn) { return true }
    _ = exchange(Self.begun, Self.stopping)
    return false
  }

  private func exchange(_ old: Int, _ new: Int) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
