import Foundation
import Offshore
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// A device with a database of its own that a driver keeps in sync over a real connection.
final class LoopbackDevice: Sendable {
  let database: Database
  let driver: SyncDriver
  let replica: Replica

  /// - Parameters:
  ///   - account: the number of its account; the device's own unless stated.
  ///   - path: where its file is; one of its own that goes with it unless stated.
  ///   - polling: milliseconds between pulls that nothing asks for.
  init(
    _ number: Int, account: Int? = nil, of url: URL, path: String? = nil,
    polling: Int64 = 86_400_000, monitor: (any NetworkMonitor)? = nil,
    over transport: (any SyncTransport)? = nil
  ) async throws {
    database = if let path { try Database(path) } else { try .inMemory() }
    let replica = try Replica(.fleet(claimableKinds: ["charter"]))
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
