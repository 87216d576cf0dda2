import OffshoreWire
import Testing

@testable import OffshoreServer

/// Batches that arrive again, too early, or from a copy of the device's file.
struct BatchNumberTests {
  private var server: TestServer

  init() throws { server = try TestServer() }

  @Test mutating func `A batch that arrives again gets the same answer and changes nothing`() throws
  {
    let batch = try TestServer.batch(1, [.list(at: 1), .task("a", at: 2)])
    let first = try server.push([batch]).results
    let after = server.log
    let second = try server.push([batch]).results
    #expect(second.map(\.outcome) == first.map(\.outcome))
    #expect(first.map(\.isRepeated) == [false])
    #expect(second.map(\.isRepeated) == [true])
    #expect(server.log == after)
  }

  @Test mutating func `A different batch with a used number is forked`() throws {
    _ = try server.push(1, [.list(at: 1)])
    let after = server.log
    #expect(try server.push(1, [.list(at: 2)]) == .forked)
    #expect(server.log == after)
  }

  @Test mutating func `A batch that skips a number is answered with the expected one`() throws {
    let before = server.log
    #expect(try server.push(3, [.list(at: 1)]) == .gap(expected: 1))
    #expect(server.log == before)
    _ = try server.push(1, [.list(at: 1)])
    #expect(try server.push(3, [.task("a", at: 2)]) == .gap(expected: 2))
  }

  // MARK: - Several batches

  @Test mutating func `After a gap the server refuses the scope's batches, even the missing one`()
    throws
  {
    let before = server.log
    let batches = try [2, 1, 3].map { try TestServer.batch($0, [.list(at: 1)]) }
    let outcomes = try server.push(batches).results.map(\.outcome)
    #expect(outcomes == Array(repeating: .gap(expected: 1), count: 3))
    #expect(server.log == before)
  }

  @Test mutating func `After a fork no batch of the scope is applied`() throws {
    _ = try server.push(1, [.list(at: 1)])
    let before = server.log
    let results = try server.push([
      try TestServer.batch(1, [.list(at: 2)]), try TestServer.batch(2, [.task("a", at: 3)]),
    ]).results
    #expect(results.map(\.outcome) == [.forked, .forked])
    #expect(results.map(\.number) == [1, 2])
    #expect(server.log == before)
  }

  @Test mutating func `A gap in one scope does not affect another`() throws {
    let outcomes = try server.push([
      try TestServer.batch(2, [.task("a", at: 2)]),
      try TestServer.batch(1, in: "2", [.list("2", at: 3)]),
    ]).results.map(\.outcome)
    #expect(outcomes == [.gap(expected: 1), .applied(SeqRange(first: 1, count: 1))])
  }

  @Test mutating func `A rejection does not affect later batches`() throws {
    _ = try server.push(1, [.list(at: 1)])
    let outcomes = try server.push([
      try TestServer.batch(2, [.task("a", at: 2, ["title": 1])]),
      try TestServer.batch(3, [.task("b", at: 3)]),
    ]).results.map(\.outcome)
    #expect(outcomes.map(\.rejection) == [.invalidValue, nil])
    #expect(outcomes.last?.range == SeqRange(first: 2, count: 1))
  }

  // MARK: - Malformed batches

  @Test mutating func `A batch that does not match its hash is malformed`() throws {
    let batch = try TestServer.batch(1, [.list(at: 1)])
    var bytes = batch.encoded()
    bytes[bytes.count - 1] ^= 1
    let changed = try Batch(decoding: bytes)
    let before = server.log
    #expect(throws: WireProblem.self) { try server.push([changed]) }
    #expect(server.log == before)
  }

  @Test(arguments: [0, -1] as [Int64])
  mutating func `A batch number below 1 is malformed`(number: Int64) throws {
    let batch = Batch(try Lists.scope(), number: number, id: .sample(1), ops: [])
    #expect(throws: WireProblem.self) { try server.push([batch]) }
  }
}
