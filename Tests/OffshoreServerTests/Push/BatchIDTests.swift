import Foundation
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Batches that arrive under another number than the one that took effect.
struct BatchIDTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
  }

  private func batch(_ number: Int64, id: UInt8, _ ops: [Op]) throws -> Batch {
    Batch(try Lists.scope(), number: number, id: .sample(id), ops: ops)
  }

  private static let increment = Op(
    .increment, Lists.task("a"), fields: ["points": 1], stamp: .at(9))

  private func points() throws -> WireValue? {
    try server.state(Lists.task("a"))?.fields["points"]
  }

  @Test
  mutating func `An increment counts once if its first request arrives after the renumbering`()
    throws
  {
    let first = try batch(3, id: 30, [Self.increment])
    #expect(try server.push([first]).results.map(\.outcome) == [.gap(expected: 2)])
    let renumbered = try server.push([try batch(2, id: 30, [Self.increment])]).results
    let range = try #require(renumbered.first?.outcome.range)
    let after = server.log
    let late = try #require(try server.push([first]).results.first)
    #expect(
      late
        == BatchResult(
          scope: first.scope, number: 3, outcome: .applied(range), isRepeated: true))
    #expect(server.log == after)
    #expect(try points() == 1)
    // The device's next batch still has the number that the late request had.
    let other = Op(.increment, Lists.task("a"), fields: ["points": 1], stamp: .at(10))
    let next = try batch(3, id: 31, [other])
    #expect(try server.push([next]).results.first?.isRepeated == false)
    #expect(try points() == 2)
    // The late request arrives once more, after its number was used.
    #expect(try server.push([first]).results == [late])
    #expect(try points() == 2)
  }

  @Test mutating func `A late request of several batches repeats each of them`() throws {
    let edits = (0..<2).map { Op.task("t\($0)", at: 20 + $0) }
    let late = try (0..<2).map { try batch(Int64(5 + $0), id: UInt8(40 + $0), [edits[$0]]) }
    let renumbered = try (0..<2).map { try batch(Int64(2 + $0), id: UInt8(40 + $0), [edits[$0]]) }
    let results = try server.push(renumbered).results
    _ = try server.push([try batch(4, id: 50, [.task("u", at: 30)])])
    let after = server.log
    let repeated = try server.push(late).results
    #expect(repeated.map(\.outcome) == results.map(\.outcome))
    #expect(repeated.map(\.isRepeated) == [true, true])
    #expect(server.log == after)
  }

  @Test mutating func `A refused batch is not applied under another number later`() throws {
    try server.log.grant(.viewer, to: .sample(1), in: Lists.scope())
    let refused = try server.push([try batch(2, id: 30, [Self.increment])]).results
    #expect(refused.first?.outcome.rejection == .forbidden)
    try server.log.grant(.owner, to: .sample(1), in: Lists.scope())
    let late = try server.push([try batch(3, id: 30, [Self.increment])]).results
    #expect(late.first?.outcome.rejection == .forbidden && late.first?.isRepeated == true)
    #expect(try points() == 0)
  }

  @Test mutating func `A batch with the id of another one is refused, and the device goes on`()
    throws
  {
    _ = try server.push([try batch(2, id: 30, [Self.increment])])
    let other = try batch(3, id: 30, [.edit("a", ["note": "x"], at: 10)])
    let outcome = try server.push([other]).results.first
    #expect(outcome?.outcome.rejection == .invalidOp && outcome?.isRepeated == false)
    #expect(try server.push([other]).results.first?.isRepeated == true)
    let next = try batch(4, id: 31, [.edit("a", ["note": "y"], at: 11)])
    #expect(try server.push([next]).results.first?.outcome.range?.count == 1)
  }

  @Test mutating func `The same id in another scope or of another device is no repetition`() throws
  {
    _ = try server.push([try batch(2, id: 30, [Self.increment])])
    let elsewhere = Batch(
      try Lists.scope("2"), number: 1, id: .sample(30), ops: [.list("2", at: 10)])
    #expect(try server.push([elsewhere]).results.first?.isRepeated == false)
    let increment = Op(.increment, Lists.task("a"), fields: ["points": 1], stamp: .at(9, by: 2))
    let other = try batch(1, id: 30, [increment])
    #expect(try server.push([other], device: 2).results.first?.isRepeated == false)
    #expect(try points() == 2)
  }

  @Test(arguments: StorageKind.allCases)
  func `A result is found by the id of its batch`(kind: StorageKind) async throws {
    let (scope, other) = (try Lists.scope("1"), try Lists.scope("2"))
    let result = StoredResult(
      id: .sample(7), hash: ContentHash(of: [1]), outcome: .applied(SeqRange(first: 1, count: 2)),
      time: 99)
    let unnamed = StoredResult(hash: ContentHash(of: [2]), outcome: result.outcome)
    try await kind.write { log in
      try log.addResult(result, of: 3, by: .sample(1), in: scope)
      try log.addResult(unnamed, of: 4, by: .sample(1), in: scope)
      let found = try #require(try log.result(withID: .sample(7), by: .sample(1), in: scope))
      #expect(found.number == 3 && found.result == result)
      #expect(try log.result(withID: .sample(8), by: .sample(1), in: scope) == nil)
      #expect(try log.result(withID: .sample(7), by: .sample(2), in: scope) == nil)
      #expect(try log.result(withID: .sample(7), by: .sample(1), in: other) == nil)
    }
  }
}
