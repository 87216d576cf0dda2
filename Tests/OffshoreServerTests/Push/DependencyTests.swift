import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Edits that depend on refused ones.
struct DependencyTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
  }

  @Test mutating func `An edit of a row whose insertion was refused depends on it`() throws {
    _ = try server.push(2, [.task("b", at: 3, ["title": 1])])
    #expect(try server.push(3, [.edit("b", ["note": "x"], at: 4)])?.rejection == .dependency)
    #expect(
      try server.push(4, [.delete(Lists.task("b"), at: 5)])?.rejection == .dependency)
  }

  @Test mutating func `An edit of a refused value depends on it`() throws {
    _ = try server.push(2, [.edit("a", ["title": "x", "points": 5], at: 3)])
    let edit = Op.edit("a", ["title": "y"], base: ["title": .at(3)], at: 4)
    #expect(try server.push(3, [edit])?.rejection == .dependency)
  }

  @Test mutating func `An edit that builds on a dependent edit depends on it`() throws {
    _ = try server.push(2, [.edit("a", ["title": 1], at: 3)])
    _ = try server.push(3, [.edit("a", ["title": "y"], base: ["title": .at(3)], at: 4)])
    let edit = Op.edit("a", ["title": "z"], base: ["title": .at(4)], at: 5)
    #expect(try server.push(4, [edit])?.rejection == .dependency)
  }

  @Test mutating func `Independent edits are applied after a rejection`() throws {
    _ = try server.push(2, [.edit("a", ["title": 1], at: 3)])
    let edit = Op.edit("a", ["note": "x"], at: 4)
    #expect(try server.push(3, [edit])?.range?.count == 1)
  }

  @Test mutating func `A deletion does not depend on refused values`() throws {
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    let edit = Op.edit("a", ["title": 1], at: 3, by: 2)
    #expect(try server.push(1, [edit], device: 2, account: 2)?.rejection == .invalidValue)
    let base = ["title": .at(3, by: 2), "note": .at(2)] as [String: Stamp]
    let deletion = Op(.delete, Lists.task("a"), base: base, stamp: .at(4, by: 2))
    #expect(try server.push(2, [deletion], device: 2, account: 2)?.range?.count == 1)
    #expect(try server.state(Lists.task("a"))?.isLiving == false)
    #expect(server.log.conflicts(of: Lists.task("a"), in: try Lists.scope()).isEmpty)
  }

  @Test mutating func `A row can be inserted after a refusal, and then edited`() throws {
    _ = try server.push(2, [.task("b", at: 3, ["title": 1])])
    #expect(try server.push(3, [.task("b", at: 4)])?.range?.count == 1)
    #expect(try server.push(4, [.edit("b", ["note": "x"], at: 5)])?.range?.count == 1)
  }

  // MARK: - Edits that are sent again

  /// Pushes a batch that is refused because of one of its edits.
  private mutating func refuse(_ innocent: Op...) throws {
    let poison = Op.edit("a", ["color": 1], at: 3)
    #expect(try server.push(2, [poison] + innocent)?.rejection == .unknownColumn)
  }

  private func refusals(of id: String) throws -> [Refusal] {
    server.log.refusals(of: Lists.task(id), by: .sample(1), in: try Lists.scope())
  }

  @Test mutating func `A valid edit of a refused batch can be sent again and built on`() throws {
    try refuse(.task("b", at: 4))
    #expect(try server.push(3, [.task("b", at: 4)])?.range?.count == 1)
    let edit = Op.edit("b", ["title": "y"], base: ["title": .at(4)], at: 5)
    #expect(try server.push(4, [edit])?.range?.count == 1)
    #expect(try server.state(Lists.task("b"))?.fields["title"] == "y")
  }

  @Test mutating func `A later edit in the same batch is applied too`() throws {
    let put = Op.task("b", at: 4)
    let edit = Op.edit("b", ["title": "y"], base: ["title": .at(4)], at: 5)
    try refuse(put, edit)
    #expect(try server.push(3, [put, edit])?.range?.count == 2)
    #expect(try refusals(of: "b").isEmpty)
  }

  @Test mutating func `Only the refusals of applied edits are removed`() throws {
    try refuse(.task("b", at: 4), .task("c", at: 5))
    _ = try server.push(3, [.task("b", at: 4)])
    #expect(try refusals(of: "b").isEmpty)
    #expect(try refusals(of: "c").map(\.stamp) == [.at(5)])
    #expect(try refusals(of: "a").map(\.stamp) == [.at(3)])
  }

  @Test mutating func `An edit that is refused again stays refused`() throws {
    try refuse(.task("b", at: 4))
    let ops: [Op] = [.task("b", at: 4), .edit("a", ["color": 2], at: 6)]
    #expect(try server.push(3, ops)?.rejection == .unknownColumn)
    let edit = Op.edit("b", ["title": "y"], base: ["title": .at(4)], at: 5)
    #expect(try server.push(4, [edit])?.rejection == .dependency)
  }

  @Test mutating func `The refusals of another device stay`() throws {
    try refuse(.task("b", at: 4))
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    _ = try server.push(1, [.task("b", at: 4, by: 2)], device: 2, account: 2)
    #expect(try refusals(of: "b").count == 1)
  }
}
