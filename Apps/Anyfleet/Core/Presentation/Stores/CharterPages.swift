import Foundation
import Observation
import OffshoreCalendar
import OffshorePresentation

/// The charters of a filter that match a search, read page by page and observed.
@MainActor @Observable
final class CharterPages {
  let filter: CharterListFilter
  let text: String
  /// The errors of unreadable rows.
  private(set) var unreadable: [RepositoryError] = []

  @ObservationIgnored private lazy var list = makeList()
  @ObservationIgnored private var following: Task<Void, Never>?
  private let repository: any CharterRepository
  private let today: Today
  /// The charter after which the list starts, or `nil` for the whole list.
  private let start: UUID?

  /// Creates a list.
  /// - Parameter start: the charter after which the list starts. If it does not exist any more, the
  ///   whole list is read.
  init(
    _ filter: CharterListFilter, matching text: String, after start: UUID? = nil,
    from repository: any CharterRepository, today: Today
  ) {
    self.start = start
    self.filter = filter
    self.text = text
    self.repository = repository
    self.today = today
  }

  deinit { following?.cancel() }

  /// The state of the list. A list with unreadable rows only does not count as empty.
  var state: ViewState<[CharterModel]> {
    list.state.isEmpty && !unreadable.isEmpty ? .loaded([]) : list.state
  }

  /// Whether there are charters after those that were read.
  var canLoadMore: Bool { list.canLoadMore }

  /// The error of reading the next page, or `nil`.
  var pageError: AppError? { list.pageError }

  /// The error of the latest refresh, if it failed. The charters may then be out of date.
  var refreshError: AppError? { list.refreshError }

  /// Reads the first page, or all pages that were read before, and observes them.
  func load() async {
    today.refresh()
    following = following ?? today.onChange { [weak list] in await list?.refresh() }
    await list.load()
  }

  /// Reads the next page if a charter that appears is one of the last.
  func loadMoreIfNeeded(current charter: CharterModel) async {
    await list.loadMoreIfNeeded(current: charter)
  }

  /// Reads the next page, if there is one.
  func loadMore() async { await list.loadMore() }

  private func makeList() -> PagedList<CharterModel> {
    PagedList(pageSize: CharterPage.defaultSize) { [repository] in
      await repository.charterChanges().running()
    } page: { [weak self] last, size in
      try await self?.page(after: last, size) ?? []
    }
  }

  // MARK: - Reading

  private func page(after last: CharterModel?, _ size: Int) async throws -> [CharterModel] {
    let day = today.day
    let isFirst = last == nil
    var last = last
    if last == nil, let start { last = try await repository.fetchCharter(id: start) }
    let page = try await repository.fetchCharters(
      parts(after: last, on: day), on: day, matching: text, limit: size)
    // An unreadable row between two pages is reported by both.
    let known = isFirst ? [] : unreadable
    unreadable = known + page.unreadable.filter { !known.contains($0) }
    return page.charters
  }

  /// Returns the lists that remain after a charter. The first one continues after it.
  private func parts(after last: CharterModel?, on day: CalendarDay) -> [CharterListPart] {
    let filters = filter.filters
    let lists = filters.map { CharterListPart.list($0) }
    guard let last else { return filter == .all ? [.active] + lists : lists }
    guard filters.count > 1 else { return filters.map { .list($0, after: last) } }
    // The active charter precedes all lists.
    guard !last.isActive else { return lists }
    let phase = CharterFilter.phase(last.phase(on: day))
    return filters.drop { $0 != phase }.map { .list($0, after: $0 == phase ? last : nil) }
  }
}
