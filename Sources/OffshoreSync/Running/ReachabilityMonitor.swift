/// The kind of the connection by which a host is reached.
public enum NetworkConnection: String, Hashable, Sendable, CaseIterable {
  /// A wireless network.
  case wifi
  /// A mobile network.
  case cellular
  /// A network by cable, or of a kind that is not known, such as that of a virtual machine.
  case ethernet
  /// The host is this machine.
  case loopback
  /// There is no route to the host.
  case none

  /// Whether there is a route to the host.
  public var isAvailable: Bool { self != .none }
}

/// A source of the network's state, as far as the system knows it.
public protocol ReachabilityMonitor: Sendable {
  /// Returns a stream of the connection by which the server is reached: the present one, then that after each
  /// change of the machine's links, addresses and routes, which may be the same.
  ///
  /// The stream ends with the task that reads it.
  func connections() -> AsyncStream<NetworkConnection>
}

extension ReachabilityMonitor {
  /// Returns the present connection.
  public func connection() async -> NetworkConnection {
    for await connection in connections() { return connection }
    return .none
  }
}
