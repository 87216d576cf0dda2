import Synchronization

/// The state of queued work, shared across threads: whether it has begun, and whether its caller
/// has cancelled it.
final class CancellationFlag: Sendable {
  private static let waiting = 0
  private static let begun = 1
  private static let withdrawn = 2
  private static let stopping = 3

  private let state = Atomic<Int>(waiting)

  /// Whether the caller has cancelled the work.
  var isSet: Bool { state.load(ordering: .relaxed) >= Self.withdrawn }

  /// Marks the work as begun.
  /// - Returns: Whether it may begin; `false` if the caller has already cancelled it.
  func begin() -> Bool { exchange(Self.waiting, Self.begun) }

  /// Marks the work as cancelled.
  /// - Returns: Whether the work had not begun. In that case, it never begins.
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
