import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// Waits for the end of all pushes.
@Suite(.timeLimit(.minutes(2)))
struct DrainTests {
  private func failure(_ device: LoopbackDevice) async -> SyncEngine.Failure.Code? {
    do {
      try await device.driver.drain()
      return nil
    } catch {
      return error.code
    }
  }

  private func status(_ device: LoopbackDevice) async throws -> OutboxStatus {
    try await device.database.read { [replica = device.replica] in try replica.status($0) }
  }

  @Test func `It returns when all changes are applied or refused, in any number of requests`()
    async throws
  {
    let server = try await LoopbackServer.fleet()
    let anna = try await LoopbackDevice(1, of: server.url)
    await anna.driver.start()
    #expect(await failure(anna) == nil)
    // The account claims the second scope.
    try await anna.run("INSERT INTO charters VALUES ('c1', 'Alma'), ('c9', 'Bora')")
    for start in [0, 4_000, 8_000] {
      try await anna.run(
        """
        WITH RECURSIVE c(n) AS (SELECT \(start) UNION ALL SELECT n + 1 FROM c WHERE n < \(start + 3_999))
        INSERT INTO tasks (id, charterID, title, votes) SELECT 't' || n, 'c1', 'Lines', 0 FROM c
        """)
    }
    #expect(await failure(anna) == nil)
    let left = try await status(anna)
    #expect(left.pending == 0 && left.refused == 0, "\(left)")
    let count = try await server.storage.read { log in
      try log.scope(ScopeID(kind: "charter", value: "c1")).usage.rows
    }
    #expect(count > 12_000)
    await anna.end()
    await server.stop()
  }

  @Test func `A change that cannot be sent is the reason of an error, and stays pending`()
    async throws
  {
    let server = try await LoopbackServer.fleet()
    let anna = try await LoopbackDevice(1, of: server.url)
    try await anna.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    #expect(await failure(anna) == .cancelled, "not started")
    await anna.driver.start()
    #expect(await failure(anna) == nil)
    await anna.driver.setToken("none")
    try await anna.run("UPDATE charters SET name = 'Bora'")
    #expect(await failure(anna) == .unauthorized)
    await anna.driver.setToken(LoopbackServer.token(1))
    #expect(await failure(anna) == nil)
    await anna.wait { $0.phase == .idle }
    await server.stop()
    try await anna.run("UPDATE charters SET name = 'Cora'")
    #expect(await failure(anna) == .unreachable)
    #expect(try await status(anna).pending == 1)
    await anna.end()
    #expect(await failure(anna) == .cancelled)
  }
}
