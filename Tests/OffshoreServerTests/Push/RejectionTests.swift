import OffshoreWire
import Testing

@testable import OffshoreServer

/// What is refused, and what becomes of what builds on it.
struct RejectionTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
  }

  @Test mutating func `A batch with one bad op changes nothing, and uses up its number`() throws {
    let before = try server.scope()
    let batch = try TestServer.batch(
      2, [.edit("a", ["title": "new"], at: 3), .edit("a", ["color": 1], at: 4)])
    let outcome = try server.push([batch]).results.first?.outcome
    #expect(outcome?.rejection == .unknownColumn)
    #expect(try server.scope() == before)
    #expect(try server.state(Lists.task("a"))?.fields["title"] == "a task")
    #expect(try server.push([batch]).results.first?.outcome == outcome)
    #expect(try server.push(3, [.task("b", at: 5)])?.range == SeqRange(first: 3, count: 1))
  }

  @Test mutating func `A rejection tells what the row is`() throws {
    let row = server.log.row(Lists.task("a"), in: try Lists.scope())
    let outcome = try server.push(2, [.edit("a", ["title": 1], at: 3)])
    guard case .rejected(let rejection, let current) = outcome else {
      Issue.record("The batch is taken.")
      return
    }
    #expect(rejection.code == .invalidValue)
    #expect(rejection.field == "title")
    #expect(current == row)
  }

  @Test mutating func `A table that is not synced is refused`() throws {
    let op = Op(.put, RowID(table: "notes", id: "a"), stamp: .at(3))
    #expect(try server.push(2, [op])?.rejection == .unknownTable)
  }

  @Test mutating func `An edit that another device made is refused`() throws {
    let op = Op.edit("a", ["title": "new"], at: 3, by: 2)
    #expect(try server.push(2, [op], device: 1)?.rejection == .invalidOp)
  }

  @Test mutating func `An edit of a row whose tombstone is forgotten is gone`() throws {
    _ = try server.push(2, [.delete(Lists.task("a"), at: 3)])
    try server.log.collect(Lists.scope(), upTo: 3)
    let edit = Op.edit("a", ["title": "new"], at: 4, by: 2)
    #expect(try server.push(1, [edit], device: 2)?.rejection == .gone)
    #expect(try server.state(Lists.task("a")) == nil)
  }

  // MARK: - Dependencies

  @Test mutating func `An edit of a row whose insertion was refused depends on it`() throws {
    _ = try server.push(2, [.task("b", at: 3, ["title": 1])])
    #expect(try server.push(3, [.edit("b", ["note": "x"], at: 4)])?.rejection == .dependency)
    #expect(
      try server.push(4, [.delete(Lists.task("b"), at: 5)])?.rejection == .dependency)
  }

  @Test mutating func `An edit of a value that was refused depends on it`() throws {
    _ = try server.push(2, [.edit("a", ["title": "x", "points": 5], at: 3)])
    let edit = Op.edit("a", ["title": "y"], base: ["title": .at(3)], at: 4)
    #expect(try server.push(3, [edit])?.rejection == .dependency)
  }

  @Test mutating func `What builds on a dependent edit depends too`() throws {
    _ = try server.push(2, [.edit("a", ["title": 1], at: 3)])
    _ = try server.push(3, [.edit("a", ["title": "y"], base: ["title": .at(3)], at: 4)])
    let edit = Op.edit("a", ["title": "z"], base: ["title": .at(4)], at: 5)
    #expect(try server.push(4, [edit])?.rejection == .dependency)
  }

  @Test mutating func `Other edits flow after a rejection`() throws {
    _ = try server.push(2, [.edit("a", ["title": 1], at: 3)])
    let edit = Op.edit("a", ["note": "x"], at: 4)
    #expect(try server.push(3, [edit])?.range?.count == 1)
  }

  @Test mutating func `A row can be inserted after a refusal, and is edited then`() throws {
    _ = try server.push(2, [.task("b", at: 3, ["title": 1])])
    #expect(try server.push(3, [.task("b", at: 4)])?.range?.count == 1)
    #expect(try server.push(4, [.edit("b", ["note": "x"], at: 5)])?.range?.count == 1)
  }

  // MARK: - References

  @Test mutating func `A child of a parent that was deleted depends on it`() throws {
    _ = try server.push(2, [.delete(Lists.task("a"), at: 3)])
    let child = Op.task("b", at: 4, by: 2, ["after": "a"])
    let outcome = try server.push(1, [child], device: 2)
    #expect(outcome?.rejection == .dependency)
    #expect(try server.state(Lists.task("b")) == nil)
  }

  @Test mutating func `A child of a parent that was refused depends on it`() throws {
    _ = try server.push(2, [.task("b", at: 3, ["title": 1])])
    let child = Op.task("c", at: 4, ["after": "b"])
    #expect(try server.push(3, [child])?.rejection == .dependency)
  }

  @Test mutating func `A child of a parent that is not in the scope is refused`() throws {
    let child = Op.task("b", at: 3, ["after": "nobody"])
    #expect(try server.push(2, [child])?.rejection == .missingReference)
  }

  @Test mutating func `A batch may insert a child before its parent`() throws {
    let ops: [Op] = [.task("b", at: 3, ["after": "c"]), .task("c", at: 4)]
    #expect(try server.push(2, ops)?.range?.count == 2)
  }

  @Test mutating func `A batch may not delete the parent of what it inserts`() throws {
    let ops: [Op] = [.task("b", at: 3, ["after": "a"]), .delete(Lists.task("a"), at: 4)]
    #expect(try server.push(2, ops)?.rejection == .dependency)
    #expect(try server.state(Lists.task("a"))?.isLiving == true)
  }

  @Test mutating func `No reference is no missing one`() throws {
    #expect(try server.push(2, [.task("b", at: 3, ["after": .null])])?.range?.count == 1)
  }
}
