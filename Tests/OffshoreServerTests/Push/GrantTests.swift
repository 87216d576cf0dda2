import OffshoreWire
import Testing

@testable import OffshoreServer

/// Who may write, and what others learn.
struct GrantTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
  }

  @Test mutating func `A viewer does not write, and the refusal is kept`() throws {
    let batch = try TestServer.batch(1, [.task("b", at: 3, by: 2)])
    let results = try server.push([batch], device: 2, account: 2).results
    #expect(results.first?.outcome.rejection == .forbidden)
    #expect(server.log.device(.sample(2), in: try Lists.scope()).lastNumber == 1)
    #expect(try server.push([batch], device: 2, account: 2).results.first?.isRepeated == true)
  }

  @Test mutating func `An editor writes`() throws {
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    let outcome = try server.push(1, [.task("b", at: 3, by: 2)], device: 2, account: 2)
    #expect(outcome?.range?.count == 1)
  }

  @Test mutating func `Who was never let in is told the same of every scope`() throws {
    let before = server.log
    let there = try server.push(1, in: "1", [.list("1", at: 3, by: 3)], device: 3, account: 3)
    let nowhere = try server.push(1, in: "9", [.list("9", at: 3, by: 3)], device: 3, account: 3)
    #expect(there?.rejection == .forbidden)
    #expect(there == nowhere)
    #expect(server.log == before)
  }

  @Test(arguments: [Grant.Role.revoked, .left])
  mutating func `Who is not let in any more sees no rows in old answers`(role: Grant.Role) throws {
    let batch = try TestServer.batch(2, [.edit("a", ["title": 1], at: 3)])
    guard case .rejected(let rejection, _?) = try server.push([batch]).results.first?.outcome else {
      Issue.record("The rejection tells no row.")
      return
    }
    try server.log.grant(role, to: .sample(1), in: Lists.scope())
    let again = try server.push([batch]).results.first
    #expect(again?.outcome == .rejected(rejection, current: nil))
    #expect(again?.isRepeated == true)
  }

  @Test mutating func `Who is not let in any more does not write`() throws {
    try server.log.grant(.revoked, to: .sample(1), in: Lists.scope())
    #expect(try server.push(2, [.task("b", at: 3)])?.rejection == .forbidden)
    #expect(try server.push(1, in: "2", [.list("2", at: 3)])?.range?.count == 1)
  }
}
