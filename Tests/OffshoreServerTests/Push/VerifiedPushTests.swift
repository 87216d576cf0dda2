import OffshoreWire
import Testing

@testable import OffshoreServer

/// The checks before the log is read.
struct VerifiedPushTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
  }

  private func request(_ ops: [Op]..., version: Int = 1) throws -> PushRequest {
    let batches = try ops.enumerated().map { try TestServer.batch(Int64($0 + 2), $1) }
    return PushRequest(device: .sample(1), epoch: 7, manifestVersion: version, batches: batches)
  }

  @Test func `The first invalid edit of each batch is found`() throws {
    let bad = Op.edit("a", ["color": 1], at: 4)
    let push = try server.pushRules.verified(
      request(
        [.task("b", at: 3)], [.task("c", at: 3), bad, .edit("a", ["title": 1], at: 5)],
        [.edit("a", ["title": "new"], at: 6, by: 2)]))
    #expect(push.failures.map { $0?.index } == [nil, 1, 0])
    #expect(push.failures.map { $0?.rejection.code } == [nil, .unknownColumn, .invalidOp])
  }

  @Test mutating func `An earlier refusal by the log takes precedence`() throws {
    let ops: [Op] = [.edit("nobody", ["title": "x"], at: 3), .edit("a", ["color": 1], at: 4)]
    #expect(try server.push(2, ops)?.rejection == .gone)
    #expect(try server.push(3, ops.reversed())?.rejection == .unknownColumn)
  }

  @Test mutating func `A verified push is applied like any other`() throws {
    let request = try request([.task("b", at: 3)], [.edit("a", ["color": 1], at: 4)])
    var other = server.log
    let push = try server.pushRules.verified(request)
    let first = try server.pushRules.apply(push, of: .sample(1), at: server.now, to: &server.log)
    let second = try server.pushRules.apply(request, of: .sample(1), at: server.now, to: &other)
    #expect(first == second)
    #expect(server.log == other)
    #expect(first.results.map(\.outcome.rejection) == [nil, .unknownColumn])
  }

  @Test func `A push of a manifest version that is not served is refused first`() throws {
    let rules = server.pushRules
    let request = try request([.task("b", at: 3)], version: 2)
    let problem = #expect(throws: WireProblem.self) { try rules.verified(request) }
    #expect(problem?.code == .unavailable)
  }

  @Test func `A batch that does not match its hash is malformed`() throws {
    var bytes = try TestServer.batch(2, [.task("b", at: 3)]).encoded()
    bytes[bytes.count - 1] ^= 1
    let request = PushRequest(
      device: .sample(1), epoch: 7, manifestVersion: 1, batches: [try Batch(decoding: bytes)])
    let rules = server.pushRules
    let problem = #expect(throws: WireProblem.self) { try rules.verified(request) }
    #expect(problem?.code == .malformed)
  }
}
