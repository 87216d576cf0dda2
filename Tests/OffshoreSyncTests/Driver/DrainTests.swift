import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport
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

  // MARK: - Restored data

  /// Returns a device with a sent change of charter c1, over a transport.
  private func device(_ transport: PreparingTransport) async throws -> LoopbackDevice {
    let anna = try await LoopbackDevice(1, of: transport.url, over: transport)
    await anna.driver.start()
    try await anna.run("INSERT INTO charters VALUES ('c1', 'Alma')", Self.task("t1"))
    #expect(await failure(anna) == nil)
    await anna.wait { $0.phase == .idle }
    return anna
  }

  private static func task(_ id: String) -> SQL {
    "INSERT INTO tasks (id, charterID, title, votes) VALUES (\(id), 'c1', 'Lines', 0)"
  }

  private func rowCount(_ server: LoopbackServer) async throws -> Int64 {
    try await server.storage.read { log in
      try log.scope(ScopeID(kind: "charter", value: "c1")).usage.rows
    }
  }

  @Test func `Changes are sent though the server's data is replaced while they are`() async throws {
    let server = try await LoopbackServer.fleet()
    let transport = PreparingTransport(server.url)
    let anna = try await device(transport)
    transport.prepare(5) { number in
      try? await server.storage.write { try $0.beginEpoch(UInt64(100 + number)) }
    }
    try await anna.run(Self.task("t2"))
    #expect(await failure(anna) == nil)
    let left = try await status(anna)
    #expect(left.pending == 0 && left.refused == 0, "\(left)")
    #expect(try await rowCount(server) == 3)
    await anna.end()
    await server.stop()
  }

  @Test func `It throws if the server's data is replaced with each push`() async throws {
    let server = try await LoopbackServer.fleet()
    let transport = PreparingTransport(server.url)
    let anna = try await device(transport)
    transport.prepare(.max) { number in
      try? await server.storage.write { try $0.beginEpoch(UInt64(100 + number)) }
    }
    try await anna.run(Self.task("t2"))
    #expect(await failure(anna) == .server)
    #expect(try await status(anna).pending == 1)
    await anna.end()
    await server.stop()
  }

  @Test func `It does not return while changes wait for a pull of restored data`() async throws {
    let server = try await LoopbackServer.fleet()
    let restored = try await LoopbackServer.fleet()
    let transport = PreparingTransport(server.url)
    let anna = try await device(transport)
    transport.pulls.close()
    transport.prepare(1) { [transport] _ in
      await transport.pulls.pass()
      transport.replaceBase(restored.url, failingPulls: true)
    }
    try await anna.run(Self.task("t2"))
    #expect(await failure(anna) == .server)
    #expect(try await status(anna).pending > 0)
    transport.replaceBase(restored.url, failingPulls: false)
    #expect(await failure(anna) == nil)
    let left = try await status(anna)
    #expect(left.pending == 0 && left.refused == 0, "\(left)")
    #expect(try await rowCount(restored) == 3)
    await anna.end()
    for server in [server, restored] { await server.stop() }
  }
}

/// A transport that runs a closure before some pushes.
private final class PreparingTransport: SyncTransport {
  private struct State {
    var base: HTTPTransport
    var failsPulls = false
    var count = 0
    var last = 0
    var prepare: @Sendable (Int) async -> Void = { _ in }
  }

  /// The address of the first server.
  let url: URL
  /// Opens with the next answer to a pull.
  let pulls = Gate(isOpen: true)
  private let state: Mutex<State>

  init(_ url: URL) {
    self.url = url
    state = Mutex(State(base: HTTPTransport(url)))
  }

  /// Runs a closure before each of the next pushes, with the number of the push.
  func prepare(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) {
    state.withLock { ($0.count, $0.last, $0.prepare) = (0, count, body) }
  }

  func replaceBase(_ url: URL, failingPulls: Bool) {
    state.withLock { ($0.base, $0.failsPulls) = (HTTPTransport(url), failingPulls) }
  }

  private var base: HTTPTransport { state.withLock(\.base) }

  func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8] {
    guard path == "v1/push" else {
      let isFailing = path == "v1/pull" && state.withLock(\.failsPulls)
      if isFailing { throw SyncEngine.Failure(status: 503) }
      let answer = try await base.send(body, to: path, token: token)
      if path == "v1/pull" { pulls.open() }
      return answer
    }
    let (number, prepare) = state.withLock { state in
      state.count += 1
      return (state.count, state.count <= state.last ? state.prepare : nil)
    }
    await prepare?(number)
    return try await base.send(body, to: path, token: token)
  }

  func listen(
    token: String, _ heard: @escaping @Sendable (StreamEvent) async -> Void
  ) async throws(SyncEngine.Failure) {
    try await base.listen(token: token, heard)
  }
}
