/// The size of pushes, which adapts to the link.
///
/// It doubles after each push that had no room for all changes, and halves after each that did not
/// arrive whole: the link broke or was too slow, or a proxy refuses bodies of that size. A push has
/// at least one batch, whatever its size, so the smallest size sends batches one by one.
package struct PushSize: Hashable {
  /// The bytes of batches in the next push, at least 1.
  package private(set) var bytes = first
  /// The number of full pushes that have to succeed before the size grows again.
  private var trials = 0

  /// The size of the first push, which passes proxies that accept 1 MiB.
  package static let first = 896 << 10
  /// The largest size.
  package static let largest = SealingLimits().messageBytes
  /// The number of full pushes that succeed between two trials of a size that was refused, or that
  /// took too long.
  private static let patience = 16

  /// Records a push that succeeded.
  /// - Parameter isFull: whether more changes are to be sent, so that a larger push is of use.
  mutating func succeed(isFull: Bool) {
    guard isFull else { return }
    trials = max(trials - 1, 0)
    if trials == 0 { bytes = min(bytes * 2, Self.largest) }
  }

  /// Records a push that failed.
  ///
  /// After a time-out or a refusal, the next ones of the same size would fail, too. A broken link may
  /// carry them when it is back.
  mutating func fail(_ failure: SyncEngine.Failure) {
    if failure.isOfSize {
      trials = Self.patience
    } else if failure.code != .unreachable {
      return
    }
    bytes = max(bytes / 2, 1)
  }

  /// Reduces the size to that of a push that is about to fail because of it, so that the next one is
  /// smaller.
  mutating func limit(to sent: Int) { bytes = max(min(bytes, sent), 1) }
}
