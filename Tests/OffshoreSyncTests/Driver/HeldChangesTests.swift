import Foundation
import Offshore
import OffshoreWire
import ServerSupport
import Synchronization
import Testing

@testable import OffshoreSync

/// The status of a driver beside changes that no request sends.
@Suite(.timeLimit(.minutes(1)))
struct HeldChangesTests {
  @Test func `A device with a refused change is not idle until the user decides`() async throws {
    let server = try await LoopbackServer.fleet()
    let anna = try await LoopbackDevice(1, of: server.url)
    let ben = try await LoopbackDevice(2, of: server.url)
    for device in [anna, ben] { await device.driver.start() }
    try await anna.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try await anna.driver.drain()
    try await server.grant(.viewer, to: 2)
    try await ben.driver.pullNow()
    try await ben.run(Task.insertion("t1", "Lines"))
    await ben.wait { $0.phase == .refused }
    try await ben.driver.drain()
    for await status in await ben.driver.statuses() where status.phase.isAtRest {
      #expect(status.phase == .refused)
      break
    }
    try await ben.database.write { [replica = ben.replica] writer in
      for letter in try replica.deadLetters(writer) { try replica.discard(letter.id, writer) }
    }
    await ben.wait { $0.phase == .idle }
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `A device whose changes wait for a role is not idle until they are sent`()
    async throws
  {
    let server = try await LoopbackServer.fleet()
    let anna = try await LoopbackDevice(1, of: server.url, schema: .fleet(claimableKinds: []))
    await anna.driver.start()
    try await anna.run("INSERT INTO charters VALUES ('c9', 'Bora')")
    await anna.wait { $0.phase == .waitingForGrant }
    try await server.grant(.owner, to: 1, "c9")
    await anna.driver.syncNow()
    await anna.wait { $0.phase == .idle }
    let pending = try await anna.database.read { [replica = anna.replica] in
      try replica.status($0).pending
    }
    #expect(pending == 0)
    await anna.end()
    await server.stop()
  }

  @Test func `Requests that end together share a reading`() async throws {
    let readings = Readings()
    var configuration = DatabaseConfiguration()
    configuration.trace = { readings.note($0) }
    let database = try Database.temporary(configuration: configuration)
    let replica = try Replica(.fleet(claimableKinds: ["charter"]))
    try await database.write { writer in
      try Charter.creation.run(writer)
      try Task.creation.run(writer)
      try replica.outbox.install(writer, device: DeviceID(Ship.uuid(1, 1)))
    }
    let url = try #require(URL(string: "http://127.0.0.1:9"))
    let driver = SyncDriver(database, replica, over: HTTPTransport(url))
    let before = readings.count
    await driver.readHeldChangesOften()
    #expect((1...3).contains(readings.count - before))
    await database.close()
  }
}

/// The number of statements that have read refused changes.
private final class Readings: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }

  func note(_ statement: TracedStatement) {
    if statement.sql.contains("_dead") { number.withLock { $0 += 1 } }
  }
}

extension SyncDriver {
  /// Reads held changes 20 times at once.
  fileprivate func readHeldChangesOften() async {
    let readings = (0..<20).map { _ in _Concurrency.Task { await readHeldChanges() } }
    for reading in readings { await reading.value }
  }
}
