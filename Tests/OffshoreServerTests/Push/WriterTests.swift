import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Only owners write lists, and only its author writes a task. A task may refer to another one, and
/// must refer to a list. Accounts 1 and 3 own list 1, account 2 is an editor.
struct WriterTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    let tasks = SyncedTable(
      "tasks", scopeKind: "list", scopeColumn: "listID",
      columns: Lists.tasks.columns + [SyncedColumn("authorID", .text)],
      writers: .author("authorID"))
    let lists = SyncedTable(
      "lists", scopeKind: "list", scopeColumn: "id", columns: Lists.lists.columns,
      writers: .owners)
    server.pushRules = try PushRules(Manifest(version: 1, tables: [lists, tasks]))
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    try server.log.grant(.owner, to: .sample(3), in: Lists.scope())
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope("2"))
    _ = try push(1, [.list(at: 1)])
    _ = try push(2, [Self.task("a", of: 2, at: 2)])
  }

  private static func author(_ account: UInt8) -> WireValue {
    WireValue(AccountID.sample(account).description)
  }

  /// Returns the insertion of a task by an account, from the device with the same number.
  private static func task(
    _ id: String, of author: UInt8, in list: String = "1", generation: Int64 = 1, at time: Int64,
    by device: UInt8? = nil, _ more: [String: WireValue] = [:]
  ) -> Op {
    .task(
      id, in: list, generation: generation, at: time, by: device ?? author,
      more.merging(["authorID": Self.author(author)]) { $1 })
  }

  /// Pushes the next batch of an account's device.
  private mutating func push(
    _ account: UInt8, in list: String = "1", _ ops: [Op]
  ) throws -> BatchResult.Outcome? {
    let device = try server.log.device(.sample(account), in: Lists.scope(list))
    return try server.push(
      device.lastNumber + 1, in: list, ops, device: account, account: account)
  }

  /// Expects that a push is refused and changes nothing.
  private mutating func expectRefusal(
    _ code: Rejection.Code = .forbidden, of account: UInt8, in list: String = "1", _ ops: [Op],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try ["1", "2"].map { try server.scope($0) }
    let outcome = try push(account, in: list, ops)
    #expect(outcome?.rejection == code, sourceLocation: sourceLocation)
    #expect(
      try ["1", "2"].map { try server.scope($0) } == before, sourceLocation: sourceLocation)
  }

  // MARK: - Owners

  @Test mutating func `Each owner writes the rows that owners write`() throws {
    let edit = Op(.patch, Lists.list(), fields: ["title": "b"], stamp: .at(5, by: 3))
    #expect(try push(3, [edit])?.range != nil)
  }

  @Test mutating func `An editor neither changes nor deletes the rows that owners write`() throws {
    let edit = Op(.patch, Lists.list(), fields: ["title": "b"], stamp: .at(5, by: 2))
    try expectRefusal(of: 2, [edit])
    try expectRefusal(of: 2, [.delete(Lists.list(), at: 6, by: 2)])
  }

  @Test mutating func `An editor inserts no row that owners write`() throws {
    _ = try push(1, [.delete(Lists.list(), at: 4)])
    let list = Op(
      .put, Lists.list(), generation: 3, fields: ["title": "b"], stamp: .at(5, by: 2))
    try expectRefusal(of: 2, [list])
  }

  // MARK: - Authors

  @Test mutating func `An author changes and deletes own rows`() throws {
    #expect(try push(2, [.edit("a", ["title": "b"], at: 5, by: 2)])?.range != nil)
    #expect(try push(2, [.delete(Lists.task("a"), at: 6, by: 2)])?.range != nil)
    #expect(try server.state(Lists.task("a"))?.isLiving == false)
  }

  @Test mutating func `An author is refused as long as the role is only viewer`() throws {
    try server.log.grant(.viewer, to: .sample(2), in: Lists.scope())
    try expectRefusal(of: 2, [.edit("a", ["title": "b"], at: 5, by: 2)])
  }

  @Test mutating func `A member inserts no row in the name of another`() throws {
    try expectRefusal(of: 1, [Self.task("b", of: 2, at: 5, by: 1)])
    try expectRefusal(of: 1, [.task("b", at: 6)])
  }

  @Test mutating func `An owner does not change the row of another author`() throws {
    let increment = Op(
      .increment, Lists.task("a"), fields: ["points": 1], stamp: .at(5))
    try expectRefusal(of: 1, [increment])
    try expectRefusal(of: 1, [.edit("a", ["title": "b"], at: 6)])
    try expectRefusal(of: 1, [.delete(Lists.task("a"), at: 7)])
    try expectRefusal(of: 1, [try .move("a", to: "2", at: 8)])
  }

  @Test mutating func `A member merges no insertion into the row of another author`() throws {
    try expectRefusal(of: 1, [Self.task("a", of: 1, at: 5)])
    try expectRefusal(of: 1, [Self.task("a", of: 2, at: 6, by: 1)])
  }

  @Test mutating func `An author stays`() throws {
    try expectRefusal(.invalidOp, of: 2, [.edit("a", ["authorID": "x"], at: 5, by: 2)])
    let move = Op(
      .move(to: try Lists.scope("2")), Lists.task("a"),
      fields: ["listID": "2", "authorID": Self.author(1)], stamp: .at(6, by: 2))
    try expectRefusal(.invalidOp, of: 2, [move])
  }

  @Test mutating func `A row moves with its author, and not over the row of another`() throws {
    _ = try push(1, in: "2", [.list("2", at: 3), Self.task("a", of: 1, in: "2", at: 3)])
    try expectRefusal(of: 2, [try .move("a", to: "2", at: 5, by: 2)])
    _ = try push(2, [Self.task("b", of: 2, at: 6)])
    #expect(try push(2, [try .move("b", to: "2", at: 7, by: 2)])?.range != nil)
    #expect(try server.state(Lists.task("b"), in: "2")?.fields["authorID"] == Self.author(2))
    try expectRefusal(of: 1, in: "2", [.edit("b", ["title": "c"], at: 8)])
  }

  // MARK: - Deleted rows

  @Test mutating func `Late edits of a deleted row are refused for every member`() throws {
    _ = try push(2, [.delete(Lists.task("a"), at: 5, by: 2)])
    for account: UInt8 in [1, 2] {
      try expectRefusal(.gone, of: account, [.edit("a", ["title": "b"], at: 6, by: account)])
    }
  }

  @Test mutating func `A late deletion of a deleted row changes nothing`() throws {
    _ = try push(2, [.delete(Lists.task("a"), at: 5, by: 2)])
    let before = try server.scope()
    #expect(try push(1, [.delete(Lists.task("a"), at: 6)])?.range?.count == 0)
    #expect(try server.scope() == before)
  }

  @Test mutating func `The member that inserts a deleted row again is its author`() throws {
    _ = try push(2, [.delete(Lists.task("a"), at: 5, by: 2)])
    #expect(try push(1, [Self.task("a", of: 1, generation: 3, at: 6)])?.range != nil)
    try expectRefusal(of: 2, [.edit("a", ["title": "b"], generation: 3, at: 7, by: 2)])
  }

  // MARK: - Consequences

  @Test mutating func `An owner deletes a row and those of all authors that refer to it`() throws {
    let ops: [Op] = [.delete(Lists.task("a"), at: 5), .delete(Lists.list(), at: 6)]
    #expect(try push(1, ops)?.range?.count == 2)
    #expect(try server.state(Lists.task("a"))?.isLiving == false)
  }

  @Test mutating func `An author makes the references of others to a deleted row NULL`() throws {
    _ = try push(1, [Self.task("b", of: 1, at: 3, ["after": "a"])])
    let ops: [Op] = [
      .edit("b", ["after": .null], at: 5, by: 2), .delete(Lists.task("a"), at: 6, by: 2),
    ]
    #expect(try push(2, ops)?.range != nil)
    #expect(try server.state(Lists.task("b"))?.fields["after"] == .null)
  }

  @Test mutating func `A reference is not made NULL without the deletion`() throws {
    _ = try push(1, [Self.task("b", of: 1, at: 3, ["after": "a"])])
    try expectRefusal(of: 2, [.edit("b", ["after": .null], at: 5, by: 2)])
    let more: [Op] = [
      .edit("b", ["after": .null, "title": "c"], at: 6, by: 2),
      .delete(Lists.task("a"), at: 7, by: 2),
    ]
    try expectRefusal(of: 2, more)
  }

  @Test mutating func `A reference that its author has changed since is not made NULL`() throws {
    _ = try push(2, [Self.task("c", of: 2, at: 3)])
    _ = try push(1, [Self.task("b", of: 1, at: 3, ["after": "a"])])
    _ = try push(1, [.edit("b", ["after": "c"], at: 4)])
    let ops: [Op] = [
      .edit("b", ["after": .null], at: 5, by: 2), .delete(Lists.task("a"), at: 6, by: 2),
    ]
    #expect(try push(2, ops)?.range?.count == 1)
    #expect(try server.state(Lists.task("b"))?.fields["after"] == "c")
  }

  @Test mutating func `Each reference that is made NULL needs its own deletion`() throws {
    let columns =
      Lists.tasks.columns + [
        SyncedColumn("authorID", .text),
        SyncedColumn("beside", .text, isNullable: true, reference: "tasks"),
      ]
    let tasks = SyncedTable(
      "tasks", scopeKind: "list", scopeColumn: "listID", columns: columns,
      writers: .author("authorID"))
    server.pushRules = try PushRules(Manifest(version: 1, tables: [Lists.lists, tasks]))
    _ = try push(2, [Self.task("c", of: 2, at: 3)])
    _ = try push(1, [Self.task("b", of: 1, at: 3, ["after": "a", "beside": "c"])])
    let ops: [Op] = [
      .edit("b", ["after": .null, "beside": .null], at: 5, by: 2),
      .delete(Lists.task("a"), at: 6, by: 2),
    ]
    #expect(try push(2, ops)?.range != nil)
    #expect(try server.state(Lists.task("b"))?.fields["after"] == .null)
    #expect(try server.state(Lists.task("b"))?.fields["beside"] == "c")
  }

  @Test mutating func `Nothing follows from the deletion of an earlier life`() throws {
    _ = try push(2, [.delete(Lists.task("a"), at: 3, by: 2)])
    _ = try push(2, [Self.task("a", of: 2, generation: 3, at: 4)])
    _ = try push(1, [Self.task("b", of: 1, at: 5, ["after": "a"])])
    let ops: [Op] = [
      .edit("b", ["after": .null], at: 6, by: 2), .delete(Lists.task("a"), at: 7, by: 2),
    ]
    try expectRefusal(of: 2, ops)
    #expect(try server.state(Lists.task("b"))?.fields["after"] == "a")
  }

  @Test mutating func `Rows of others that refer to each other are not deleted`() throws {
    var columns = Lists.tasks.columns.filter { $0.name != "after" }
    columns += [
      SyncedColumn("authorID", .text), SyncedColumn("after", .text, reference: "tasks"),
    ]
    let tasks = SyncedTable(
      "tasks", scopeKind: "list", scopeColumn: "listID", columns: columns,
      writers: .author("authorID"))
    server.pushRules = try PushRules(Manifest(version: 1, tables: [Lists.lists, tasks]))
    let ops = [
      Self.task("x", of: 1, at: 3, ["after": "y"]), Self.task("y", of: 1, at: 3, ["after": "x"]),
    ]
    #expect(try push(1, ops)?.range != nil)
    let deletions = ["x", "y"].map { Op.delete(Lists.task($0), at: 5, by: 2) }
    try expectRefusal(of: 2, deletions)
  }
}
