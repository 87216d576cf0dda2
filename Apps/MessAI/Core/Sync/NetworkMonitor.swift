public import Foundation
public import Observation
public import OffshorePresentation
public import OffshoreSync

/// The connection of this device to the server.
@MainActor @Observable
public final class NetworkMonitor {
  /// The monitor of the app. Any route counts before ``follow(_:server:)`` names a server.
  public static let shared: NetworkMonitor = {
    let monitor = NetworkMonitor()
    monitor.observe(monitor.monitor)
    return monitor
  }()

  /// The kind of the connection to the server.
  public private(set) var connectionType = NetworkConnection.none
  @ObservationIgnored private var service: SyncService?
  @ObservationIgnored private var makeMonitor: @Sendable (URL?) -> any ReachabilityMonitor
  @ObservationIgnored private var monitor: any ReachabilityMonitor
  @ObservationIgnored private var observer: Task<Void, Never>?

  /// Creates a monitor of this machine's interfaces. Changes of these are noticed at once.
  public convenience init() { self.init { NetlinkMonitor(to: $0) } }

  init(_ makeMonitor: @escaping @Sendable (URL?) -> any ReachabilityMonitor) {
    self.makeMonitor = makeMonitor
    monitor = makeMonitor(nil)
  }

  isolated deinit { observer?.cancel() }

  /// Whether there is a route to the configured server, and airplane mode is off.
  public var isConnected: Bool { connectionType.isAvailable && service?.isAirplane != true }

  /// Determines the connection anew.
  public func checkConnection() async { connectionType = await monitor.connection() }

  /// Starts to observe the connection to a server.
  /// - Parameters:
  ///   - service: the service whose airplane mode counts.
  ///   - server: the server; `nil` for any.
  public func follow(_ service: SyncService, server: URL?) {
    self.service = service
    monitor = makeMonitor(server)
    observe(monitor)
  }

  private func observe(_ monitor: any ReachabilityMonitor) {
    observer?.cancel()
    observer = Task { [weak self] in
      for await connection in monitor.connections() { self?.receive(connection) }
    }
  }

  private func receive(_ connection: NetworkConnection) {
    if connection != connectionType { connectionType = connection }
  }
}
