public import Observation

/// A long list that is read page by page as somebody scrolls, each page after the last row before.
///
/// ```swift
/// let charters = PagedList { await repository.changes().begun() } page: { last, size in
///   try await repository.charters(after: last, limit: size)
/// }
/// await charters.load()
/// charters.state  // .loaded([…]), the first 20
/// await charters.loadMoreIfNeeded(current: row)  // as each row appears
/// ```
///
/// Reads come one after the other. At each change the rows shown are read again, as many as there
/// were, and take their place at once. No row is shown twice, even where one moves between pages.
@MainActor
public final class PagedList<Element: Identifiable & Sendable>: Observable {
  /// Reads at most as many elements as asked for, from the first on or after an element.
  ///
  /// The order has to be total, and “after” by the element's values rather than by its position, so
  /// that what comes and goes meanwhile neither repeats nor hides a row.
  public typealias Page = @MainActor (_ after: Element?, _ size: Int) async throws -> [Element]

  /// What there is to show.
  @Observed public private(set) var state = ViewState<[Element]>.idle
  /// Whether there are rows after those that are shown.
  @Observed public private(set) var canLoadMore = false
  /// Whether the next page is on its way.
  @Observed public private(set) var isLoadingMore = false
  /// Why the next page could not be read, where it could not; ``loadMore()`` tries again.
  @Observed public private(set) var pageError: AppError?
  /// Why the rows shown may be out of date, where they may; ``load()`` tries again.
  @Observed public private(set) var refreshError: AppError?

  private let pageSize: Int
  private let threshold: Int
  private let makeChanges: @MainActor () async -> (any AsyncSequence)?
  private let page: Page
  private var following: Task<Void, Never>?
  private var queue = ReadQueue()

  /// Takes how to read.
  ///
  /// - Parameters:
  ///   - pageSize: how many rows a page has, 1 or more.
  ///   - threshold: the next page is read when one of so many last rows appears.
  ///   - changes: makes a sequence whose every element, whatever it is, and every error says that
  ///     rows have changed; asked for before the first page is read. One that says so of its first
  ///     element, as a database's, lets that page be read twice, unless it has begun; see
  ///     ``begun(isolation:)``.
  ///   - page: reads a page. It is asked for one element more than the page has, to know whether
  ///     there is another page.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    pageSize: Int = 20, threshold: Int = 5,
    changes: @escaping @MainActor () async -> (any AsyncSequence)? = { nil }, page: @escaping Page
  ) {
    precondition(pageSize > 0, "A page needs at least one row. Pass a `pageSize` of 1 or more.")
    self.pageSize = pageSize
    self.threshold = threshold
    makeChanges = changes
    self.page = page
  }

  deinit {
    following?.cancel()
    queue.cancelAll()
  }

  // MARK: - Asking

  /// Reads the first page, or all pages that are shown where there are some.
  ///
  /// A call while that is under way waits for it.
  public func load() async {
    await (queue.underWay(.top) ?? read(.top)).value
  }

  /// Reads what is shown again, by a read that begins from now on: what is under way may be of before.
  public func refresh() async { await read(.top).value }

  /// Reads the next page when a row that appears is one of the last.
  ///
  /// After a page that failed nothing is read by itself: somebody has to ask by ``loadMore()``.
  public func loadMoreIfNeeded(current: Element) async {
    guard pageError == nil, let rows = state.data,
      rows.suffix(threshold).contains(where: { $0.id == current.id })
    else { return }
    await loadMore()
  }

  /// Reads the next page, where there is one.
  ///
  /// A call while that is under way waits for it.
  public func loadMore() async {
    guard canLoadMore else { return }
    await (queue.underWay(.more) ?? read(.more)).value
  }

  private func follow(_ changes: some AsyncSequence) {
    following = Task { [weak self] in
      // NB: A read that is under way may have begun before the change, so there has to be another.
      await changes.follow { _ in _ = self?.read(.top) }
    }
  }

  // MARK: - Reading

  private func read(_ read: ReadQueue.Read) -> Task<Void, Never> {
    queue.add(read) { previous in
      Task { [weak self, makeChanges, page] in
        await previous?.value
        // NB: Nobody is kept alive by a page that is on its way.
        guard let (last, size) = self?.begin(read) else { return }
        // NB: What changes while the first page is read is told, so no page has to be read twice.
        if self?.following == nil, let changes = await makeChanges() { self?.follow(changes) }
        do {
          let elements = try await page(last, size + 1)
          self?.end(read, elements, size)
        } catch {
          self?.end(read, error.asAppError)
        }
      }
    }
  }

  /// After which element to read and how many, or `nil` where there is nothing to read any more.
  private func begin(_ read: ReadQueue.Read) -> (after: Element?, size: Int)? {
    queue.begin(read)
    switch read {
    case .top:
      if !state.isKnown { state = .loading }
      return (nil, max(pageSize, state.data?.count ?? 0))
    case .more:
      guard canLoadMore, let last = state.data?.last else {
        queue.end()
        return nil
      }
      isLoadingMore = true
      pageError = nil
      return (last, pageSize)
    }
  }

  private func end(_ read: ReadQueue.Read, _ elements: [Element], _ size: Int) {
    queue.end()
    let page = elements.prefix(size)
    switch read {
    case .top:
      state = ViewState(Self.rows([], page))
      (refreshError, pageError) = (nil, nil)
    case .more:
      state = ViewState(Self.rows(state.data ?? [], page))
      isLoadingMore = false
    }
    canLoadMore = elements.count > size
  }

  private func end(_ read: ReadQueue.Read, _ error: AppError) {
    queue.end()
    switch (read, state.isKnown) {
    case (.top, true): refreshError = error
    case (.top, false): state = .error(error)
    case (.more, _):
      pageError = error
      isLoadingMore = false
    }
  }

  /// Rows with those of a page after them. A row that is in both has moved to where the page has it.
  private static func rows(_ rows: [Element], _ page: some Sequence<Element>) -> [Element] {
    var seen: Set<Element.ID> = []
    let page = page.filter { seen.insert($0.id).inserted }
    return rows.filter { !seen.contains($0.id) } + page
  }
}
