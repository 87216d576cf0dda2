import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Range digests, and pages of the ranges that differ.
struct RepairTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1)] + (0..<20).map { .task("t\($0)", at: 2) })
    _ = try server.push(2, [.delete(Lists.task("t3"), at: 3)])
  }

  private var all: [SyncedRow] {
    get throws { server.log.rows(in: try Lists.scope(), after: nil as RowID?, limit: .max) }
  }

  private func repair(_ ranges: RangeSet, head: Int64? = nil, after row: RowID? = nil)
    -> PullCursor.Position
  { .repair(ranges: ranges, head: head, after: row) }

  // MARK: - Range digests

  private func sums(limit: Int = 100, wanted isWanted: Bool = true) throws -> ScopePage? {
    let cursor = PullCursor(
      try Lists.scope(), epoch: 7, position: .changes(after: 0), acknowledged: 0,
      wantsRangeDigests: isWanted)
    return try server.pull([cursor], limit: limit).scopes.first?.content.page
  }

  @Test func `A page has range digests if the device requests them`() throws {
    let sums = try #require(try sums()?.rangeDigests)
    #expect(sums.total == (try server.scope().digest))
    #expect(sums == (try all).reduce(into: RangeDigests()) { $0.add($1.state, of: $1.row) })
    #expect(try self.sums(wanted: false)?.rangeDigests == nil)
  }

  @Test func `Range digests cover all rows, even if the page is full`() throws {
    let page = try #require(try sums(limit: 1))
    #expect(page.isFull)
    #expect(page.rangeDigests?.total == page.digest)
  }

  @Test mutating func `Range digests cover more rows than one read returns`() throws {
    for number in 3...5 as ClosedRange<Int64> {
      _ = try server.push(number, (0..<300).map { .task("\(number)-\($0)", at: 9) })
    }
    #expect(try sums()?.rangeDigests?.total == (try server.scope().digest))
  }

  // MARK: - Pages

  @Test func `A repair has the rows of its ranges, including tombstones`() throws {
    let ranges: RangeSet = [Lists.task("t3").range, Lists.task("t7").range]
    let page = try #require(try server.pull(repair(ranges))?.page)
    #expect(page.rows.rows == (try all).filter { ranges.contains($0.row.range) })
    #expect(Set(page.rows.rows.map(\.row.id)).isSuperset(of: ["t3", "t7"]))
    #expect(page.rows.count < 10)
    #expect(!page.isFull)
  }

  @Test func `A repair of all ranges has all rows, and one of no ranges has none`() throws {
    #expect(try server.pull(repair(.all))?.page?.rows.rows == (try all))
    let nothing = try #require(try server.pull(repair([]))?.page)
    #expect(nothing.rows.count == 0)
    #expect(!nothing.isFull)
  }

  @Test func `A repair comes in pages, and reports the head at which it began`() throws {
    let wanted = Array((try all).map(\.row).dropFirst(2).prefix(6))
    let ranges = RangeSet(wanted.map(\.range))
    var position = repair(ranges)
    var rows: [RowID] = []
    while true {
      let page = try #require(try server.pull(position, limit: 2)?.page)
      rows += page.rows.rows.map(\.row)
      position = page.next
      if !page.isFull { break }
      guard case .repair(ranges, head: 22, after: _) = position else {
        Issue.record("The next page is \(position).")
        break
      }
    }
    #expect(rows == (try all).map(\.row).filter { ranges.contains($0.range) })
    #expect(position == .changes(after: 22))
  }

  @Test func `A repair looks at no more rows than the limit, whichever ranges they are in`() throws
  {
    var position = repair([])
    var positions: [PullCursor.Position] = []
    while true {
      let page = try #require(try server.pull(position, limit: 5)?.page)
      #expect(page.rows.count == 0)
      position = page.next
      if !page.isFull { break }
      positions.append(position)
    }
    let rows = try all.map(\.row)
    #expect(
      positions
        == stride(from: 4, to: rows.count, by: 5).map {
          repair([], head: 22, after: rows[$0])
        })
  }

  @Test mutating func `A repair that began at a head is followed by the changes after that head`()
    throws
  {
    _ = try server.push(3, [.edit("t1", ["note": "x"], at: 4)])
    let position = repair(.all, head: 20)
    let page = try #require(try server.pull(position)?.page)
    #expect(page.next == repair(.all, head: 20, after: try all.last?.row))
    #expect(
      try server.pull(.changes(after: 20))?.page?.rows.rows.map(\.row.id) == ["t19", "t3", "t1"])
  }

  @Test mutating func `A repair finds rows beyond those of one read`() throws {
    for number in 3...5 as ClosedRange<Int64> {
      _ = try server.push(number, (0..<300).map { .task("\(number)-\($0)", at: 9) })
    }
    let ranges: RangeSet = [Lists.task("5-299").range]
    let page = try #require(try server.pull(repair(ranges), limit: 1_000)?.page)
    #expect(!page.isFull)
    #expect(page.rows.rows == (try all).filter { ranges.contains($0.row.range) })
    #expect(page.rows.rows.contains { $0.row.id == "5-299" })
  }

  // MARK: - Repairs that cannot continue

  @Test mutating func `A repair that began before a collection cannot continue`() throws {
    let first = try #require(try server.pull(repair(.all), limit: 1)?.page)
    _ = try server.push(3, [.delete(Lists.task("t5"), at: 4)])
    try server.log.collect(Lists.scope(), upTo: 23)
    #expect(try server.pull(first.next) == .resync(minSeq: 23))
  }

  @Test mutating func `A repair is valid in one epoch`() throws {
    let first = try #require(try server.pull(repair(.all), limit: 1)?.page)
    try server.log.beginEpoch(8)
    #expect(try server.pull(first.next, epoch: 7) == .resync(minSeq: 0))
    #expect(try server.pull(repair(.all), epoch: 7) == .resync(minSeq: 0))
    #expect(try server.pull(repair(.all), epoch: 8)?.page != nil)
  }

  @Test func `A repair cannot begin in the middle, nor continue beyond the head`() throws {
    #expect(try server.pull(repair(.all, after: Lists.task("t1"))) == .resync(minSeq: 0))
    #expect(try server.pull(repair(.all, head: 99)) == .resync(minSeq: 0))
  }
}
