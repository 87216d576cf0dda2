public import Foundation
public import Observation
public import OffshorePresentation

/// The list of charters: those of a filter that a search finds, page by page.
@MainActor @Observable
public final class CharterListViewModel {
  private var pages: CharterPages
  /// What was asked for last, which shows once it is read.
  @ObservationIgnored private var wanted: CharterPages
  private let liveCounts: DayLive<CharterCounts>
  private let store: CharterStore

  /// The most pages that show at once. The list goes on after their last charter.
  public nonisolated static let maximumPageCount = 50

  /// Takes the store. Nothing is read before ``load(pageCount:)``.
  ///
  /// - Parameters:
  ///   - filter: which charters to show.
  ///   - searchText: words that all of them have.
  ///   - start: the charter after which the list begins; all of it unless stated.
  public init(
    store: CharterStore, filter: CharterListFilter = .all, searchText: String = "",
    after start: UUID? = nil
  ) {
    self.store = store
    let pages = store.charterPages(filter, matching: searchText, after: start)
    self.pages = pages
    wanted = pages
    liveCounts = store.liveCounts
  }

  // MARK: - What there is

  /// Which charters show.
  public var filter: CharterListFilter { pages.filter }

  /// The words that all charters shown have.
  public var searchText: String { pages.text }

  /// Whether the charters shown are those that a search found.
  public var isSearching: Bool { !SearchText.words(of: searchText).isEmpty }

  /// The charters that show: those to come by their start, past ones newest first, and where all
  /// show, the active one, those in progress, those to come, and past ones in this order.
  public var charters: ViewState<[CharterModel]> { pages.state }

  /// Whether there are more than show.
  public var canLoadMore: Bool { pages.canLoadMore }

  /// Why more could not be read, where that failed; ``loadMore()`` tries again.
  public var pageError: AppError? { pages.pageError }

  /// How many charters a filter has; none while that is not known.
  public func count(of filter: CharterListFilter) -> Int? {
    liveCounts.state.data?[filter.counted]
  }

  /// Where a charter lies in time, today.
  public func phase(of charter: CharterModel) -> CharterPhase { store.phase(of: charter) }

  /// Which charters are left out because they cannot be read, and why the rest may be out of date.
  public var notices: [AppError] {
    pages.unreadable.map(\.asAppError)
      + [pages.refreshError, liveCounts.refreshError, store.remoteError].compactMap(\.self)
  }

  // MARK: - Reading

  /// Reads the charters, and follows them.
  ///
  /// - Parameter pageCount: how many pages show at the least, where there are so many.
  public func load(pageCount: Int = 1) async {
    async let counts: Void = liveCounts.loadIfNeeded()
    let wanted = wanted
    await wanted.load()
    let pageCount = min(max(pageCount, 1), Self.maximumPageCount)
    for _ in 0..<pageCount {
      guard wanted.canLoadMore, wanted.pageError == nil,
        (wanted.state.data?.count ?? 0) < pageCount * CharterPage.defaultSize
      else { break }
      await wanted.loadMore()
    }
    // What was asked for meanwhile is newer.
    if wanted === self.wanted { pages = wanted }
    await counts
  }

  /// Pulls from the server. The open list follows the pulled charters; it is read again only if an earlier
  /// read failed, and stays on screen meanwhile.
  /// - Returns: whether the server could be asked, where there is one; if not, ``notices`` say why
  ///   unless that was given up, or has passed.
  @discardableResult
  public func refresh() async -> Bool {
    let hasAsked = await store.takeRemote()
    if wanted.state.isKnown, wanted.refreshError == nil {
      await liveCounts.loadIfNeeded()
    } else {
      await load()
    }
    return hasAsked
  }

  /// Shows the charters of another filter or search, once they are read.
  public func show(_ filter: CharterListFilter, matching text: String) async {
    guard (filter, text) != (wanted.filter, wanted.text) else { return }
    wanted = store.charterPages(filter, matching: text)
    await load()
  }

  /// Shows the next page, where there is one.
  public func loadMore() async { await pages.loadMore() }

  /// Shows the next page when a charter that appears is one of the last.
  public func loadMoreIfNeeded(current charter: CharterModel) async {
    await pages.loadMoreIfNeeded(current: charter)
  }

  /// Begins each new day with the lists of that day, until the task is cancelled.
  public func followDays() async { await store.today.follow() }
}

/// The charters that a list shows, by date alone: the active charter is in the list of its date, too.
public enum CharterListFilter: String, CaseIterable, Sendable {
  /// All that are not archived: the active one, those in progress, those to come, and past ones.
  case all
  case inProgress
  case upcoming
  case past
  case archived

  /// The lists that follow each other in it.
  var filters: [CharterFilter] {
    switch self {
    case .all: [.inProgress, .upcoming, .past]
    case .inProgress: [.dated(.inProgress)]
    case .upcoming: [.dated(.upcoming)]
    case .past: [.dated(.past)]
    case .archived: [.archived]
    }
  }

  /// The filter whose number of charters is that of this one.
  public var counted: CharterFilter { self == .all ? .notArchived : filters[0] }
}
