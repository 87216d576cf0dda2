import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Data that was restored from a copy without a new epoch.
struct ForgottenRestoreTests {
  private let lines = LogLines()
  private let service: TestService

  init() throws {
    var configuration = ServerConfiguration()
    configuration.log = lines.log
    service = try TestService(configuration: configuration)
  }

  private func pull(
    _ position: PullCursor.Position, epoch: UInt64 = 7, token: String, list: String = "1"
  ) async throws {
    let cursor = PullCursor(
      try Lists.scope(list), epoch: epoch, position: position, acknowledged: 0, conflictsAfter: 0)
    let request = PullRequest(
      device: .sample(1), manifestVersion: 1, grantsAfter: 0, cursors: [cursor], limit: 100)
    let response = await service.send(
      .post, "/v1/pull", token: token,
      body: request.body)
    #expect(response.status == .ok)
  }

  private var count: Int { service.server.metrics.counts.devicesAhead }

  private func reports() throws -> [[String: Any]] {
    try lines.json().filter { $0["remedy"] != nil }
  }

  @Test func `A cursor beyond the last change is counted, and logged once an hour`() async throws {
    let ida = try await service.signUp("ida")
    _ = try await service.push(
      1, device: 1, token: ida.token, [.list(at: 900), .task("a", at: 901)])
    try await pull(.changes(after: 4), token: ida.token)
    try await pull(.snapshot(head: 9, after: nil), token: ida.token)
    try await pull(.repair(ranges: .all, head: 9, after: nil), token: ida.token)
    #expect(count == 3)
    let report = try #require(try reports().first)
    #expect(try reports().count == 1)
    #expect(report["level"] as? String == "error" && report["scopeKind"] as? String == "list")
    #expect(report["account"] as? String == ida.id.uuidString)
    #expect((report["remedy"] as? String)?.contains("offshore restored") == true)
    service.clock.now += 3_599_999
    try await pull(.changes(after: 4), token: ida.token)
    #expect(try reports().count == 1)
    service.clock.now += 1
    try await pull(.changes(after: 4), token: ida.token)
    #expect(try reports().count == 2 && count == 5)
  }

  @Test func `Cursors that prove nothing are not counted`() async throws {
    let (ida, eve) = (try await service.signUp("ida"), try await service.signUp("eve"))
    _ = try await service.push(
      1, device: 1, token: ida.token, [.list(at: 900), .task("a", at: 901)])
    // The last change, another epoch, a snapshot from the beginning, and another account's scope.
    try await pull(.changes(after: 2), token: ida.token)
    try await pull(.changes(after: 3), epoch: 6, token: ida.token)
    try await pull(.snapshot(head: nil, after: nil), token: ida.token)
    try await pull(.changes(after: 3), token: eve.token)
    // A device without batches: refusals without a record leave a gap, too.
    _ = try await service.push(9, device: 2, token: ida.token, [.task("b", at: 902)])
    #expect(try count == 0 && reports().isEmpty)
  }

  @Test func `A batch beyond a gap is counted and logged`() async throws {
    let ida = try await service.signUp("ida")
    _ = try await service.push(1, device: 1, token: ida.token, [.list(at: 900)])
    _ = try await service.push(9, device: 1, token: ida.token, [.task("b", at: 902)])
    #expect(try count == 1 && reports().count == 1)
  }
}
