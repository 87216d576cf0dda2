import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Synchronization
import Testing

@testable import OffshoreSync

/// The bytes of a driver's requests: changes that were cancelled, replaced or discarded are in none.
@Suite(.timeLimit(.minutes(2)))
struct WatchedRequestTests {
  private let server: LoopbackServer
  private let wire: WatchedTransport
  private let anna: LoopbackDevice

  /// Anna's charter c1 is on the server.
  init() async throws {
    server = try await LoopbackServer.fleet()
    wire = WatchedTransport(server.url)
    let schema = try SyncSchema(
      version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
      SyncTable(
        Task.self, scope: .kind("charter", \.charterID), keepsRefused: true,
        .merged(\.votes, .counter), .merged(\.items, .keyed), .local(\.isOpen)),
      claimableKinds: ["charter"])
    anna = try await LoopbackDevice(1, of: server.url, over: wire, schema: schema)
    await anna.driver.start()
    try await anna.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try await anna.driver.drain()
  }

  private func end() async {
    await anna.end()
    await server.stop()
  }

  /// Makes and seals changes while the driver is stopped.
  private func seal(_ statements: SQL...) async throws {
    await anna.driver.stop()
    for statement in statements { try await anna.run(statement) }
    try await anna.database.write { [replica = anna.replica] writer in
      try replica.sealAll(writer, at: 1_700_000_000_000) { UUID() }
      #expect(try SQL("SELECT count(*) FROM _outbox").first(writer, as: Int.self) == 0)
    }
  }

  private func send() async throws {
    await anna.driver.start()
    try await anna.driver.drain()
  }

  /// Lets the server refuse a task, because anna may only read for a moment.
  private func refuse(_ title: String) async throws {
    await anna.driver.stop()
    try await grant(.viewer)
    try await anna.run(Task.insertion("t1", title))
    try await send()
    #expect(wire.has(title), "the server has refused it")
    try await grant(.owner)
    try await anna.driver.pullNow()
    #expect(try await titles() == [title])
    wire.reset()
  }

  private func grant(_ role: Role) async throws {
    let account = AccountID(Ship.uuid(2, 1))
    try await server.storage.write { log in
      _ = try log.grant(role, to: account, in: ScopeID(kind: "charter", value: "c1"))
    }
  }

  private func titles() async throws -> [String] {
    try await anna.database.read {
      try SQL("SELECT title FROM tasks ORDER BY id").all($0, as: String.self)
    }
  }

  /// Returns the number of the server's rows in the charter, with the charter itself.
  private func rowCount() async throws -> Int64 {
    try await server.storage.read { log in
      try log.scope(ScopeID(kind: "charter", value: "c1")).usage.rows
    }
  }

  @Test func `A sealed change that is cancelled is in no request`() async throws {
    try await seal(Task.insertion("t1", "zqx-sent"), Task.insertion("t2", "zqx-cancelled"))
    let isDone = try await anna.database.write { [replica = anna.replica] writer in
      try replica.takeBack(
        [RowID(table: "tasks", id: "t2")], isDeletion: false, writer, at: 1_700_000_000_000
      ) { UUID() }
    }
    #expect(isDone)
    try await send()
    #expect(wire.has("zqx-sent") && !wire.has("zqx-cancelled"))
    #expect(try await rowCount() == 2)
    await end()
  }

  @Test func `A sealed insertion that is changed is sent with its present values only`()
    async throws
  {
    try await seal(Task.insertion("t1", "zqx-former"))
    try await anna.run("UPDATE tasks SET title = 'zqx-present'")
    try await send()
    #expect(wire.has("zqx-present") && !wire.has("zqx-former"))
    await end()
  }

  @Test func `A refused insertion that is discarded is not sent again`() async throws {
    try await refuse("zqx-refused")
    let isDone = try await anna.database.write { [replica = anna.replica] writer in
      guard let number = try replica.deadLetters(writer).first?.id else { return false }
      return try replica.discard(number, writer)
    }
    #expect(isDone)
    try await anna.run(Task.insertion("t2", "zqx-sent"))
    try await anna.driver.drain()
    #expect(wire.has("zqx-sent") && !wire.has("zqx-refused"))
    #expect(try await titles() == ["zqx-sent"])
    #expect(try await rowCount() == 2)
    await end()
  }

  @Test func `A refused insertion that is changed is sent with its present values only`()
    async throws
  {
    try await refuse("zqx-refused")
    try await anna.run("UPDATE tasks SET title = 'zqx-present'")
    try await anna.driver.drain()
    #expect(wire.has("zqx-present") && !wire.has("zqx-refused"))
    #expect(try await rowCount() == 2)
    await end()
  }
}

/// A transport that stores the bodies of its requests.
private final class WatchedTransport: SyncTransport {
  private let base: HTTPTransport
  private let bodies = Mutex<[[UInt8]]>([])

  init(_ url: URL) { base = HTTPTransport(url) }

  /// Returns whether a request since the last reset had a text.
  func has(_ text: String) -> Bool {
    bodies.withLock { bodies in
      bodies.contains { String(decoding: $0, as: UTF8.self).contains(text) }
    }
  }

  func reset() { bodies.withLock { $0 = [] } }

  func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8] {
    bodies.withLock { $0.append(body) }
    return try await base.send(body, to: path, token: token)
  }

  func listen(
    token: String, _ heard: @escaping @Sendable (StreamEvent) async -> Void
  ) async throws(SyncEngine.Failure) {
    try await base.listen(token: token, heard)
  }
}
