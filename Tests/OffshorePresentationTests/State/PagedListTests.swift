import Observation
import OffshorePresentation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct PagedListTests {
  private func ids(_ list: PagedList<Row>) -> [Int] { list.state.data?.map(\.id) ?? [] }

  // MARK: - Pages

  @Test func `The first page is read, and whether more rows exist`() async {
    let list = Book(45).list()
    #expect(list.state == .idle)
    await list.load()
    #expect(ids(list) == Array(0..<20))
    #expect(list.canLoadMore)
  }

  @Test func `Pages follow each other by key until the end`() async {
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

  @Test func `A full last page leaves nothing to read`() async {
    let list = Book(40).list()
    await list.load()
    #expect(list.canLoadMore)
    await list.loadMore()
    #expect(!list.canLoadMore)
    #expect(ids(list).count == 40)
  }

  @Test func `A list without rows is empty`() async {
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

  @Test func `Page size and threshold can be chosen`() async {
    let book = Book(10)
    let list = book.list(pageSize: 4, threshold: 1)
    await list.load()
    await list.loadMoreIfNeeded(current: book.rows[2])
    #expect(ids(list).count == 4)
    await list.loadMoreIfNeeded(current: book.rows[3])
    #expect(ids(list).count == 8)
  }

  @Test func `A page size of zero is a programming error`() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run { _ = PagedList<Row>(pageSize: 0) { _, _ in [] } }
    }
  }

  @Test func `A list that observes no changes is read again by loading, as far as before`() async {
    let book = Book(45)
    let list = PagedList { try await book.page($0, $1) }
    await list.load()
    await list.loadMore()
    book.rows.removeFirst(3)
    await list.load()
    #expect(ids(list) == Array(3..<43))
    #expect(book.requests.map(\.size) == [21, 21, 41])
  }

  // MARK: - Changes

  @Test func `After a change as many rows as before are read again and replaced at once`() async {
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

  @Test func `A list that lost most of its rows shows the remaining ones`() async {
    let book = Book(45)
    let list = book.list()
    await list.load()
    await list.loadMore()
    book.rows.removeLast(40)
    book.signal.yield()
    await waitUntil { list.state.data?.count == 5 }
    #expect(!list.canLoadMore)
    book.rows.removeAll()
    book.signal.yield()
    await waitUntil { list.state.isEmpty }
  }

  @Test func `A list that was empty shows new rows`() async {
    let book = Book(0)
    let list = book.list()
    await list.load()
    book.rows = [Row(1)]
    book.signal.yield()
    await waitUntil { list.state.data != nil }
    #expect(ids(list) == [1])
  }

  @Test func `A row that moves to a later page is shown once, in its new place`() async {
    let book = Book(30)
    let list = book.list()
    await list.load()
    book.rows[3].key = 100
    await list.loadMore()
    #expect(ids(list) == [0, 1, 2] + Array(4..<30) + [3])
  }

  @Test func `A page that has only moved rows does not end the list`() async {
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

  @Test func `A failure of the first page is the state, and loading retries it`() async {
    let book = Book(3)
    book.isReachable = false
    let list = book.list()
    await list.load()
    #expect(list.state == .error(.unknown(underlying: Unreachable())))
    book.isReachable = true
    await list.load()
    #expect(ids(list) == [0, 1, 2])
  }

  @Test func `A failure of a later page shows beside the rows, and the page can be retried`() async
  {
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

  @Test func `A change that cannot be read preserves the rows, and its error shows beside them`()
    async
  {
    let book = Book(3)
    let list = book.list()
    await list.load()
    book.isReachable = false
    book.signal.yield()
    await waitUntil { list.refreshError != nil }
    #expect(ids(list) == [0, 1, 2])
    book.isReachable = true
    await list.load()
    #expect(list.refreshError == nil)
  }

  // MARK: - Release

  @Test func `The list is released while it observes changes`() async {
    let book = Book(3)
    weak var released: PagedList<Row>?
    do {
      let list = book.list()
      await list.load()
      released = list
    }
    #expect(released == nil)
  }

  @Test func `The list is released while a page is being read`() async {
    let book = Book(45)
    weak var released: PagedList<Row>?
    do {
      let list = book.list()
      await list.load()
      book.gate.close()
      book.signal.yield()
      await book.gate.waitUntilHeld()
      released = list
    }
    #expect(released == nil)
    book.gate.open()
  }
}
