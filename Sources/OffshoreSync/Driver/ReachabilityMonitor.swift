/// A source of the network's state, as far as the system knows it.
public protocol ReachabilityMonitor: Sendable {
  /// Returns a stream of whether a network is available: the current state, then each change.
  ///
  /// The stream ends with the task that reads it.
  func reachability() -> AsyncStream<Bool>
}
