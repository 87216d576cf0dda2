import OffshoreWire
import Testing

@testable import OffshoreServer

/// The delivery of conflicts to devices.
struct ConflictPullTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
    _ = try server.push(2, [.edit("a", ["title": "later", "note": "later"], at: 900)])
  }

  /// Pushes edits of another device that lose, each with two values.
  private mutating func lose(_ count: Int, number: Int64 = 1) throws {
    let edits = (0..<count).map {
      Op.edit("a", ["title": "x", "note": "y"], at: 10 + Int64($0), by: 2)
    }
    _ = try server.push(number, edits, device: 2)
  }

  private func numbers(_ page: ScopePage?) -> [Int64]? { page?.conflicts.map(\.number) }

  @Test mutating func `A page has the conflicts after the last one that the device has`() throws {
    try lose(2)
    let head = try server.scope().head
    let page = try #require(try server.pull(.changes(after: head), conflictsAfter: 1)?.page)
    #expect(numbers(page) == [2, 3, 4])
    #expect(page.conflicts.map(\.conflict.field) == ["title", "note", "title"])
    #expect(!page.isFull)
    #expect(page.rows.count == 0)
  }

  @Test mutating func `A device that has all conflicts gets none`() throws {
    try lose(1)
    #expect(numbers(try server.pull(.changes(after: 3), conflictsAfter: 2)?.page) == [])
    #expect(numbers(try server.pull(.changes(after: 3), conflictsAfter: 9)?.page) == [])
    #expect(numbers(try server.pull(.changes(after: 3), conflictsAfter: -9)?.page) == [1, 2])
  }

  @Test mutating func `Conflicts that do not fit on a page come with the next`() throws {
    try lose(300)
    let limit = WireLimits.conflictsPerPage
    let first = try #require(try server.pull(.changes(after: 3))?.page)
    #expect(numbers(first) == Array(1...Int64(limit)))
    #expect(first.isFull)
    #expect(first.next == .changes(after: try server.scope().head))
    let last = try #require(first.conflicts.last).number
    let second = try #require(try server.pull(first.next, conflictsAfter: last)?.page)
    #expect(numbers(second) == Array(Int64(limit + 1)...600))
    #expect(!second.isFull)
  }

  @Test mutating func `A page that ends with the last conflict is not full`() throws {
    try lose(250)
    let page = try #require(try server.pull(.changes(after: 3))?.page)
    #expect(page.conflicts.count == WireLimits.conflictsPerPage)
    #expect(!page.isFull)
  }

  @Test mutating func `Rows come first, and conflicts fill the remaining space`() throws {
    try lose(1)
    server.pullRules = PullRules(.none, byteLimit: 1)
    let first = try #require(try server.pull(.changes(after: 1))?.page)
    #expect(first.rows.count == 1)
    #expect(numbers(first) == [])
    #expect(first.isFull)
    let head = try server.scope().head
    let second = try #require(try server.pull(.changes(after: head))?.page)
    #expect(numbers(second) == [1])
    #expect(second.isFull)
    let third = try #require(try server.pull(second.next, conflictsAfter: 1)?.page)
    #expect(numbers(third) == [2])
    #expect(!third.isFull)
  }

  @Test mutating func `A first sync includes the conflicts`() throws {
    try lose(1)
    let page = try server.pull(.snapshot(head: nil, after: nil), epoch: 0)?.page
    #expect(numbers(page) == [1, 2])
  }

  @Test mutating func `A device of another epoch gets the conflicts from the first`() throws {
    try lose(1)
    try server.log.beginEpoch(8)
    let snapshot = PullCursor.Position.snapshot(head: nil, after: nil)
    #expect(numbers(try server.pull(snapshot, epoch: 7, conflictsAfter: 2)?.page) == [1, 2])
    #expect(numbers(try server.pull(snapshot, epoch: 8, conflictsAfter: 2)?.page) == [])
  }

  @Test mutating func `Conflict numbers continue in a new epoch`() throws {
    try lose(1)
    try server.log.beginEpoch(8)
    let edit = Op.edit("a", ["title": "z"], at: 20, by: 2)
    _ = try server.push([try TestServer.batch(2, [edit])], device: 2, epoch: 8)
    #expect(numbers(try server.pull(.changes(after: 3), epoch: 8)?.page) == [1, 2, 3])
  }

  @Test mutating func `Conflicts are numbered per scope`() throws {
    try lose(1)
    _ = try server.push(1, in: "2", [.list("2", at: 1), .task("b", in: "2", at: 900)])
    let edit = Op.edit("b", ["title": "z"], at: 20, by: 2)
    _ = try server.push(1, in: "2", [edit], device: 2)
    #expect(numbers(try server.pull(.changes(after: 0), in: "2")?.page) == [1])
  }

  @Test mutating func `A new member gets later conflicts only, also after a restore`() throws {
    try lose(1)
    try server.grant(.viewer, to: 3)
    #expect(numbers(try server.pull(.changes(after: 3), account: 3)?.page) == [])
    try lose(1, number: 2)
    try server.grant(.editor, to: 3)
    #expect(numbers(try server.pull(.changes(after: 3), account: 3)?.page) == [3, 4])
    #expect(numbers(try server.pull(.changes(after: 3))?.page) == [1, 2, 3, 4])
    try server.log.beginEpoch(8)
    let snapshot = PullCursor.Position.snapshot(head: nil, after: nil)
    #expect(numbers(try server.pull(snapshot, account: 3)?.page) == [3, 4])
  }

  @Test mutating func `A member who returns gets conflicts from then on`() throws {
    try server.grant(.viewer, to: 3)
    try lose(1)
    try server.grant(.revoked, to: 3)
    try lose(1, number: 2)
    try server.grant(.viewer, to: 3)
    try lose(1, number: 3)
    #expect(numbers(try server.pull(.changes(after: 3), account: 3)?.page) == [5, 6])
  }

  @Test mutating func `A refused batch uses no conflict number`() throws {
    try lose(1)
    let ops: [Op] = [
      .edit("a", ["title": "z"], at: 20, by: 2), .edit("a", ["color": 1], at: 21, by: 2),
    ]
    #expect(try server.push(2, ops, device: 2)?.rejection == .unknownColumn)
    try lose(1, number: 3)
    #expect(numbers(try server.pull(.changes(after: 3))?.page) == [1, 2, 3, 4])
  }
}
