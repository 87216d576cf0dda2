import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The rows that a pull reads from the storage.
struct PullCostTests {
  private var server: TestServer
  private let lists = (1...20).map { "\($0)" }

  /// The number of rows in each list.
  private static let rowCount = 21

  init() throws {
    server = try TestServer()
    for list in lists {
      try server.log.grant(.owner, to: .sample(1), in: Lists.scope(list))
      let tasks = (1..<Self.rowCount).map { Op.task("t\($0)", in: list, at: 2) }
      _ = try server.push(1, in: list, [.list(list, at: 1)] + tasks)
    }
  }

  private func cursor(
    _ list: String, _ position: PullCursor.Position = .snapshot(head: nil, after: nil),
    epoch: UInt64 = 7, digests: Bool = false
  ) throws -> PullCursor {
    PullCursor(
      try Lists.scope(list), epoch: epoch, position: position, acknowledged: 0,
      wantsRangeDigests: digests)
  }

  private func pull(
    _ cursors: [PullCursor], limit: Int = 1_000, _ transaction: CountingTransaction
  ) throws -> [ScopePage] {
    let request = PullRequest(
      device: .sample(1), manifestVersion: 1, grantsAfter: 0, cursors: cursors, limit: limit)
    let response = try server.pullRules.answer(
      request, of: .sample(1), at: server.now, from: transaction)
    return response.scopes.compactMap(\.content.page)
  }

  // MARK: - Full pages

  @Test mutating func `Nothing is read for the scopes after a full page`() throws {
    server.pullRules = PullRules(.none, byteLimit: 100)
    let transaction = CountingTransaction(server.log)
    let cursors = try lists.map { try cursor($0) }
    let pages = try pull(cursors, transaction)
    #expect(transaction.counts.queries == 1)
    #expect(pages.count == lists.count)
    #expect(pages[0].rows.count > 0)
    for (page, cursor) in zip(pages, cursors).dropFirst() {
      #expect(page.isFull)
      #expect(page.rows.count == 0)
      #expect(page.next == cursor.position)
      #expect(page.head == Int64(Self.rowCount))
    }
  }

  @Test mutating func `A scope without further changes is complete, however full the page is`()
    throws
  {
    server.pullRules = PullRules(.none, byteLimit: 1)
    let transaction = CountingTransaction(server.log)
    let head = Int64(Self.rowCount)
    let pages = try pull(
      [cursor("1"), cursor("2", .changes(after: head)), cursor("3", .changes(after: head - 1))],
      transaction)
    #expect(pages.map(\.isFull) == [true, false, true])
    #expect(pages.map(\.lastBatch) == [1, 1, 1])
    #expect(transaction.counts.queries == 1)
  }

  @Test mutating func `Conflicts are not read for a full page`() throws {
    for list in ["1", "2"] {
      let edit = Op.edit("t1", ["title": "later"], at: 900)
      let lost = Op.edit("t1", ["title": "earlier"], at: 10, by: 2)
      _ = try server.push(2, in: list, [edit])
      _ = try server.push(1, in: list, [lost], device: 2)
    }
    server.pullRules = PullRules(.none, byteLimit: 1)
    let transaction = CountingTransaction(server.log)
    let pages = try pull(["1", "2"].map { try cursor($0) }, transaction)
    #expect(pages.map(\.isFull) == [true, true])
    #expect(transaction.counts.conflicts == 0)
    let heads = try pull(
      ["1", "2"].map { try cursor($0, .changes(after: server.scope($0).head)) }, transaction)
    #expect(heads.map(\.conflicts.count) == [1, 0])
    #expect(heads.map(\.isFull) == [false, true])
    #expect(transaction.counts.conflicts == 1)
  }

  @Test(arguments: [100, 1_000, 10_000])
  mutating func `A first sync reads each row about once, however many scopes there are`(
    byteLimit: Int
  ) throws {
    server.pullRules = PullRules(.none, byteLimit: byteLimit)
    let transaction = CountingTransaction(server.log)
    var open = try lists.map { try cursor($0) }
    var (rows, pulls) = (0, 0)
    while !open.isEmpty, pulls < 1_000 {
      pulls += 1
      let pages = try pull(open, transaction)
      rows += pages.reduce(0) { $0 + $1.rows.count }
      open = try zip(open, pages).compactMap { cursor, page in
        page.isFull ? try self.cursor(cursor.scope.value, page.next) : nil
      }
    }
    #expect(open.isEmpty)
    #expect(rows == lists.count * Self.rowCount)
    // The first chunk of a page is not limited by its space.
    #expect(transaction.counts.rows <= rows + pulls * (Self.rowCount + 1))
  }

  // MARK: - Repairs

  @Test(arguments: [1, 4, 1_000])
  func `A repair reads no more rows than the limit, even if none is in its ranges`(
    limit: Int
  ) throws {
    let transaction = CountingTransaction(server.log)
    let pages = try pull(
      [cursor("1", .repair(ranges: [], head: nil, after: nil))], limit: limit, transaction)
    #expect(transaction.counts.rows == min(limit, Self.rowCount))
    #expect(pages.map(\.isFull) == [limit < Self.rowCount])
  }

  @Test mutating func `A repair reads no more bytes than fit on a page`() throws {
    server.pullRules = PullRules(.none, byteLimit: 300)
    let position = PullCursor.Position.repair(ranges: [], head: nil, after: nil)
    let page = try #require(
      try pull([cursor("1", position)], CountingTransaction(server.log)).first)
    #expect(page.isFull)
    guard case .repair(_, _, let row?) = page.next else {
      Issue.record("The page does not advance.")
      return
    }
    #expect(row < Lists.task("t9"))
  }

  // MARK: - Range digests

  @Test mutating func `Range digests are computed once for each state of a scope`() throws {
    let transaction = CountingTransaction(server.log)
    let head = PullCursor.Position.changes(after: Int64(Self.rowCount))
    let first = try pull([cursor("1", head, digests: true)], transaction)
    #expect(transaction.counts.rows == Self.rowCount)
    for _ in 0..<10 {
      let pages = try pull([cursor("1", head, digests: true)], transaction)
      #expect(pages == first)
    }
    #expect(transaction.counts.rows == Self.rowCount)
    #expect(first.first?.rangeDigests?.total == (try server.scope().digest))

    _ = try server.push(2, [.edit("t1", ["title": "new"], at: 3)])
    let later = CountingTransaction(server.log)
    let next = PullCursor.Position.changes(after: Int64(Self.rowCount + 1))
    let page = try pull([cursor("1", next, digests: true)], later).first
    #expect(page?.rangeDigests?.total == (try server.scope().digest))
    #expect(later.counts.rows == Self.rowCount)

    try server.log.beginEpoch(8)
    let restored = CountingTransaction(server.log)
    _ = try pull([cursor("1", next, epoch: 8, digests: true)], restored)
    #expect(restored.counts.rows == Self.rowCount)
  }

  // MARK: - Rows of a table

  @Test func `A page of a table reads no rows of other tables`() throws {
    let transaction = CountingTransaction(server.log)
    let reading = RowReading(
      table: Lists.lists, account: .sample(1), access: AccessRules(try Lists.manifest()))
    let page = try reading.page(in: nil, after: nil, limit: 100, from: transaction)
    #expect(page.rows.count == lists.count)
    #expect(transaction.counts.rows == lists.count)
  }
}
