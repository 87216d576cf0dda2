public import Observation

/// A long list that is read page by page during scrolling, each page after the last row of the one
/// before.
///
/// ```swift
/// let charters = PagedList { await repository.changes().running() } page: { last, size in
///   try await repository.charters(after: last, limit: size)
/// }
/// await charters.load()
/// charters.state  // .loaded([…]), the first 20
/// await charters.loadMoreIfNeeded(current: row)  // as each row appears
/// ```
///
/// Reads run one after the other. After each change, the same number of rows is read again and
/// replaces the visible ones at once. No row appears twice, even if it moves between pages.
@MainActor
public final class PagedList<Element: Identifiable & Sendable>: Observable {
  private typealias Page = @MainActor (_ after: Element?, _ size: Int) async throws -> [Element]

  /// The rows to read.
  private enum Read: Hashable, Sendable {
    /// The visible rows, from the first one on.
    case visibleRows
    /// The page after the visible rows.
    case nextPage
  }

  /// The state of the rows read so far.
  @Observed public private(set) var state = ViewState<[Element]>.idle
  /// Whether there are further rows.
  @Observed public private(set) var canLoadMore = false
  /// Whether the next page is being read.
  @Observed public private(set) var isLoadingMore = false
  /// The error of reading the next page, or `nil`. Call ``loadMore()`` to retry.
  @Observed public private(set) var pageError: AppError?
  /// The error of the latest refresh, if it failed. Call ``load()`` to retry.
  @Observed public private(set) var refreshError: AppError?

  private let pageSize: Int
  private let threshold: Int
  private let makeChanges: @MainActor () async -> (any AsyncSequence)?
  private let page: Page
  private var observation: Task<Void, Never>?
  private var queue = ReadQueue<Read>()

  /// Creates a list. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - pageSize: the number of rows of a page, at least 1.
  ///   - threshold: the next page is read when one of this many last rows appears.
  ///   - changes: returns a sequence whose every element and error means that rows have changed. It
  ///     is called before the first page is read. If the first element is not a change, as in a
  ///     database's sequence, pass the sequence after `running(isolation:)`; otherwise the first
  ///     page is read twice.
  ///   - page: reads at most `size` elements, from the start or after an element. One element more
  ///     than the page size is requested, to determine whether there is another page. The order
  ///     must be total, and `after` must be compared by the element's values, not by its position:
  ///     otherwise a row that is inserted or deleted meanwhile causes repeated or missing rows.
  /// - Precondition: `pageSize` is at least 1.
  public init(
    pageSize: Int = 20, threshold: Int = 5,
    changes: @escaping @MainActor () async -> (any AsyncSequence)? = { nil },
    page: @escaping @MainActor (_ after: Element?, _ size: Int) async throws -> [Element]
  ) {
    precondition(pageSize > 0, "A page needs at least one row. Pass a `pageSize` of 1 or more.")
    self.pageSize = pageSize
    self.threshold = threshold
    makeChanges = changes
    self.page = page
  }

  deinit {
    observation?.cancel()
    queue.cancelAll()
  }

  // MARK: - Requests

  /// Reads the first page, or all pages that were read before.
  ///
  /// A call during another one waits for it.
  public func load() async {
    await (queue.unfinished(.visibleRows) ?? read(.visibleRows)).value
  }

  /// Reads the visible rows again. A read that is running already may not contain the latest
  /// change, so another one follows it.
  public func refresh() async { await read(.visibleRows).value }

  /// Reads the next page if a row that appears is one of the last.
  ///
  /// After a failed page this does nothing: only ``loadMore()`` retries.
  public func loadMoreIfNeeded(current: Element) async {
    guard pageError == nil, let rows = state.data,
      rows.suffix(threshold).contains(where: { $0.id == current.id })
    else { return }
    await loadMore()
  }

  /// Reads the next page, if there is one.
  ///
  /// A call during another one waits for it.
  public func loadMore() async {
    guard canLoadMore else { return }
    await (queue.unfinished(.nextPage) ?? read(.nextPage)).value
  }

  private func observe(_ changes: some AsyncSequence) {
    observation = Task { [weak self] in
      // NB: A running read may have started before the change, so another one is needed.
      await changes.forEachResult { _ in _ = self?.read(.visibleRows) }
    }
  }

  // MARK: - Reading

  private func read(_ read: Read) -> Task<Void, Never> {
    queue.add(read) { previous in
      Task { [weak self, makeChanges, page] in
        await previous?.value
        // NB: A running read does not retain the list.
        guard let (last, size) = self?.begin(read) else { return }
        // NB: Changes are observed before the first page is read, so none is missed.
        if self?.observation == nil, let changes = await makeChanges() { self?.observe(changes) }
        do {
          let elements = try await page(last, size + 1)
          self?.end(read, elements, size)
        } catch {
          self?.end(read, error.asAppError)
        }
      }
    }
  }

  /// Returns the element to read after and the number of elements, or `nil` if there is nothing to
  /// read.
  private func begin(_ read: Read) -> (after: Element?, size: Int)? {
    queue.begin(read)
    switch read {
    case .visibleRows:
      if !state.isKnown { state = .loading }
      return (nil, max(pageSize, state.data?.count ?? 0))
    case .nextPage:
      guard canLoadMore, let last = state.data?.last else {
        queue.end()
        return nil
      }
      isLoadingMore = true
      pageError = nil
      return (last, pageSize)
    }
  }

  private func end(_ read: Read, _ elements: [Element], _ size: Int) {
    queue.end()
    let page = elements.prefix(size)
    switch read {
    case .visibleRows:
      state = ViewState(page.withoutRepetitions)
      (refreshError, pageError) = (nil, nil)
    case .nextPage:
      state = ViewState((state.data ?? []).appending(page))
      isLoadingMore = false
    }
    canLoadMore = elements.count > size
  }

  private func end(_ read: Read, _ error: AppError) {
    queue.end()
    switch (read, state.isKnown) {
    case (.visibleRows, true): refreshError = error
    case (.visibleRows, false): state = .error(error)
    case (.nextPage, _):
      pageError = error
      isLoadingMore = false
    }
  }
}
