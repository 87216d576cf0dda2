import OffshorePresentation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct PagedListConcurrencyTests {
  private func ids(_ list: PagedList<Row>) -> [Int] { list.state.data?.map(\.id) ?? [] }

  @Test func `Concurrent calls read one page`() async {
    let book = Book(45)
    let list = book.list()
    await list.load()
    book.gate.close()
    let calls = (0..<5).map { _ in Task { await list.loadMore() } }
    await book.gate.waitUntilHeld()
    #expect(list.isLoadingMore)
    let late = Task { await list.loadMoreIfNeeded(current: book.rows[19]) }
    await Task.yield()
    book.gate.open()
    for call in calls + [late] { await call.value }
    #expect(book.requests.map(\.after) == [nil, 19])
    #expect(ids(list) == Array(0..<40))
    #expect(!list.isLoadingMore)
  }

  @Test func `Concurrent loads read once and return with the rows`() async {
    let book = Book(3)
    let list = book.list()
    book.gate.close()
    let first = Task { await list.load() }
    await book.gate.waitUntilHeld()
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

  @Test func `A refresh reads again, after a read that began before`() async {
    let book = Book(3)
    let list = book.list()
    book.gate.close()
    let first = Task { await list.load() }
    await book.gate.waitUntilHeld()
    book.rows.append(Row(3))
    let refresh = Task {
      await list.refresh()
      return list.state.data?.count
    }
    await Task.yield()
    book.gate.open()
    #expect(await refresh.value == 4)
    await first.value
  }

  @Test func `A change during the reading of a page is read after it`() async {
    let book = Book(45)
    let list = book.list()
    await list.load()
    book.gate.close()
    let more = Task { await list.loadMore() }
    await book.gate.waitUntilHeld()
    book.rows.removeFirst()
    book.signal.yield()
    await Task.yield()
    book.gate.open()
    await more.value
    await waitUntil { list.state.data?.first?.id == 1 }
    #expect(ids(list) == Array(1..<41))
    #expect(book.requests.map(\.size) == [21, 21, 41])
  }

  @Test func `A change during a read causes one more read`() async {
    let book = Book(3)
    let list = book.list()
    book.gate.close()
    let load = Task { await list.load() }
    await book.gate.waitUntilHeld()
    book.rows.append(Row(3))
    for _ in 0..<5 { book.signal.yield() }
    while book.receivedCount < 5 { await Task.yield() }
    book.gate.open()
    await load.value
    await waitUntil { list.state.data?.count == 4 }
    #expect(book.requests.count == 2)
  }
}
