import Foundation
import Offshore
import OffshoreHTTP
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// Devices and a server with real connections.
@Suite(.timeLimit(.minutes(5)))
struct SyncDriverTests {
  private let server: LoopbackServer
  private let charter: SQL = "INSERT INTO charters VALUES ('c1', 'Alma')"

  init() async throws { server = try await LoopbackServer.fleet() }

  private func task(_ id: String, _ title: String) -> SQL {
    "INSERT INTO tasks (id, charterID, title, votes) VALUES (\(id), 'c1', \(title), 0)"
  }

  @Test func `A change of one device reaches the other by a hint, without polling`() async throws {
    let anna = try await LoopbackDevice(1, of: server.url)
    let ben = try await LoopbackDevice(2, of: server.url)
    for device in [anna, ben] { await device.driver.start() }
    try await anna.run(charter, task("t1", "Sails"))
    try await ben.waitForTitles(["Sails"])
    try await ben.run("UPDATE tasks SET title = 'Lines' WHERE id = 't1'", task("t2", "Fenders"))
    try await anna.waitForTitles(["Lines", "Fenders"])
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `The stream stays open while charters are created, and hints at each`() async throws {
    let phone = try await LoopbackDevice(1, of: server.url)
    let tablet = try await LoopbackDevice(3, account: 1, of: server.url)
    let devices = [phone, tablet]
    for device in devices { await device.driver.start() }
    for device in devices { await device.wait { $0.isListening && $0.phase == .idle } }
    var titles: [String] = []
    for number in 10...19 {
      let (charter, title) = ("c\(number)", "Sails of \(number)")
      titles.append(title)
      try await phone.run(
        "INSERT INTO charters VALUES (\(charter), \(title))",
        """
        INSERT INTO tasks (id, charterID, title, votes)
        VALUES (\("t\(number)"), \(charter), \(title), 0)
        """)
      try await tablet.waitForTitles(titles)
    }
    try await tablet.run("UPDATE tasks SET title = 'Ticked' WHERE id = 't10'")
    try await phone.waitForTitles(["Ticked"] + titles.dropFirst())
    #expect(server.streamCount == 2, "A stream was closed and opened again.")
    for device in devices { await device.end() }
    await server.stop()
  }

  @Test func `A scope created offline belongs to its creator alone`()
    async throws
  {
    let anna = try await LoopbackDevice(1, of: server.url)
    try await anna.run(
      "INSERT INTO charters VALUES ('c9', 'Bella')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t9', 'c9', 'Sails', 0)")
    await anna.driver.start()
    let scope = try ScopeID("charter/c9")
    for try await roles in anna.database.values({ reader in
      try SQL("SELECT role FROM _cursor WHERE scope = 'charter/c9' AND seq > 0")
        .all(reader, as: Int64?.self)
    }) where roles.contains(where: { $0 != nil }) { break }
    let grants = try await server.storage.read { log in
      try [1, 2].map { try log.grant(of: AccountID(Ship.uuid(2, $0)), in: scope)?.role }
    }
    #expect(grants == [.owner, nil])
    try await anna.run("UPDATE tasks SET title = 'Lines' WHERE id = 't9'")
    for try await pending in anna.database.values({ [replica = anna.replica] in
      try replica.status($0).pending
    }) where pending == 0 { break }
    let ben = try await LoopbackDevice(2, of: server.url)
    try await ben.run("INSERT INTO charters VALUES ('c9', 'Mine')")
    await ben.driver.start()
    for try await dead in ben.database.values({ [replica = ben.replica] in
      try replica.deadLetters($0).map(\.rejection.code)
    }) where dead == [.forbidden] { break }
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `A change made without a server is sent when one is available again`() async throws {
    let anna = try await LoopbackDevice(1, of: server.url)
    await anna.driver.start()
    await anna.wait { $0.lastSuccess != nil }
    await server.stop()
    try await anna.run(charter, task("t1", "Sails"))
    await anna.wait { $0.phase == .offline && $0.lastError?.code == .unreachable }
    let again = try await LoopbackServer.fleet(continuing: server)
    let ben = try await LoopbackDevice(2, of: again.url)
    await ben.driver.start()
    try await ben.waitForTitles(["Sails"])
    for device in [anna, ben] { await device.end() }
    await again.stop()
  }

  @Test func `A change made without credentials is sent with valid ones`() async throws {
    let anna = try await LoopbackDevice(1, of: server.url)
    await anna.driver.setToken("none")
    await anna.driver.start()
    try await anna.run(charter, task("t1", "Sails"))
    await anna.wait { $0.phase == .paused(.unauthorized) }
    await anna.driver.setToken(nil)
    await anna.wait { $0.phase == .paused(.unauthorized) }
    await anna.driver.setToken(LoopbackServer.token(1))
    let ben = try await LoopbackDevice(2, of: server.url)
    await ben.driver.start()
    try await ben.waitForTitles(["Sails"])
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `A driver that has stopped sends nothing until it is started again`() async throws {
    let anna = try await LoopbackDevice(1, of: server.url)
    await anna.driver.start()
    await anna.wait { $0.phase == .idle && $0.lastSuccess != nil }
    // A second call of stop during the stop waits for the same end.
    async let first: Void = anna.driver.stop()
    async let second: Void = anna.driver.stop()
    _ = await (first, second)
    #expect(await anna.driver.status.phase == .stopped)
    try await anna.run(charter, task("t1", "Sails"))
    let scope = try ScopeID("charter/c1")
    #expect(try await server.storage.read { try $0.scope(scope).head } == 0)
    await anna.driver.start()
    let ben = try await LoopbackDevice(2, of: server.url)
    await ben.driver.start()
    try await ben.waitForTitles(["Sails"])
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `Nothing is sent without a network, and changes are sent afterwards`() async throws {
    let monitor = SetMonitor()
    let anna = try await LoopbackDevice(1, of: server.url, monitor: monitor)
    await anna.driver.start()
    await anna.wait { $0.lastSuccess != nil }
    monitor.set(false)
    await anna.wait { $0.phase == .offline }
    try await anna.run(charter, task("t1", "Sails"))
    monitor.set(true)
    let ben = try await LoopbackDevice(2, of: server.url)
    await ben.driver.start()
    try await ben.waitForTitles(["Sails"])
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `An answer of another kind of server is an error, and syncing goes on`() async throws {
    let answers: [(Response, SyncEngine.Failure.Code)] = [
      (.html("<h1>Sign in to the harbour's network</h1>"), .malformed),
      (.redirect(to: server.url.absoluteString + "/healthz"), .server),
      (Response(.serviceUnavailable, headers: ["Retry-After": "1"]), .server),
      (
        Response(.ok, body: .bytes(Array(repeating: 0, count: WireLimits.bodyBytes + 1))),
        .malformed
      ),
      (Response(.unauthorized), .unauthorized),
    ]
    for (answer, code) in answers {
      let portal = HTTPServer { _ in answer }
      let port = try portal.start()
      let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
      let anna = try await LoopbackDevice(1, of: url)
      await anna.driver.start()
      await anna.wait { $0.lastError?.code == code }
      await anna.end()
      await portal.stop()
    }
    await server.stop()
  }
}

/// A monitor whose state is set by the test.
private final class SetMonitor: ReachabilityMonitor {
  private let states: AsyncStream<NetworkConnection>
  private let continuation: AsyncStream<NetworkConnection>.Continuation

  init() { (states, continuation) = AsyncStream.makeStream() }

  func set(_ isReachable: Bool) { continuation.yield(isReachable ? .ethernet : .none) }

  func connections() -> AsyncStream<NetworkConnection> { states }
}
