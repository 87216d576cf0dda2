import Foundation
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import MessAI

/// The connection that the app shows.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct NetworkMonitorTests {
  private func makeService(for server: URL?) async throws -> SyncService {
    try await SyncedStore.temporary(schema: MessAISchema.current).sync(with: server)
  }

  @Test func `A server on this machine is reached by the loopback interface`() async throws {
    let server = try #require(URL(string: "http://127.0.0.1:9"))
    let monitor = NetworkMonitor()
    #expect(monitor.connectionType == .none && !monitor.isConnected)
    monitor.follow(try await makeService(for: server), server: server)
    await waitUntil { monitor.isConnected }
    #expect(monitor.connectionType == .loopback)
  }

  @Test func `Airplane mode disconnects, whatever the interfaces are`() async throws {
    let connection = SettableConnection()
    let monitor = NetworkMonitor { _ in connection }
    let service = try await makeService(for: URL(string: "http://127.0.0.1:9"))
    monitor.follow(service, server: nil)
    await waitUntil { monitor.isConnected }
    try await service.setAirplane(true)
    #expect(!monitor.isConnected && monitor.connectionType == .loopback)
    try await service.setAirplane(false)
    #expect(monitor.isConnected)
  }

  @Test(arguments: NetworkConnection.allCases)
  func `A change of the interfaces is shown`(kind: NetworkConnection) async throws {
    let connection = SettableConnection()
    let monitor = NetworkMonitor { _ in connection }
    monitor.follow(try await makeService(for: nil), server: nil)
    await waitUntil { monitor.connectionType == .loopback }
    connection.set(kind)
    await waitUntil { monitor.connectionType == kind }
    #expect(monitor.isConnected == (kind != .none))
  }

  @Test func `Checking reads the present connection without waiting for a change`() async {
    let connection = SettableConnection()
    let monitor = NetworkMonitor { _ in connection }
    connection.set(.cellular)
    #expect(monitor.connectionType == .none)
    await monitor.checkConnection()
    #expect(monitor.connectionType == .cellular && monitor.isConnected)
    connection.set(.none)
    await monitor.checkConnection()
    #expect(!monitor.isConnected)
  }

  @Test func `The shared monitor is one object`() {
    #expect(NetworkMonitor.shared === NetworkMonitor.shared)
  }
}
