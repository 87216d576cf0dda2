import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// No row refers to a deleted one. A task may refer to another one, and must refer to a list.
struct CascadeTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope("2"))
  }

  /// Pushes tasks of another device, each with the task that it comes after.
  private mutating func follow(_ tasks: [(id: String, after: String)]) throws {
    let ops = tasks.map { Op.task($0.id, at: 10, by: 2, ["after": WireValue($0.after)]) }
    let outcome = try server.push(1, ops, device: 2, account: 2)
    #expect(outcome?.range?.count == Int64(tasks.count))
  }

  private func task(_ id: String) throws -> RowState? { try server.state(Lists.task(id)) }

  private func conflicts(of row: RowID) throws -> [Conflict] {
    server.log.conflicts(of: row, in: try Lists.scope()).map(\.conflict)
  }

  private func expectDigest(_ list: String = "1") throws {
    let rows = server.log.rows(in: try Lists.scope(list), after: 0, limit: .max)
    let sum = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    #expect(try server.scope(list).digest == sum)
  }

  // MARK: - Optional references

  @Test mutating func `References to a deleted row are set to null`() throws {
    try follow([("b", "a"), ("c", "a"), ("d", "b")])
    let outcome = try server.push(2, [.delete(Lists.task("a"), at: 20)])
    #expect(outcome?.range == SeqRange(first: 6, count: 3))
    for id in ["b", "c"] {
      #expect(try task(id)?.fields["after"] == .null)
      #expect(try task(id)?.version(of: "after") == .at(20))
    }
    #expect(try task("d")?.fields["after"] == "b")
    try expectDigest()
  }

  @Test mutating func `Each change that a deletion causes has its own number`() throws {
    try follow([("b", "a"), ("c", "a")])
    _ = try server.push(2, [.delete(Lists.task("a"), at: 20)])
    let rows = server.log.rows(in: try Lists.scope(), after: 4, limit: 9)
    #expect(rows.map(\.row.id) == ["a", "b", "c"])
    #expect(rows.map(\.seq) == [5, 6, 7])
    #expect(try server.scope().head == 7)
  }

  @Test mutating func `A lost reference is recorded as a conflict`() throws {
    try follow([("b", "a")])
    _ = try server.push(2, [.delete(Lists.task("a"), at: 20)])
    let conflict = try #require(try conflicts(of: Lists.task("b")).first)
    #expect(conflict.field == "after")
    #expect(conflict.losing == "a")
    #expect(conflict.losingStamp == .at(10, by: 2))
    #expect(conflict.winning == .null)
    #expect(conflict.winningStamp == .at(20))
    #expect(conflict.reason == .ended)
  }

  @Test mutating func `A reference that was changed before the deletion is left alone`() throws {
    try follow([("b", "a"), ("c", "a")])
    _ = try server.push(
      2, [.edit("b", ["after": .null], at: 15), .edit("c", ["after": "b"], at: 16)])
    let outcome = try server.push(3, [.delete(Lists.task("a"), at: 20)])
    #expect(outcome?.range?.count == 1)
    #expect(try task("c")?.fields["after"] == "b")
  }

  @Test mutating func `A reference that an edit made is set to null`() throws {
    _ = try server.push(2, [.task("b", at: 3)])
    _ = try server.push(3, [.edit("b", ["after": "a"], at: 4)])
    _ = try server.push(4, [.delete(Lists.task("a"), at: 20)])
    #expect(try task("b")?.fields["after"] == .null)
  }

  @Test mutating func `Deleting a row that refers to itself changes no other row`() throws {
    _ = try server.push(2, [.edit("a", ["after": "a"], at: 3)])
    #expect(try server.push(3, [.delete(Lists.task("a"), at: 20)])?.range?.count == 1)
    #expect(try task("a")?.generation == 2)
  }

  // MARK: - Required references

  @Test mutating func `Rows with a required reference to a deleted row are deleted with it`() throws
  {
    try follow([("b", "a")])
    let outcome = try server.push(2, [.delete(Lists.list(), at: 20)])
    #expect(outcome?.range?.count == 3)
    for id in ["a", "b"] {
      let ended = RowState(generation: 2, presence: .deleted, stamp: .at(20))
      #expect(try task(id) == ended)
    }
    #expect(try server.scope().digest == Digest())
    let lost = try conflicts(of: Lists.task("b"))
    #expect(lost.map(\.field) == ["after", "listID", "points", "title"])
    #expect(lost.allSatisfy { $0.winning == nil && $0.reason == .ended })
  }

  @Test mutating func `Rows that the batch itself deletes lose no values`() throws {
    let ops: [Op] = [.delete(Lists.task("a"), at: 20), .delete(Lists.list(), at: 21)]
    #expect(try server.push(2, ops)?.range?.count == 2)
    #expect(try server.scope().conflicts == 0)
  }

  @Test mutating func `The rows of a reference cycle are deleted one after the other`() throws {
    var columns = Lists.tasks.columns.filter { $0.name != "after" }
    columns.append(SyncedColumn("after", .text, reference: "tasks"))
    let tasks = SyncedTable(
      "tasks", scopeKind: "list", scopeColumn: "listID", columns: columns)
    server.pushRules = try PushRules(Manifest(version: 1, tables: [Lists.lists, tasks]))
    let circle = [("x", "y"), ("y", "z"), ("z", "x"), ("w", "x")]
    try follow(circle.map { (id: $0, after: $1) })
    #expect(try server.push(2, [.delete(Lists.task("x"), at: 20)])?.range?.count == 4)
    for (id, _) in circle { #expect(try task(id)?.presence == .deleted) }
    #expect(try task("a")?.isLiving == true)
    try expectDigest()
  }

  @Test mutating func `A later edit of a row that a cascade deleted loses`() throws {
    try follow([("b", "a")])
    _ = try server.push(2, [.delete(Lists.list(), at: 20)])
    let edit = Op.edit("b", ["title": "z"], at: 30, by: 2)
    #expect(try server.push(2, [edit], device: 2, account: 2)?.range?.count == 1)
    #expect(try conflicts(of: Lists.task("b")).last?.losing == "z")
  }

  // MARK: - Moves

  @Test mutating func `References to a row that moves away are set to null`() throws {
    _ = try server.push(1, in: "2", [.list("2", at: 3)])
    try follow([("b", "a")])
    #expect(try server.push(2, [try .move("a", to: "2", at: 20)])?.range?.count == 2)
    #expect(try task("b")?.fields["after"] == .null)
    try expectDigest()
    try expectDigest("2")
  }

  @Test mutating func `Rows that move together keep their references`() throws {
    _ = try server.push(1, in: "2", [.list("2", at: 3)])
    _ = try server.push(2, [.task("b", at: 4, ["after": "a"])])
    let ops = [try Op.move("a", to: "2", at: 20), try .move("b", to: "2", at: 21)]
    #expect(try server.push(3, ops)?.range?.count == 2)
    #expect(try server.state(Lists.task("b"), in: "2")?.fields["after"] == "a")
    #expect(try server.scope().conflicts == 0)
  }

  @Test mutating func `A moved row's reference is set to null in its new scope`() throws {
    _ = try server.push(1, in: "2", [.list("2", at: 3)])
    _ = try server.push(2, [.task("b", at: 4, ["after": "a"])])
    _ = try server.push(3, [try .move("a", to: "2", at: 20), try .move("b", to: "2", at: 21)])
    _ = try server.push(2, in: "2", [.delete(Lists.task("a"), at: 30)])
    #expect(try server.state(Lists.task("b"), in: "2")?.fields["after"] == .null)
    #expect(try task("b")?.presence == .moved)
  }

  // MARK: - Whole batches

  @Test mutating func `A refused batch changes no references`() throws {
    try follow([("b", "a")])
    let before = try server.scope()
    let ops: [Op] = [.delete(Lists.task("a"), at: 20), .edit("b", ["color": 1], at: 21)]
    #expect(try server.push(2, ops)?.rejection == .unknownColumn)
    #expect(try server.scope() == before)
    #expect(try task("b")?.fields["after"] == "a")
  }

  @Test mutating func `A reference stays if the batch inserts the deleted row again`() throws {
    try follow([("b", "a")])
    let ops: [Op] = [.delete(Lists.task("a"), at: 20), .task("a", generation: 3, at: 21)]
    #expect(try server.push(2, ops)?.range?.count == 2)
    #expect(try task("b")?.fields["after"] == "a")
    #expect(
      try server.push(3, [.delete(Lists.task("a"), generation: 3, at: 30)])?.range?.count == 2)
    #expect(try task("b")?.fields["after"] == .null)
  }
}
