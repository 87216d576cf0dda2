import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Rows that move from one scope to another.
struct MoveTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list("1", at: 1), .task("a", at: 2, ["note": "x"])])
    _ = try server.push(1, in: "2", [.list("2", at: 3)])
  }

  @Test mutating func `A moved row leaves a moved tombstone and arrives in the other scope`() throws
  {
    let outcome = try server.push(2, [try .move("a", to: "2", at: 5)])
    #expect(outcome?.range == SeqRange(first: 3, count: 1))
    #expect(try server.state(Lists.task("a"))?.presence == .moved)
    let arrived = try #require(try server.state(Lists.task("a"), in: "2"))
    #expect(arrived.isLiving)
    #expect(arrived.fields["note"] == "x")
    #expect(arrived.fields["listID"] == "2")
    #expect(try server.scope("2").head == 2)
  }

  @Test mutating func `The digests of both scopes reflect a move`() throws {
    _ = try server.push(2, [try .move("a", to: "2", at: 5)])
    for list in ["1", "2"] {
      var sum = Digest()
      for row in server.log.rows(in: try Lists.scope(list), after: 0, limit: 9) {
        sum.add(row.state, of: row.row)
      }
      #expect(try server.scope(list).digest == sum)
    }
  }

  @Test mutating func `A row can move to another scope and back`() throws {
    _ = try server.push(2, [try .move("a", to: "2", at: 5)])
    _ = try server.push(2, in: "2", [try .move("a", to: "1", at: 6)])
    #expect(try server.state(Lists.task("a"))?.isLiving == true)
    #expect(try server.state(Lists.task("a"))?.generation == 3)
    #expect(try server.state(Lists.task("a"), in: "2")?.presence == .moved)
  }

  @Test mutating func `A row cannot move to a scope in which the account may not write`() throws {
    try server.log.grant(.viewer, to: .sample(1), in: Lists.scope("2"))
    let before = try (server.scope("1"), server.scope("2"))
    let outcome = try server.push(2, [try .move("a", to: "2", at: 5)])
    #expect(outcome?.rejection == .forbidden)
    #expect(try server.scope("1") == before.0)
    #expect(try server.scope("2") == before.1)
  }

  @Test mutating func `A refused batch moves no row`() throws {
    let outcome = try server.push(2, [try .move("a", to: "2", at: 5), .edit("a", ["x": 1], at: 6)])
    #expect(outcome?.rejection == .unknownColumn)
    #expect(try server.state(Lists.task("a"))?.isLiving == true)
    #expect(try server.state(Lists.task("a"), in: "2") == nil)
  }

  @Test mutating func `A row that was already deleted does not move`() throws {
    _ = try server.push(2, [.delete(Lists.task("a"), at: 4)])
    let move = try Op.move("a", to: "2", at: 5, by: 2)
    // The change number notifies devices of the conflict.
    #expect(try server.push(1, [move], device: 2)?.range?.count == 1)
    #expect(try server.state(Lists.task("a"), in: "2") == nil)
  }

  @Test mutating func `A row cannot move away from a row that it refers to`() throws {
    _ = try server.push(2, [.task("b", at: 4, ["after": "a"])])
    let outcome = try server.push(3, [try .move("b", to: "2", at: 5)])
    #expect(outcome?.rejection == .missingReference)
  }
}
