import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The range digests and decided batches that fit into an answer beside its rows, in many scopes.
struct PageRoomTests {
  private var server: TestServer
  private let lists = (1...6).map { "\($0)" }

  init() throws {
    server = try TestServer()
    for list in lists {
      try server.log.grant(.owner, to: .sample(1), in: Lists.scope(list))
      _ = try server.push(1, in: list, [.list(list, at: 1)])
      _ = try server.push(2, in: list, [.task("a", in: list, at: 2)])
    }
  }

  private func cursor(
    _ list: String, after seq: Int64 = 2, digests: Bool = false, answered: Int64 = 2
  ) throws -> PullCursor {
    PullCursor(
      try Lists.scope(list), epoch: 7, position: .changes(after: seq), acknowledged: 0,
      wantsRangeDigests: digests, answeredBatch: answered)
  }

  private func pages(_ cursors: [PullCursor]) throws -> [ScopePage] {
    try server.pull(cursors).scopes.compactMap(\.content.page)
  }

  // MARK: - Range digests

  @Test mutating func `Range digests that do not fit are omitted, and the page counts as full`()
    throws
  {
    server.pullRules.reportLimit = 2 * RangeDigests.leastByteCount
    let pages = try pages(lists.map { try cursor($0, digests: true) })
    #expect(pages.map { $0.rangeDigests != nil } == [true, true, false, false, false, false])
    #expect(pages.map(\.isFull) == [false, false, true, true, true, true])
    // The next page begins at the same place.
    #expect(pages.allSatisfy { $0.next == .changes(after: 2) })
  }

  @Test mutating func `The range digests of one scope always fit`() throws {
    server.pullRules.reportLimit = 0
    let page = try pages([cursor("1", digests: true)]).first
    #expect(page?.rangeDigests != nil)
    #expect(page?.isFull == false)
  }

  @Test mutating func `Rows take no space from range digests`() throws {
    server.pullRules = PullRules(.none, byteLimit: 1)
    let pages = try pages([cursor("1", after: 0, digests: true), cursor("2", digests: true)])
    #expect(pages.map(\.rows.count) == [1, 0])
    #expect(pages.map(\.isFull) == [true, false])
    #expect(pages.allSatisfy { $0.rangeDigests != nil })
  }

  @Test func `The range digests of the largest pull fit into one answer`() {
    var room = PageRoom(bytes: 0)
    for _ in 0..<WireLimits.scopesPerPull {
      let fits = room.reserveRangeDigests()
      #expect(fits)
    }
    let bytes = PageRoom.reportBytes + WireLimits.bodyBytes / 2
    // Each scope adds its name and a few numbers.
    #expect(bytes + 1_000 * WireLimits.scopesPerPull < WireLimits.bodyBytes)
  }

  // MARK: - Batches

  @Test mutating func `Decided batches that do not fit are omitted, and the page counts as full`()
    throws
  {
    server.pullRules.reportLimit = 3 * (DecidedBatch.leastByteCount + 8)
    let pages = try pages(lists.prefix(3).map { try cursor($0, answered: 0) })
    #expect(pages.map { $0.batches.map(\.number) } == [[1, 2], [1], []])
    #expect(pages.map(\.isFull) == [false, true, true])
    #expect(pages.allSatisfy { $0.lastBatch == 2 })
  }

  @Test mutating func `Decided batches take precedence over range digests`() throws {
    server.pullRules.reportLimit = 1
    let page = try pages([cursor("1", digests: true, answered: 1)]).first
    #expect(page?.batches.map(\.number) == [2])
    #expect(page?.rangeDigests == nil)
    #expect(page?.isFull == true)
  }

  // MARK: - Whole answers

  @Test mutating func `A device completes its pull scope by scope, however little fits`() throws {
    server.pullRules = PullRules(.none, byteLimit: 1)
    server.pullRules.reportLimit = 1
    var open = try lists.map { try cursor($0, after: 0, digests: true) }
    var pulls = 0
    while !open.isEmpty, pulls < 100 {
      pulls += 1
      let answers = try server.pull(open).scopes
      open = try zip(open, answers).compactMap { cursor, answer in
        let page = try #require(answer.content.page)
        guard page.isFull, case .changes(let seq) = page.next else { return nil }
        return try self.cursor(cursor.scope.value, after: seq, digests: true)
      }
    }
    #expect(open.isEmpty)
  }

  @Test func `The answer to the largest request fits into a body`() throws {
    var server = server
    let lists = (1...WireLimits.scopesPerPull).map { "list-\($0)" }
    let text = WireValue(String(repeating: "x", count: 20_000))
    for (index, list) in lists.enumerated() {
      let grant = Grant(try Lists.scope(list), .owner, seq: Int64(index + 100))
      server.log.setGrant(grant, of: .sample(1), start: ReadingStart())
      let ops = [Op.list(list, at: 1), .task("a", in: list, at: 2, ["note": text])]
      for number in 1...3 { _ = try server.push(Int64(number), in: list, number == 1 ? ops : []) }
    }
    // The last scopes fill the space for rows, so that as many as possible have digests as well.
    let cursors = try lists.enumerated().map { index, list in
      try cursor(list, after: index < 780 ? 2 : 0, digests: true, answered: 0)
    }
    let response = try server.pull(cursors, limit: 1_000)
    #expect(response.body.count <= WireLimits.bodyBytes)
    let pages = response.scopes.compactMap(\.content.page)
    #expect(pages.count == lists.count)
    let read = pages.prefix { !$0.isFull }
    #expect(read.count > 950)
    #expect(read.allSatisfy { $0.rangeDigests != nil && $0.batches.count == 3 })
    #expect(pages.dropFirst(read.count + 1).allSatisfy { $0.rows.count == 0 && $0.isFull })
    #expect(read.count < lists.count - 1)
  }
}
