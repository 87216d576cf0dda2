/// Tells whether there is a network, as far as the system knows.
public protocol NetworkMonitor: Sendable {
  /// Whether there is a network, now and whenever that changes, until the task ends.
  func reachability() -> AsyncStream<Bool>
}
