import Foundation
import Offshore
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// A device with its own database, which a driver syncs over a real connection.
final class LoopbackDevice: Sendable {
  let database: Database
  let driver: SyncDriver
  let replica: Replica

  /// Creates a device.
  /// - Parameters:
  ///   - account: The number of the account; by default the device's number.
  ///   - path: The path of the file; by default the database is in memory.
  ///   - polling: The milliseconds between scheduled pulls.
  ///   - claimableKinds: The kinds of scopes that the device sends without a role.
  init(
    _ number: Int, account: Int? = nil, of url: URL, path: String? = nil,
    polling: Int64 = 86_400_000, monitor: (any ReachabilityMonitor)? = nil,
    over transport: (any SyncTransport)? = nil, claimableKinds: Set<String> = ["charter"]
  ) async throws {
    database = if let path { try Database(path) } else { try .temporary() }
    let replica = try Replica(.fleet(claimableKinds: claimableKinds))
    self.replica = replica
    let device = DeviceID(Ship.uuid(1, number))
    try await database.write { writer in
      try Charter.creation.run(writer)
      try Task.creation.run(writer)
      try replica.outbox.install(writer, device: device)
    }
    var timing = SyncEngine.Timing()
    timing.polling = polling
    timing.safetyPolling = polling
    timing.firstDelay = 20
    timing.longestDelay = 40
    driver = SyncDriver(
      database, replica, over: transport ?? HTTPTransport(url), monitor: monitor, timing: timing)
    await driver.setToken(LoopbackServer.token(account ?? number))
  }

  func run(_ statements: SQL...) async throws {
    try await database.write { writer in for sql in statements { try sql.run(writer) } }
  }

  /// Waits until the tasks have these titles.
  func waitForTitles(_ titles: [String]) async throws {
    let values = database.values { reader in
      try SQL("SELECT title FROM tasks ORDER BY id").all(reader, as: String.self)
    }
    for try await found in values where found == titles { return }
  }

  /// Waits until the driver's status meets a condition.
  func wait(until isMet: @Sendable (SyncEngine.Status) -> Bool) async {
    for await status in await driver.statuses() where isMet(status) { return }
  }

  func end() async {
    await driver.stop()
    await database.close()
  }
}
