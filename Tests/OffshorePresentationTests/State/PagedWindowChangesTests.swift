import OffshorePresentation
import TestSupport
import Testing

/// Windows of a list that changes.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct PagedWindowChangesTests {
  private func ids(_ window: PagedWindow<Row>) -> [Int] { window.state.data?.map(\.id) ?? [] }

  // MARK: - At the end

  @Test func `New rows at the end appear in a window that reaches it`() async {
    let book = Book(45)
    let window = book.window()
    await window.load()
    book.rows += [Row(45), Row(46)]
    await window.refresh()
    #expect(ids(window) == Array(35..<47) && !window.canLoadAfter && window.newerCount == 0)
    #expect(window.openCount == 1)
  }

  @Test func `A change is read without a call`() async {
    let book = Book(45)
    let window = book.window()
    await window.load()
    book.rows.append(Row(45))
    book.signal.yield()
    await waitUntil { window.state.data?.last?.id == 45 }
    #expect(ids(window) == Array(35..<46))
  }

  @Test func `More new rows than the maximum leave the last ones, to a user at the end`() async {
    let book = Book(45)
    let window = book.window()
    await window.load()
    book.rows += (45..<200).map { Row($0) }
    await window.refresh()
    #expect(ids(window) == Array(160..<200) && window.canLoadBefore && !window.canLoadAfter)
  }

  @Test func `New rows beyond the maximum are only counted, to a user who went up`() async {
    let book = Book(100)
    let window = book.window()
    await window.load()
    for _ in 0..<3 { await window.loadBefore() }
    #expect(ids(window) == Array(60..<100))
    book.rows += [Row(100), Row(101)]
    await window.refresh()
    #expect(ids(window) == Array(60..<100) && window.canLoadAfter && window.newerCount == 2)
    await window.loadAfter()
    #expect(ids(window) == Array(62..<102) && !window.canLoadAfter && window.newerCount == 0)
  }

  // MARK: - Far up

  @Test func `A window far up stays where it is, and counts new rows at the end`() async {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    book.rows.append(Row(45))
    await window.refresh()
    #expect(ids(window) == Array(15...25) && window.canLoadAfter && window.newerCount == 1)
    book.rows += (46..<90).map { Row($0) }
    await window.refresh()
    #expect(ids(window) == Array(15...25) && window.newerCount == 10)
    await window.show(.end)
    #expect(window.newerCount == 0 && ids(window) == Array(80..<90))
  }

  @Test func `Rows that were deleted at the end do not count, nor does the deletion`() async {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    book.rows.removeLast(3)
    await window.refresh()
    #expect(window.newerCount == 0)
    book.rows.append(Row(45))
    await window.refresh()
    #expect(window.newerCount == 1)
  }

  @Test func `A window reaches the end when all rows after it are deleted`() async {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    book.rows.removeLast(19)
    await window.refresh()
    #expect(ids(window) == Array(15...25) && !window.canLoadAfter)
    book.rows.append(Row(50))
    await window.refresh()
    #expect(ids(window) == Array(15...25) + [50])
  }

  // MARK: - Within the window

  @Test func `Rows in the middle are inserted, edited and deleted`() async {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    book.rows.removeAll { [17, 22].contains($0.id) }
    book.rows.append(Row(100, key: 19))
    await window.refresh()
    #expect(ids(window) == [15, 16, 18, 19, 100, 20, 21, 23, 24, 25])
    #expect(window.newerCount == 0)
  }

  @Test func `A deleted first or last row does not move the window`() async {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    book.rows.removeAll { [15, 25].contains($0.id) }
    await window.refresh()
    #expect(ids(window) == Array(16...24))
    await window.loadBefore()
    await window.loadAfter()
    #expect(ids(window) == Array(5...14) + Array(16...24) + Array(26...35))
  }

  @Test func `Edges that are deleted before a page is read do not matter`() async {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    book.rows.removeAll { [15, 25].contains($0.id) }
    await window.loadBefore()
    await window.loadAfter()
    await window.refresh()
    #expect(ids(window) == Array(5...14) + Array(16...24) + Array(26...35))
  }

  @Test func `New rows before the first one are not shown, unless it is the first of the list`()
    async
  {
    let book = Book(45)
    let inner = book.window(at: .around(20))
    await inner.load()
    let outer = book.window(at: .start)
    await outer.load()
    book.rows += [Row(100, key: 14), Row(101, key: -1)]
    await inner.refresh()
    await outer.refresh()
    #expect(ids(inner) == Array(15...25))
    #expect(ids(outer) == [101] + Array(0..<10) && !outer.canLoadBefore)
  }

  @Test func `A window whose rows are all deleted shows those around its place`() async {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    book.rows.removeAll { (15...25).contains($0.id) }
    await window.refresh()
    #expect(ids(window) == Array(10..<15) + Array(26...30))
    book.rows.removeAll()
    await window.refresh()
    #expect(window.state == .empty && !window.canLoadBefore && !window.canLoadAfter)
  }

  @Test func `More rows in the middle than fit shorten the window at its end`() async {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    book.rows += (100..<200).map { Row($0, key: 20) }
    await window.refresh()
    let shown = ids(window)
    #expect(shown.prefix(6) == [15, 16, 17, 18, 19, 20] && shown.count == 21)
    #expect(window.canLoadAfter && window.newerCount == 0)
  }

  @Test func `A row that moves out of the window leaves it`() async throws {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    let index = try #require(book.rows.firstIndex { $0.id == 18 })
    book.rows[index].key = 1_000
    await window.refresh()
    #expect(ids(window) == [15, 16, 17] + Array(19...25) && window.newerCount == 1)
  }

  // MARK: - Any order of events

  @Test(arguments: 0..<60)
  func `The window is always a part of the list, without gaps and repetitions`(seed: Int) async {
    var random = SeededRandom(seed: UInt64(seed))
    let book = Book(random.number(below: 60))
    let window = book.window(pageSize: 4, maximumCount: 16)
    await window.load()
    for step in 0..<60 {
      let reached = (start: !window.canLoadBefore, end: !window.canLoadAfter)
      let before = window.state.data ?? []
      var mayMove = false
      switch random.number(below: 8) {
      case 0: await window.loadBefore()
      case 1: await window.loadAfter()
      case 2:
        mayMove = true
        let positions: [WindowPosition<Int>] = [
          .end, .start, .around(random.number(below: 90)), .before(random.number(below: 90)),
          .after(random.number(below: 90)), .near(random.number(below: 90)),
        ]
        await window.show(random.pick(positions))
      default:
        book.change(&random, id: 1_000 + step)
        await window.refresh()
      }
      let all = book.rows.sorted { $0.place < $1.place }
      let shown = window.state.data ?? []
      let note = Comment(rawValue: "seed \(seed), step \(step)")
      #expect(Set(shown.map(\.id)).count == shown.count, note)
      #expect(shown.isEmpty == all.isEmpty, note)
      guard let start = shown.first.flatMap({ all.firstIndex(of: $0) }) else {
        #expect(shown.isEmpty, note)
        continue
      }
      #expect(Array(all[start...].prefix(shown.count)) == shown, note)
      #expect(window.canLoadBefore == (start > 0), note)
      #expect(window.canLoadAfter == (start + shown.count < all.count), note)
      #expect(window.newerCount == 0 || window.canLoadAfter, note)
      // A window that reached an end of the list and has room still does.
      guard !mayMove, shown.count < 16, !before.isEmpty else { continue }
      if reached.end { #expect(!window.canLoadAfter, note) }
      if reached.start { #expect(!window.canLoadBefore, note) }
      // Rows that were shown and still have their place are shown.
      for row in before where all.contains(row) { #expect(shown.contains(row), note) }
    }
  }
}

extension Book {
  /// Inserts, deletes or moves a row.
  fileprivate func change(_ random: inout SeededRandom, id: Int) {
    switch random.number(below: 3) {
    case 0: rows.append(Row(id, key: random.number(below: 60)))
    case 1: if !rows.isEmpty { rows.remove(at: random.number(below: rows.count)) }
    default:
      if !rows.isEmpty { rows[random.number(below: rows.count)].key = random.number(below: 60) }
    }
  }
}
