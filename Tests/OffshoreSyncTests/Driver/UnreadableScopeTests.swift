import Offshore
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import OffshoreSync

/// Pulls with answers that the device cannot read.
@Suite(.timeLimit(.minutes(2)))
struct UnreadableScopeTests {
  private let server: LoopbackServer
  private let transport: GarblingTransport
  private let anna: LoopbackDevice
  private let ben: LoopbackDevice

  init() async throws {
    server = try await LoopbackServer.fleet()
    transport = GarblingTransport(HTTPTransport(server.url))
    anna = try await LoopbackDevice(1, of: server.url)
    ben = try await LoopbackDevice(2, account: 1, of: server.url, over: transport)
    for number in 1...9 {
      try await anna.run("INSERT INTO charters VALUES (\("c\(number)"), 'Alma')")
    }
    await anna.driver.start()
    for try await pending in anna.database.values({ [replica = anna.replica] in
      try replica.status($0).pending
    }) where pending == 0 { break }
  }

  private func end() async {
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  private func waitForCharters(_ ids: [String]) async throws {
    let values = ben.database.values { reader in
      try SQL("SELECT id FROM charters ORDER BY id").all(reader, as: String.self)
    }
    for try await found in values where found == ids { return }
  }

  private let others = [1, 2, 4, 5, 6, 7, 8, 9].map { "c\($0)" }

  @Test func `A scope that cannot be read is set aside and named, and the others go on`()
    async throws
  {
    transport.garble { $0.has("c3") }
    await ben.driver.start()
    try await waitForCharters(others)
    await ben.wait { $0.phase == .idle && $0.lastError != nil }
    let error = await ben.driver.status.lastError
    #expect(error?.code == .malformed && error?.message.contains("charter/c3") == true)
    // Changes of the other scopes arrive in both directions, without further failures.
    let garbled = transport.garbledCount
    try await ben.run(
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t1', 'c1', 'Lines', 0)")
    try await anna.waitForTitles(["Lines"])
    try await anna.run(
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t2', 'c9', 'Water', 0)")
    try await ben.waitForTitles(["Lines", "Water"])
    #expect(transport.garbledCount == garbled)
    await end()
  }

  @Test func `A scope that was set aside is tried again by later pulls`() async throws {
    transport.garble { $0.has("c3") }
    await ben.driver.start()
    try await waitForCharters(others)
    await ben.wait { $0.phase == .idle && $0.lastError != nil }
    let garbled = transport.garbledCount
    await #expect(throws: SyncEngine.Failure.self) { try await ben.driver.pullNow() }
    #expect(transport.garbledCount == garbled + 1)
    transport.garble { _ in false }
    try await ben.driver.pullNow()
    try await waitForCharters((1...9).map { "c\($0)" })
    #expect(await ben.driver.status.lastError == nil)
    await end()
  }

  @Test func `A drain sends the changes though a scope cannot be read, and then throws`()
    async throws
  {
    transport.garble { $0.has("c3") }
    await ben.driver.start()
    try await waitForCharters(others)
    await ben.wait { $0.phase == .idle && $0.lastError != nil }
    transport.pushes.close()
    try await ben.run("UPDATE charters SET name = 'Bora' WHERE id = 'c1'")
    async let end = drain()
    // The pull of the drain has ended with this one.
    await #expect(throws: SyncEngine.Failure.self) { try await ben.driver.pullNow() }
    transport.pushes.open()
    let (failure, pending) = try await end
    #expect(failure?.code == .malformed && failure?.message.contains("charter/c3") == true)
    #expect(pending == 0)
    await self.end()
  }

  /// Drains, and returns the failure and the number of pending changes at once.
  private func drain() async throws -> (failure: SyncEngine.Failure?, pending: Int) {
    var failure: SyncEngine.Failure?
    do throws(SyncEngine.Failure) { try await ben.driver.drain() } catch { failure = error }
    let status = try await ben.database.read { [replica = ben.replica] in try replica.status($0) }
    return (failure, status.pending)
  }

  @Test func `Scopes whose answers can be read only one by one are all pulled`() async throws {
    transport.garble { $0.cursors.count > 1 }
    await ben.driver.start()
    try await waitForCharters((1...9).map { "c\($0)" })
    await ben.wait { $0.phase == .idle && $0.lastError == nil }
    await end()
  }

  @Test func `A page with too many values for a device is pulled with fewer rows`() async throws {
    transport.garble { $0.has("c3") && $0.limit > 1_000 }
    await ben.driver.start()
    try await waitForCharters((1...9).map { "c\($0)" })
    await ben.wait { $0.phase == .idle && $0.lastError == nil }
    await end()
  }

  @Test func `If no answer can be read, no scope is set aside, and two requests find it out`()
    async throws
  {
    await ben.driver.start()
    try await ben.driver.pullNow()
    transport.garble { _ in true }
    let before = transport.garbledCount
    let failure = await #expect(throws: SyncEngine.Failure.self) {
      try await ben.driver.pullNow()
    }
    #expect(failure?.code == .malformed && failure?.message.contains("charter/") == false)
    #expect(transport.garbledCount == before + 2)
    transport.garble { _ in false }
    try await ben.driver.pullNow()
    #expect(await ben.driver.status.lastError == nil)
    await end()
  }
}

/// A transport that replaces the answers to some pulls by bytes that are not an answer.
private final class GarblingTransport: SyncTransport {
  private struct State {
    var isGarbled: @Sendable (PullRequest) -> Bool = { _ in false }
    var count = 0
  }

  /// Holds pushes back while it is closed.
  let pushes = Gate(isOpen: true)
  private let base: HTTPTransport
  private let state = Mutex(State())

  init(_ base: HTTPTransport) { self.base = base }

  /// The number of answers that were replaced.
  var garbledCount: Int { state.withLock { $0.count } }

  /// Replaces the answers to the pulls that meet a condition from now on.
  func garble(_ isGarbled: @escaping @Sendable (PullRequest) -> Bool) {
    state.withLock { $0.isGarbled = isGarbled }
  }

  func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8] {
    if path == "v1/push" { await pushes.pass() }
    let answer = try await base.send(body, to: path, token: token)
    guard path == "v1/pull", let request = try? PullRequest(body: body) else { return answer }
    return state.withLock { state in
      guard state.isGarbled(request) else { return answer }
      state.count += 1
      return Array("<html>Welcome to the marina</html>".utf8)
    }
  }

  func listen(
    token: String, _ heard: @escaping @Sendable (StreamEvent) async -> Void
  ) async throws(SyncEngine.Failure) {
    try await base.listen(token: token, heard)
  }
}

extension PullRequest {
  /// Returns whether the request is for a charter, among others.
  fileprivate func has(_ id: String) -> Bool { cursors.contains { $0.scope.value == id } }
}
