public import Foundation
public import Observation
public import OffshorePresentation

/// The model of the list of charters: those of a filter that match a search, page by page.
@MainActor @Observable
public final class CharterListViewModel {
  private var pages: CharterPages
  /// The latest requested list, which is shown once it is read.
  @ObservationIgnored private var requestedPages: CharterPages
  private let liveCounts: DayLive<CharterCounts>
  private let store: CharterStore

  /// The maximum number of pages in one list. Another list continues after the last charter.
  package nonisolated static let maximumPageCount = 50

  /// Creates a model. Nothing is read before ``load(pageCount:)``.
  ///
  /// - Parameters:
  ///   - filter: the filter of the charters.
  ///   - searchText: the words of a search.
  ///   - start: the charter after which the list starts; the whole list by default.
  public init(
    store: CharterStore, filter: CharterListFilter = .all, searchText: String = "",
    after start: UUID? = nil
  ) {
    self.store = store
    let pages = store.charterPages(filter, matching: searchText, after: start)
    self.pages = pages
    requestedPages = pages
    liveCounts = store.liveCounts
  }

  // MARK: - State

  /// The filter of the list.
  package var filter: CharterListFilter { pages.filter }

  /// The words of the search.
  package var searchText: String { pages.text }

  /// Whether the list is the result of a search.
  package var isSearching: Bool { !SearchText.words(of: searchText).isEmpty }

  /// The charters: upcoming ones by start date, past ones newest first. The filter `all` has the
  /// active one, those in progress, upcoming and past ones, in this order.
  public var charters: ViewState<[CharterModel]> { pages.state }

  /// Whether there are more charters.
  public var canLoadMore: Bool { pages.canLoadMore }

  /// The error of reading the next page, or `nil`. Call ``loadMore()`` to retry.
  package var pageError: AppError? { pages.pageError }

  /// Returns the number of charters of a filter, or `nil` before it is loaded.
  public func count(of filter: CharterListFilter) -> Int? {
    liveCounts.state.data?[filter.filterForCount]
  }

  /// Returns the phase of a charter today.
  package func phase(of charter: CharterModel) -> CharterPhase { store.phase(of: charter) }

  /// The errors of unreadable rows, and of failed refreshes.
  package var notices: [AppError] {
    pages.unreadable.map(\.asAppError)
      + [pages.refreshError, liveCounts.refreshError, store.remoteError].compactMap(\.self)
  }

  // MARK: - Reading

  /// Reads the charters, and observes them.
  ///
  /// - Parameter pageCount: the number of pages to read, at most ``maximumPageCount``.
  public func load(pageCount: Int = 1) async {
    async let counts: Void = liveCounts.loadIfNeeded()
    let requestedPages = requestedPages
    await requestedPages.load()
    let pageCount = min(max(pageCount, 1), Self.maximumPageCount)
    for _ in 0..<pageCount {
      guard requestedPages.canLoadMore, requestedPages.pageError == nil,
        (requestedPages.state.data?.count ?? 0) < pageCount * CharterPage.defaultSize
      else { break }
      await requestedPages.loadMore()
    }
    // Another list may have been requested meanwhile.
    if requestedPages === self.requestedPages { pages = requestedPages }
    await counts
  }

  /// Pulls from the server. Pulled charters appear in the observed list. It is read again only if
  /// an earlier read failed, and stays visible meanwhile.
  /// - Returns: `false` if the pull failed, with the reason in ``notices`` while it persists.
  @discardableResult
  package func refresh() async -> Bool {
    let hasPulled = await store.remote.pull()
    if requestedPages.state.isKnown, requestedPages.refreshError == nil {
      await liveCounts.loadIfNeeded()
    } else {
      await load()
    }
    return hasPulled
  }

  /// Shows the charters of another filter or search once they are read.
  package func show(_ filter: CharterListFilter, matching text: String) async {
    guard (filter, text) != (requestedPages.filter, requestedPages.text) else { return }
    requestedPages = store.charterPages(filter, matching: text)
    await load()
  }

  /// Reads the next page, if there is one.
  package func loadMore() async { await pages.loadMore() }

  /// Reads the next page if a charter that appears is one of the last.
  package func loadMoreIfNeeded(current charter: CharterModel) async {
    await pages.loadMoreIfNeeded(current: charter)
  }

  /// Updates the lists at the start of each day, until the task is cancelled.
  package func followDays() async { await store.today.refreshDaily() }
}

/// The charters of a list. Phases are by date only, so they include the active charter.
public enum CharterListFilter: String, CaseIterable, Sendable {
  /// All charters that are not archived: the active one, those in progress, upcoming and past ones.
  case all
  case inProgress
  case upcoming
  case past
  case archived

  /// The consecutive lists that make up the list.
  var filters: [CharterFilter] {
    switch self {
    case .all: [.inProgress, .upcoming, .past]
    case .inProgress: [.wholePhase(.inProgress)]
    case .upcoming: [.wholePhase(.upcoming)]
    case .past: [.wholePhase(.past)]
    case .archived: [.archived]
    }
  }

  /// The filter that counts the charters of this one.
  package var filterForCount: CharterFilter { self == .all ? .notArchived : filters[0] }
}
