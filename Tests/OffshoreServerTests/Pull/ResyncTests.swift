import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Cursors that cannot continue, and the first sync.
struct ResyncTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1)] + ["a", "b", "c", "d"].map { .task($0, at: 2) })
    _ = try server.push(2, [.delete(Lists.task("b"), at: 3)])
    try server.log.collect(Lists.scope(), upTo: 4)
  }

  // MARK: - Resync

  @Test func `A cursor before the collected changes cannot continue`() throws {
    #expect(try server.pull(.changes(after: 3)) == .resync(minSeq: 4))
    #expect(try server.pull(.changes(after: 4))?.page != nil)
  }

  @Test mutating func `A cursor between two pages cannot continue after a collection`() throws {
    let first = try #require(try server.pull(.changes(after: 4), limit: 1)?.page)
    #expect(first.isFull)
    _ = try server.push(3, [.edit("a", ["note": "x"], at: 4)])
    try server.log.collect(Lists.scope(), upTo: 6)
    #expect(try server.pull(first.next, limit: 1) == .resync(minSeq: 6))
  }

  @Test mutating func `A first sync that began before a collection cannot continue`() throws {
    let first = try #require(try server.pull(.snapshot(head: nil, after: nil), limit: 1)?.page)
    _ = try server.push(3, [.delete(Lists.task("a"), at: 4)])
    try server.log.collect(Lists.scope(), upTo: 7)
    #expect(try server.pull(first.next) == .resync(minSeq: 7))
  }

  @Test mutating func `A cursor of another epoch cannot continue`() throws {
    try server.log.beginEpoch(8)
    #expect(try server.pull(.changes(after: 5), epoch: 7) == .resync(minSeq: 4))
    #expect(try server.pull(.snapshot(head: 5, after: Lists.task("a")), epoch: 7)?.page == nil)
    #expect(try server.pull(.changes(after: 5), epoch: 8)?.page != nil)
  }

  @Test mutating func `A first sync can begin with any epoch`() throws {
    #expect(try server.pull(.snapshot(head: nil, after: nil), epoch: 99)?.page != nil)
  }

  @Test func `A cursor beyond the head cannot continue`() throws {
    #expect(try server.pull(.changes(after: 7)) == .resync(minSeq: 4))
  }

  @Test func `A first sync cannot begin in the middle`() throws {
    #expect(
      try server.pull(.snapshot(head: nil, after: Lists.task("a"))) == .resync(minSeq: 4))
  }

  @Test func `A new device begins with the changes if none has been collected`() throws {
    #expect(try server.pull(.changes(after: 0), epoch: 0) == .resync(minSeq: 4))
    #expect(try server.pull(.changes(after: 0), in: "2", epoch: 0)?.page != nil)
  }

  // MARK: - First sync

  @Test
  mutating func `The first sync is ordered by row, and continues with the changes since its start`()
    throws
  {
    var position = PullCursor.Position.snapshot(head: nil, after: nil)
    var rows: [RowID] = []
    while true {
      let page = try #require(try server.pull(position, limit: 2)?.page)
      rows += page.rows.rows.map(\.row)
      position = page.next
      if !page.isFull { break }
      _ = try server.push(3, [.task("e", at: 4), .edit("a", ["note": "x"], at: 5)])
    }
    #expect(rows == ["1"].map(Lists.list) + ["a", "b", "c", "d", "e"].map(Lists.task))
    guard case .snapshot(let head?, _) = position else {
      Issue.record("The sync does not tell where it began.")
      return
    }
    #expect(head == 6)
    let rest = try #require(try server.pull(.changes(after: head))?.page)
    #expect(rest.rows.rows.map(\.row.id) == ["e", "a"])
  }

  @Test mutating func `A first sync without changes since its start needs no further page`() throws
  {
    let whole = try #require(try server.pull(.snapshot(head: nil, after: nil))?.page)
    #expect(whole.rows.count == 5 && !whole.isFull && whole.next == .changes(after: 6))
    let first = try #require(try server.pull(.snapshot(head: nil, after: nil), limit: 3)?.page)
    #expect(first.isFull && first.next == .snapshot(head: 6, after: Lists.task("b")))
    let last = try #require(try server.pull(first.next, limit: 3)?.page)
    #expect(!last.isFull && last.next == .changes(after: 6))
    _ = try server.push(3, [.edit("a", ["note": "x"], at: 4)])
    let late = try #require(try server.pull(first.next, limit: 3)?.page)
    #expect(!late.isFull && late.next == .snapshot(head: 6, after: Lists.task("d")))
  }

  @Test func `The first sync resumes after any row`() throws {
    let page = try #require(try server.pull(.snapshot(head: 6, after: Lists.task("b")))?.page)
    #expect(page.rows.rows.map(\.row.id) == ["c", "d"])
  }

  // MARK: - Acknowledgements

  private func request(_ acknowledged: Int64, epoch: UInt64 = 7) throws -> PullRequest {
    let cursor = PullCursor(
      try Lists.scope(), epoch: epoch, position: .changes(after: 5), acknowledged: acknowledged)
    return PullRequest(
      device: .sample(1), manifestVersion: 1, grantsAfter: 0, cursors: [cursor], limit: 1)
  }

  @Test mutating func `A device's acknowledgement is stored, and only ever grows`() throws {
    for (acknowledged, noted) in [(4, 4), (3, 4), (6, 6), (99, 6)] as [(Int64, Int64)] {
      try server.pullRules.acknowledge(request(acknowledged), of: .sample(1), in: &server.log)
      let device = server.log.device(.sample(1), in: try Lists.scope())
      #expect(
        device == StoredDevice(account: .sample(1), lastNumber: 2, acknowledged: noted))
    }
  }

  @Test mutating func `An acknowledgement of another epoch is not stored`() throws {
    try server.pullRules.acknowledge(request(4, epoch: 6), of: .sample(1), in: &server.log)
    #expect(server.log.device(.sample(1), in: try Lists.scope()).acknowledged == 0)
  }

  @Test
  mutating func `An account without access, or with another account's device, changes nothing`()
    throws
  {
    let before = server.log
    for account in [AccountID.sample(2), .sample(3)] {
      try server.pullRules.acknowledge(request(4), of: account, in: &server.log)
    }
    #expect(server.log == before)
  }
}
