import OffshorePresentation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct PagedWindowTests {
  private func ids(_ window: PagedWindow<Row>) -> [Int] { window.state.data?.map(\.id) ?? [] }

  // MARK: - Positions

  @Test func `The window opens at the end, with one page`() async {
    let window = Book(45).window()
    #expect(window.state == .idle && window.openCount == 0)
    await window.load()
    #expect(ids(window) == Array(35..<45))
    #expect(window.canLoadBefore && !window.canLoadAfter)
    #expect(window.openCount == 1 && window.position == .end && !window.isRowMissing)
  }

  @Test func `The window opens at the start`() async {
    let window = Book(45).window(at: .start)
    await window.load()
    #expect(ids(window) == Array(0..<10))
    #expect(!window.canLoadBefore && window.canLoadAfter)
  }

  @Test(arguments: [WindowPosition.around(20), .near(20)])
  func `The window opens around a row, with half a page on each side`(
    position: WindowPosition<Int>
  ) async {
    let window = Book(45).window(at: position)
    await window.load()
    #expect(ids(window) == Array(15...25))
    #expect(window.canLoadBefore && window.canLoadAfter && window.position == position)
    #expect(position.row == 20 && position.markedRow == (position == .around(20) ? 20 : nil))
  }

  @Test func `Rows around one near an end are fewer, and the window reaches the end`() async {
    let first = Book(45).window(at: .around(2))
    await first.load()
    #expect(ids(first) == Array(0...7) && !first.canLoadBefore && first.canLoadAfter)
    let last = Book(45).window(at: .around(44))
    await last.load()
    #expect(ids(last) == Array(39..<45) && last.canLoadBefore && !last.canLoadAfter)
  }

  @Test func `The window opens before or after a row, without it`() async {
    let book = Book(45)
    let before = book.window(at: .before(20))
    await before.load()
    #expect(ids(before) == Array(10..<20) && before.canLoadBefore && before.canLoadAfter)
    let after = book.window(at: .after(20))
    await after.load()
    #expect(ids(after) == Array(21...30) && after.canLoadBefore && after.canLoadAfter)
  }

  @Test func `Before the first row and after the last one is the end of the list there`() async {
    let book = Book(45)
    let before = book.window(at: .before(0))
    await before.load()
    #expect(ids(before) == Array(0..<10) && !before.canLoadBefore)
    let after = book.window(at: .after(44))
    await after.load()
    #expect(ids(after) == Array(35..<45) && !after.canLoadAfter)
  }

  @Test func `A row that does not exist leads to the end, and is reported`() async {
    let window = Book(45).window(at: .around(99))
    await window.load()
    #expect(ids(window) == Array(35..<45))
    #expect(window.isRowMissing && window.position == .end)
    await window.show(.around(3))
    #expect(!window.isRowMissing && window.position == .around(3))
  }

  @Test func `A row of a former place that does not exist any more leads to its neighbours`() async
  {
    let book = Book(45)
    book.rows.removeAll { (20...21).contains($0.id) }
    let window = book.window(at: .near(20, or: [21, 22]))
    await window.load()
    #expect(ids(window).contains(22) && !window.isRowMissing && window.position == .near(22))
    await window.show(.near(20, or: [21]))
    #expect(window.isRowMissing && window.position == .end && ids(window).last == 44)
    await window.show(.near(10, or: [11]))
    #expect(window.position == .near(10) && !window.isRowMissing)
  }

  @Test func `A jump replaces the rows at once and counts as opening`() async {
    let window = Book(45).window()
    await window.load()
    await window.show(.around(20))
    #expect(ids(window) == Array(15...25))
    #expect(window.openCount == 2 && window.newerCount == 0)
    await window.show(.end)
    #expect(ids(window) == Array(35..<45) && window.openCount == 3)
  }

  @Test func `A list without rows is empty, and then shows new ones`() async {
    let book = Book(0)
    let window = book.window()
    await window.load()
    #expect(window.state == .empty && !window.canLoadBefore && !window.canLoadAfter)
    book.rows = [Row(1)]
    book.signal.yield()
    await waitUntil { window.state.data?.map(\.id) == [1] }
    #expect(window.openCount == 1)
  }

  @Test func `A page without rows, or a window of less than four pages, is a programming error`()
    async
  {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        _ = PagedWindow<Row>(pageSize: 0, before: { _, _ in [] }, after: { _, _ in [] })
      }
    }
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        _ = PagedWindow<Row>(
          pageSize: 10, maximumCount: 39, before: { _, _ in [] }, after: { _, _ in [] })
      }
    }
  }

  // MARK: - Pages

  @Test func `Pages before the first row follow until the start`() async {
    let window = Book(25).window()
    await window.load()
    await window.loadBefore()
    #expect(ids(window) == Array(5..<25) && window.canLoadBefore)
    await window.loadBefore()
    #expect(ids(window) == Array(0..<25) && !window.canLoadBefore)
    await window.loadBefore()
    #expect(ids(window) == Array(0..<25) && window.openCount == 1)
  }

  @Test func `Pages after the last row follow until the end`() async {
    let window = Book(45).window(at: .around(20))
    await window.load()
    await window.loadAfter()
    #expect(ids(window) == Array(15...35) && window.canLoadAfter)
    await window.loadAfter()
    #expect(ids(window) == Array(15..<45) && !window.canLoadAfter)
  }

  @Test func `A full page at an end leaves nothing to read`() async {
    let window = Book(20).window()
    await window.load()
    await window.loadBefore()
    #expect(ids(window) == Array(0..<20) && !window.canLoadBefore)
  }

  @Test func `Nothing is read before the window is loaded`() async {
    let book = Book(45)
    let window = book.window()
    await window.loadBefore()
    await window.loadAfter()
    #expect(book.readCount == 0 && window.state == .idle)
  }

  @Test func `Too many rows are removed at the other end`() async {
    let window = Book(100).window()
    await window.load()
    for _ in 0..<3 { await window.loadBefore() }
    #expect(ids(window) == Array(60..<100) && !window.canLoadAfter)
    await window.loadBefore()
    #expect(ids(window) == Array(50..<90) && window.canLoadAfter)
    await window.loadAfter()
    #expect(ids(window) == Array(60..<100) && window.canLoadBefore && !window.canLoadAfter)
  }

  @Test func `A row that moves to an older page is shown once, in its new place`() async {
    let book = Book(30)
    let window = book.window()
    await window.load()
    book.rows[25].key = 15
    await window.loadBefore()
    #expect(ids(window) == Array(11...15) + [25] + Array(16...24) + Array(26..<30))
  }

  @Test func `Rows with the same key are all read`() async {
    let book = Book(0)
    book.rows = (0..<25).map { Row($0, key: 7) }
    let window = book.window(at: .around(12), pageSize: 4, maximumCount: 40)
    await window.load()
    for _ in 0..<6 {
      await window.loadBefore()
      await window.loadAfter()
    }
    #expect(ids(window) == Array(0..<25))
  }

  // MARK: - Failures

  @Test func `A failure of the first rows is the state, and loading retries it`() async {
    let book = Book(45)
    book.isReachable = false
    let window = book.window(at: .around(20))
    await window.load()
    #expect(window.state == .error(.unknown(underlying: Unreachable())) && window.openCount == 0)
    book.isReachable = true
    await window.load()
    #expect(ids(window) == Array(15...25) && window.openCount == 1)
  }

  @Test func `A failure of a page shows beside the rows, and the page can be retried`() async {
    let book = Book(45)
    let window = book.window(at: .around(20))
    await window.load()
    book.isReachable = false
    await window.loadBefore()
    await window.loadAfter()
    let error = AppError.unknown(underlying: Unreachable())
    #expect(window.beforeError == error && window.afterError == error)
    #expect(ids(window) == Array(15...25) && window.canLoadBefore && window.canLoadAfter)
    #expect(!window.isLoadingBefore && !window.isLoadingAfter)
    book.isReachable = true
    await window.loadBefore()
    #expect(ids(window) == Array(5...25) && window.beforeError == nil && window.afterError == error)
    await window.loadAfter()
    #expect(window.afterError == nil)
  }

  @Test func `A failed jump leaves the rows, and loading retries it`() async {
    let book = Book(45)
    let window = book.window()
    await window.load()
    book.isReachable = false
    await window.show(.around(20))
    #expect(ids(window) == Array(35..<45) && window.position == .end && window.openCount == 1)
    #expect(window.refreshError == .unknown(underlying: Unreachable()))
    book.isReachable = true
    await window.load()
    #expect(ids(window) == Array(15...25) && window.position == .around(20))
    #expect(window.refreshError == nil)
  }

  @Test func `A change that cannot be read preserves the rows, and its error shows beside them`()
    async
  {
    let book = Book(3)
    let window = book.window()
    await window.load()
    book.isReachable = false
    book.signal.yield()
    await waitUntil { window.refreshError != nil }
    #expect(ids(window) == [0, 1, 2])
    book.isReachable = true
    await window.load()
    #expect(window.refreshError == nil)
  }

  // MARK: - Concurrency

  @Test func `Concurrent calls read one page`() async {
    let book = Book(45)
    let window = book.window()
    await window.load()
    book.gate.close()
    let calls = (0..<3).map { _ in Task { await window.loadBefore() } }
    await book.gate.waitUntilHeld()
    #expect(window.isLoadingBefore)
    book.gate.open()
    for call in calls { await call.value }
    #expect(ids(window) == Array(25..<45) && !window.isLoadingBefore)
  }

  @Test func `Of several jumps during a read, the last one is shown`() async {
    let book = Book(45)
    let window = book.window()
    await window.load()
    book.gate.close()
    let first = Task { await window.show(.around(10)) }
    await book.gate.waitUntilHeld()
    let others = [20, 30].map { id in Task { await window.show(.around(id)) } }
    await Task.yield()
    book.gate.open()
    for call in [first] + others { await call.value }
    #expect(window.position == .around(30) && ids(window) == Array(25...35))
  }

  @Test func `The window is released while a page is being read`() async {
    let book = Book(45)
    weak var released: PagedWindow<Row>?
    do {
      let window = book.window()
      await window.load()
      book.gate.close()
      book.signal.yield()
      await book.gate.waitUntilHeld()
      released = window
    }
    #expect(released == nil)
    book.gate.open()
  }
}
