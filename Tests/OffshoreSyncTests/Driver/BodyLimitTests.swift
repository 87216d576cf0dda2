import Foundation
import Offshore
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import OffshoreSync

/// Devices behind a proxy that accepts less than a full batch.
@Suite(.timeLimit(.minutes(2)))
struct BodyLimitTests {
  private let server: LoopbackServer
  private let proxy: LimitingTransport
  private let anna: LoopbackDevice
  private let ben: LoopbackDevice

  init() async throws {
    server = try await LoopbackServer.fleet()
    proxy = LimitingTransport(HTTPTransport(server.url), bytes: 100 << 10)
    anna = try await LoopbackDevice(1, of: server.url, over: proxy)
    ben = try await LoopbackDevice(2, account: 1, of: server.url)
  }

  /// Returns an insertion of tasks whose titles have a length.
  private func insertion(_ ids: ClosedRange<Int>, in charter: String, length: Int) -> SQL {
    """
    WITH RECURSIVE c(n) AS (SELECT \(ids.lowerBound) UNION ALL SELECT n + 1 FROM c WHERE n < \
    \(ids.upperBound))
    INSERT INTO tasks (id, charterID, title, votes)
    SELECT 't' || n, \(charter), \(String(repeating: "a", count: length)), 0 FROM c
    """
  }

  /// Syncs both devices until the second one has a number of tasks.
  private func sync(until count: Int) async throws {
    await anna.driver.start()
    await ben.driver.start()
    let counts = ben.database.values { reader in
      try SQL("SELECT count(*) FROM tasks").first(reader, as: Int.self)
    }
    for try await found in counts where found == count { break }
    let refused = try await anna.database.read { [replica = anna.replica] in
      try replica.deadLetters($0)
    }
    #expect(refused.isEmpty)
    #expect(proxy.refusals.withLock(\.self) > 0)
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `Batches of two scopes that pass only one by one arrive`() async throws {
    try await anna.run(
      "INSERT INTO charters VALUES ('c1', 'Alma'), ('c3', 'Bora')",
      insertion(1...7, in: "c1", length: 10_000), insertion(8...14, in: "c3", length: 10_000))
    try await sync(until: 14)
  }

  @Test func `A batch whose halves do not pass together arrives`() async throws {
    try await anna.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try await anna.run(insertion(1...20, in: "c1", length: 11_000))
    try await sync(until: 20)
  }

  @Test(arguments: [413, 504])
  func `A drain waits until a push is small enough`(status: Int) async throws {
    proxy.status.withLock { $0 = status }
    // The drain waits for a push from then on.
    proxy.holdRefusals(untilPull: 2)
    try await anna.run(
      "INSERT INTO charters VALUES ('c1', 'Alma'), ('c3', 'Bora')",
      insertion(1...7, in: "c1", length: 10_000), insertion(8...14, in: "c3", length: 10_000))
    await anna.driver.start()
    try await anna.driver.drain()
    let left = try await anna.database.read { [replica = anna.replica] in try replica.status($0) }
    #expect(left.pending == 0 && left.refused == 0)
    #expect(proxy.refusals.withLock(\.self) > 0)
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }

  @Test func `A drain ends if a single batch takes too long`() async throws {
    proxy.status.withLock { $0 = 504 }
    try await anna.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try await anna.run(insertion(1...20, in: "c1", length: 11_000))
    await anna.driver.start()
    let failure = await #expect(throws: SyncEngine.Failure.self) { try await anna.driver.drain() }
    #expect(failure?.code == .timedOut)
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }
}

/// A transport that refuses large messages, as a proxy does.
private final class LimitingTransport: SyncTransport {
  private let base: HTTPTransport
  private let bytes: Int
  /// The number of refused messages.
  let refusals = Mutex(0)
  /// The status of a refusal.
  let status = Mutex(413)
  private let gate = Gate(isOpen: true)
  /// The number of pulls until the refusals are released.
  private let heldPulls = Mutex(0)

  init(_ base: HTTPTransport, bytes: Int) { (self.base, self.bytes) = (base, bytes) }

  func send(
    _ body: [UInt8], to path: String, token: String
  ) async throws(SyncEngine.Failure) -> [UInt8] {
    guard body.count <= bytes else {
      await gate.pass()
      refusals.withLock { $0 += 1 }
      throw SyncEngine.Failure(status: status.withLock(\.self))
    }
    let answer = try await base.send(body, to: path, token: token)
    if path == "v1/pull" {
      let left = heldPulls.withLock { count in
        count -= 1
        return count
      }
      if left == 0 { gate.open() }
    }
    return answer
  }

  /// Holds refusals until a number of pulls is answered.
  func holdRefusals(untilPull count: Int) {
    heldPulls.withLock { $0 = count }
    gate.close()
  }

  func listen(
    token: String, _ heard: @escaping @Sendable (StreamEvent) async -> Void
  ) async throws(SyncEngine.Failure) {
    try await base.listen(token: token, heard)
  }
}
