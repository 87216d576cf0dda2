import Offshore
import OffshoreWire
import ServerSupport
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
}
