import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Pages of changes.
struct PullRulesTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1)] + ["a", "b", "c", "d"].map { .task($0, at: 2) })
  }

  private func ids(_ page: ScopePage?) -> [String]? {
    page?.rows.rows.sorted { $0.seq < $1.seq }.map(\.row.id)
  }

  // MARK: - Pages

  @Test func `A page has the changes after the cursor`() throws {
    let page = try #require(try server.pull(.changes(after: 3))?.page)
    #expect(ids(page) == ["c", "d"])
    #expect(!page.isFull)
    #expect(page.next == .changes(after: 5))
  }

  @Test func `A page without rows ends at the head`() throws {
    let page = try #require(try server.pull(.changes(after: 5))?.page)
    #expect(page.rows.count == 0)
    #expect(!page.isFull)
    #expect(page.next == .changes(after: 5))
  }

  @Test func `A full page continues after its last row`() throws {
    let page = try #require(try server.pull(.changes(after: 1), limit: 2)?.page)
    #expect(ids(page) == ["a", "b"])
    #expect(page.isFull)
    #expect(page.next == .changes(after: 3))
  }

  @Test func `A page describes the scope as of its read`() throws {
    let page = try #require(try server.pull(.changes(after: 1), limit: 1)?.page)
    let scope = try server.scope()
    #expect(page.head == 5)
    #expect(page.digest == scope.digest)
    #expect(page.minSeq == 0)
    #expect(page.lastBatch == 1)
  }

  @Test mutating func `A page has the decisions on batches whose answers may be lost`() throws {
    let refused = try TestServer.batch(2, [.edit("a", ["title": 1], at: 3)])
    let applied = try TestServer.batch(3, [.edit("a", ["title": "new"], at: 4)])
    _ = try server.push([refused, applied])
    let expected = [
      DecidedBatch(number: 2, hash: refused.hash, isApplied: false),
      DecidedBatch(number: 3, hash: applied.hash, isApplied: true),
    ]
    #expect(try batches(answered: 1)?.suffix(2) == expected)
    #expect(try batches(answered: 2) == [expected[1]])
    #expect(try batches(answered: 3) == [])
    #expect(try batches(answered: .max) == [])
    #expect(try batches(answered: .min)?.count == 3)
    #expect(try batches(answered: 0, device: 2) == [])
  }

  @Test mutating func `A page has no more decided batches than a push can have`() throws {
    let last = Int64(WireLimits.batchesPerPush + 3)
    for number in 2...last { _ = try server.push(number, []) }
    #expect(try batches(answered: 1)?.map(\.number) == Array(2...(last - 2)))
  }

  /// Returns the decided batches of a page after the given number.
  private func batches(answered: Int64, device: UInt8 = 1) throws -> [DecidedBatch]? {
    let cursor = PullCursor(
      try Lists.scope("1"), epoch: 7, position: .changes(after: 0), acknowledged: 0,
      answeredBatch: answered)
    return try server.pull([cursor], device: device).scopes.first?.content.page?.batches
  }

  @Test mutating func `A row that changes between two pages is sent again`() throws {
    let first = try #require(try server.pull(.changes(after: 1), limit: 2)?.page)
    _ = try server.push(2, [.edit("a", ["title": "new"], at: 3)])
    let second = try #require(try server.pull(first.next)?.page)
    #expect(ids(second) == ["c", "d", "a"])
    #expect(second.head == 6)
  }

  @Test func `A page can have more rows than one read returns`() throws {
    var server = server
    for number in 2...4 as ClosedRange<Int64> {
      _ = try server.push(number, (0..<300).map { .task("\(number)-\($0)", at: 9) })
    }
    let page = try #require(try server.pull(.changes(after: 5), limit: 10_000)?.page)
    #expect(page.rows.rows.map(\.seq).sorted() == Array(6...905))
    #expect(!page.isFull)
  }

  // MARK: - Limits

  @Test mutating func `Rows that do not fit come with the next page`() throws {
    server.pullRules = PullRules(.none, byteLimit: 1)
    let page = try #require(try server.pull(.changes(after: 0))?.page)
    #expect(page.rows.count == 1)
    #expect(page.isFull)
    #expect(page.next == .changes(after: 1))
  }

  @Test mutating func `The cursor of a scope that does not fit stays the same`() throws {
    _ = try server.push(1, in: "2", [.list("2", at: 1)])
    server.pullRules = PullRules(.none, byteLimit: 1)
    let cursors = try ["1", "2"].map {
      PullCursor(try Lists.scope($0), epoch: 7, position: .changes(after: 0), acknowledged: 0)
    }
    let pages = try server.pull(cursors).scopes.compactMap(\.content.page)
    #expect(pages.map(\.rows.count) == [1, 0])
    #expect(pages.map(\.isFull) == [true, true])
    #expect(pages.last?.next == .changes(after: 0))
  }

  @Test mutating func `All scopes are answered at once`() throws {
    _ = try server.push(1, in: "2", [.list("2", at: 1)])
    let cursors = try ["2", "1"].map {
      PullCursor(try Lists.scope($0), epoch: 7, position: .changes(after: 0), acknowledged: 0)
    }
    let response = try server.pull(cursors)
    #expect(response.scopes.map(\.scope.value) == ["2", "1"])
    #expect(response.scopes.compactMap(\.content.page).map(\.rows.count) == [1, 5])
    #expect(response.serverTime == server.now)
  }

  @Test mutating func `A device that is too old has to be updated`() throws {
    server.pullRules = PullRules(.none, oldestVersion: 2)
    let problem = #expect(throws: WireProblem.self) { try server.pull([], version: 1) }
    #expect(problem?.code == .upgradeRequired)
  }

  // MARK: - Grants

  @Test mutating func `A pull returns the grants that changed`() throws {
    let response = try server.pull([])
    #expect(response.grants == server.log.grants(of: .sample(1), after: 0))
    #expect(response.grants.count == 2)
  }

  @Test(arguments: [1, 2] as [UInt8])
  mutating func `An owner and a viewer can read`(account: UInt8) throws {
    #expect(try server.pull(.changes(after: 0), account: account)?.page?.rows.count == 5)
  }

  @Test func `An account that never had a grant gets the same answer for every scope`() throws {
    let cursors = try ["1", "9"].map {
      PullCursor(try Lists.scope($0), epoch: 7, position: .changes(after: 0), acknowledged: 0)
    }
    let answers = try server.pull(cursors, account: 3).scopes
    #expect(answers.map(\.content) == [.notGranted, .notGranted])
    #expect(answers.map(\.epoch) == [0, 0])
  }

  @Test mutating func `An answer has the epoch of the data, even for an account without grants`()
    throws
  {
    #expect(try server.pull([], account: 3).epoch == 7)
    try server.log.beginEpoch(8)
    #expect(try server.pull([], account: 3).epoch == 8)
    let cursor = PullCursor(
      try Lists.scope("1"), epoch: 7, position: .changes(after: 0), acknowledged: 0)
    let response = try server.pull([cursor])
    #expect(response.epoch == 8)
    #expect(response.scopes.map(\.epoch) == [8])
  }

  @Test(arguments: [Role.revoked, .left])
  mutating func `An account whose grant has ended reads nothing`(role: Role) throws {
    try server.log.grant(role, to: .sample(2), in: Lists.scope())
    #expect(try server.pull(.changes(after: 0), account: 2) == .notGranted)
  }
}
