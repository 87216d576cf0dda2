import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// A device with a file that syncs over a connection, as that of an app does.
struct SyncingDevice {
  let database: Database
  private let driver: SyncDriver

  /// - Parameter number: The number of the device.
  init(_ file: String, _ number: Int, of server: LoadServer) async throws {
    database = try Database(file)
    let replica = try Replica(try Errand.schema(claimableKinds: ["charter"]))
    try await database.write { writer in
      try Errand.creation.run(writer)
      try replica.outbox.install(writer, device: DeviceID(UUID()))
    }
    driver = SyncDriver(database, replica, over: HTTPTransport(server.url))
    await driver.setToken(server.tokens[number])
  }

  func start() async { await driver.start() }

  func end() async {
    await driver.stop()
    await database.close()
  }

  /// Waits until a query returns a number.
  func wait(for sql: SQL, toBe expected: Int) async throws {
    let values = database.values { [try sql.first($0, as: Int.self) ?? 0] }
    for try await found in values where found == [expected] { return }
  }
}
