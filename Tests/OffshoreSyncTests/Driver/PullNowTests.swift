import Foundation
import Offshore
import ServerSupport
import Testing

@testable import OffshoreSync

/// Pulls that return when the device has the server's present changes.
@Suite(.timeLimit(.minutes(2)))
struct PullNowTests {
  private func failure(_ device: LoopbackDevice) async -> SyncEngine.Failure.Code? {
    do {
      try await device.driver.pullNow()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `Changes of others are stored when it returns, with any number of concurrent calls`()
    async throws
  {
    let server = try await LoopbackServer.fleet()
    let anna = try await LoopbackDevice(1, of: server.url)
    let ben = try await LoopbackDevice(2, of: server.url)
    for device in [anna, ben] { await device.driver.start() }
    try await anna.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    for try await pending in anna.database.values({ [replica = anna.replica] in
      try replica.status($0).pending
    }) where pending == 0 { break }
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 { group.addTask { try await ben.driver.pullNow() } }
      try await group.waitForAll()
    }
    let names = try await ben.database.read {
      try SQL("SELECT name FROM charters").all($0, as: String.self)
    }
    #expect(names == ["Alma"])
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `A failed pull throws its reason`() async throws {
    let server = try await LoopbackServer.fleet()
    let ben = try await LoopbackDevice(2, of: server.url)
    #expect(await failure(ben) == .cancelled, "not started")
    await ben.driver.start()
    #expect(await failure(ben) == nil)
    await ben.driver.setToken("none")
    #expect(await failure(ben) == .unauthorized)
    #expect(await failure(ben) == .unauthorized, "nothing is asked any more")
    await ben.driver.setToken(LoopbackServer.token(2))
    // A failure of a request with the former token does not count.
    #expect(await failure(ben) == nil)
    await ben.wait { $0.phase == .idle }
    await server.stop()
    #expect(await failure(ben) == .unreachable)
    await ben.end()
    #expect(await failure(ben) == .cancelled)
  }

  @Test func `A failure with former credentials does not end a wait`() async {
    let refused = SyncEngine.Event.pullFailed(.init(.unauthorized, "No."))
    let failure = await withCheckedContinuation { waiter in
      var waiters = RequestWaiters(.pull)
      waiters.begin()
      waiters.add(waiter)
      waiters.handle(refused, isPaused: false)
      #expect(!waiters.isEmpty)
      waiters.handle(refused, isPaused: true)
      #expect(waiters.isEmpty)
    }
    #expect(failure?.code == .unauthorized)
  }

  @Test func `A waiting pull fails when syncing ends and when the network is lost`() async throws {
    let silent = try RawServer([], then: .hold)
    let ben = try await LoopbackDevice(2, of: silent.url)
    await ben.driver.start()
    async let waiting = failure(ben)
    await ben.wait { $0.phase == .syncing }
    await ben.driver.handle(.reachabilityChanged(false))
    #expect(await waiting == .unreachable)
    #expect(await failure(ben) == .unreachable)
    await ben.end()
  }
}
