import Observation
import OffshorePresentation
import Testing

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var key: Int
  init(_ id: Int, key: Int? = nil) { (self.id, self.key) = (id, key ?? id) }
}

private struct Unreachable: Error {}

/// Rows by key, read page by page as a query with keyset and limit would.
@MainActor
private final class Book {
  struct Request: Equatable {
    var after: Int?
    var size: Int
  }
  var rows: [Row]
  var isReachable = true
  let gate = Gate()
  private(set) var requests: [Request] = []
  let (changes, signal) = AsyncStream.makeStream(of: Void.self)

  init(_ count: Int) { rows = (0..<count).map { Row($0) } }

  func page(_ after: Row?, _ size: Int) async throws -> [Row] {
    requests.append(Request(after: after?.key, size: size))
    let isReachable = isReachable
    let sorted = rows.sorted { $0.key < $1.key }
    await gate.pass()
    guard isReachable else { throw Unreachable() }
    return Array(sorted.filter { row in after.map { row.key > $0.key } ?? true }.prefix(size))
  }

  func list(pageSize: Int = 20, threshold: Int = 5) -> PagedList<Row> {
    PagedList(pageSize: pageSize, threshold: threshold) { [changes] in
      changes
    } page: { [self] in
      try await page($0, $1)
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct PagedListTests {
  private func ids(_ list: PagedList<Row>) -> [Int] { list.state.data?.map(\.id) ?? [] }

  // MARK: - Pages

  @Test func `The first page is read, and whether there are more`() async {
    let list = Book(45).list()
    #expect(list.state == .idle)
    await list.load()
    #expect(ids(list) == Array(0..<20))
    #expect(list.canLoadMore)
  }

  @Test func `Pages follow each other by key until there are no more`() async {
    let book = Book(45)
    let list = book.list()
    await list.load()
    await list.loadMore()
    #expect(ids(list) == Array(0..<40))
    await list.loadMore()
    #expect(ids(list) == Array(0..<45))
    #expect(!list.canLoadMore)
    await list.loadMore()
    #expect(book.requests.map(\.after) == [nil, 19, 39])
  }

  @Test func `A last page that is full leaves nothing to read`() async {
    let list = Book(40).list()
    await list.load()
    #expect(list.canLoadMore)
    await list.loadMore()
    #expect(!list.canLoadMore)
    #expect(ids(list).count == 40)
  }

  @Test func `Nothing to read is empty`() async {
    let list = Book(0).list()
    await list.load()
    #expect(list.state == .empty)
    #expect(!list.canLoadMore)
  }

  @Test func `The next page is read when one of the last five rows appears`() async {
    let book = Book(45)
    let list = book.list()
    await list.load()
    await list.loadMoreIfNeeded(current: book.rows[14])
    #expect(ids(list).count == 20)
    await list.loadMoreIfNeeded(current: Row(99))
    #expect(ids(list).count == 20)
    await list.loadMoreIfNeeded(current: book.rows[15])
    #expect(ids(list).count == 40)
  }

  @Test func `Nothing is read before the list is loaded`() async {
    let book = Book(45)
    let list = book.list()
    await list.loadMore()
    await list.loadMoreIfNeeded(current: book.rows[0])
    #expect(book.requests.isEmpty)
    #expect(list.state == .idle)
  }

  // MARK: - At the same time

  @Test func `Calls at the same time read one page`() async {
    let book = Book(45)
    let list = book.list()
    await list.load()
    book.gate.isClosed = true
    let calls = (0..<5).map { _ in Task { await list.loadMore() } }
    await book.gate.untilHeld()
    #expect(list.isLoadingMore)
    let late = Task { await list.loadMoreIfNeeded(current: book.rows[19]) }
    await Task.yield()
    book.gate.open()
    for call in calls + [late] { await call.value }
    #expect(book.requests.map(\.after) == [nil, 19])
    #expect(ids(list) == Array(0..<40))
    #expect(!list.isLoadingMore)
  }

  @Test func `Loads at the same time read once and return with the rows`() async {
    let book = Book(3)
    let list = book.list()
    book.gate.isClosed = true
    let first = Task { await list.load() }
    await book.gate.untilHeld()
    #expect(list.state == .loading)
    let second = Task {
      await list.load()
      return list.state.data?.count
    }
    await Task.yield()
    book.gate.open()
    #expect(await second.value == 3)
    await first.value
    #expect(book.requests.count == 1)
  }

  @Test func `A change while a page is on its way is read after it`() async {
    let book = Book(45)
    let list = book.list()
    await list.load()
    book.gate.isClosed = true
    let more = Task { await list.loadMore() }
    await book.gate.untilHeld()
    book.rows.removeFirst()
    book.signal.yield()
    await Task.yield()
    book.gate.open()
    await more.value
    await until { list.state.data?.first?.id == 1 }
    #expect(ids(list) == Array(1..<41))
    #expect(book.requests.map(\.size) == [21, 21, 41])
  }

  @Test func `A change while rows are read is read once more`() async {
    let book = Book(3)
    let list = book.list()
    book.gate.isClosed = true
    let load = Task { await list.load() }
    await book.gate.untilHeld()
    book.rows.append(Row(3))
    for _ in 0..<5 { book.signal.yield() }
    while book.requests.isEmpty { await Task.yield() }
    for _ in 0..<20 { await Task.yield() }
    book.gate.open()
    await load.value
    await until { list.state.data?.count == 4 }
    #expect(book.requests.count == 2)
  }

  // MARK: - Changes

  @Test func `At a change as many rows as before are read again, in their place at once`() async {
    let book = Book(45)
    let list = book.list()
    await list.load()
    await list.loadMore()
    var shown: [Int] = []
    let watching = Task {
      for await count in Observations({ list.state.data?.count ?? 0 }) {
        shown.append(count)
        if list.state.data?.first?.id == 100 { return }
      }
    }
    book.rows.insert(Row(100, key: -1), at: 0)
    book.signal.yield()
    await watching.value
    #expect(ids(list) == [100] + Array(0..<39))
    #expect(shown.allSatisfy { $0 == 40 })
    #expect(list.canLoadMore)
    await list.loadMore()
    #expect(ids(list) == [100] + Array(0..<45))
    #expect(!list.canLoadMore)
  }

  @Test func `A list that was empty shows what comes`() async {
    let book = Book(0)
    let list = book.list()
    await list.load()
    book.rows = [Row(1)]
    book.signal.yield()
    await until { list.state.data != nil }
    #expect(ids(list) == [1])
  }

  @Test func `A row that moves to a later page is shown once, where it is now`() async {
    let book = Book(30)
    let list = book.list()
    await list.load()
    book.rows[3].key = 100
    await list.loadMore()
    #expect(ids(list) == [0, 1, 2] + Array(4..<30) + [3])
  }

  @Test func `A page of rows that moved alone does not end the list`() async {
    let book = Book(6)
    let list = book.list(pageSize: 2, threshold: 1)
    await list.load()
    book.rows = [Row(0, key: 11), Row(1, key: 12), Row(2, key: 13)]
    await list.loadMore()
    #expect(ids(list) == [0, 1])
    #expect(list.canLoadMore)
    await list.loadMore()
    #expect(ids(list) == [0, 1, 2])
  }

  // MARK: - Failures

  @Test func `A first page that fails is the state, and loading tries again`() async {
    let book = Book(3)
    book.isReachable = false
    let list = book.list()
    await list.load()
    #expect(list.state == .error(.unknown(underlying: Unreachable())))
    book.isReachable = true
    await list.load()
    #expect(ids(list) == [0, 1, 2])
  }

  @Test func `A later page that fails shows beside the rows, and is read when asked for`() async {
    let book = Book(45)
    let list = book.list()
    await list.load()
    book.isReachable = false
    await list.loadMore()
    #expect(list.pageError == .unknown(underlying: Unreachable()))
    #expect(ids(list) == Array(0..<20))
    #expect(!list.isLoadingMore)
    #expect(list.canLoadMore)
    book.isReachable = true
    await list.loadMoreIfNeeded(current: book.rows[19])
    #expect(book.requests.count == 2)
    await list.loadMore()
    #expect(list.pageError == nil)
    #expect(ids(list) == Array(0..<40))
  }

  @Test func `A change that cannot be read keeps the rows and shows beside them`() async {
    let book = Book(3)
    let list = book.list()
    await list.load()
    book.isReachable = false
    book.signal.yield()
    await until { list.refreshError != nil }
    #expect(ids(list) == [0, 1, 2])
    book.isReachable = true
    await list.load()
    #expect(list.refreshError == nil)
  }

  // MARK: - Release

  @Test func `It is released while it follows changes`() async {
    let book = Book(3)
    weak var released: PagedList<Row>?
    do {
      let list = book.list()
      await list.load()
      released = list
    }
    #expect(released == nil)
  }

  @Test func `It is released while a page is on its way`() async {
    let book = Book(45)
    weak var released: PagedList<Row>?
    do {
      let list = book.list()
      await list.load()
      book.gate.isClosed = true
      book.signal.yield()
      await book.gate.untilHeld()
      released = list
    }
    #expect(released == nil)
    book.gate.open()
  }
}
