import Foundation
import Observation
import OffshoreCalendar
import OffshorePresentation

/// The charters of a filter that match a search, read page by page and followed.
@MainActor @Observable
final class CharterPages {
  let filter: CharterListFilter
  let text: String
  /// The errors of the rows that are left out of what is shown.
  private(set) var unreadable: [RepositoryError] = []

  @ObservationIgnored private lazy var list = makeList()
  @ObservationIgnored private var following: Task<Void, Never>?
  private let repository: any CharterRepository
  private let today: Today
  /// The charter after which the list begins, or `nil` for all of it.
  private let start: UUID?

  /// Makes a list.
  /// - Parameter start: the charter after which it begins; all of the list if that is not there any more.
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

  /// What there is to show. A list whose rows cannot be read is not empty.
  var state: ViewState<[CharterModel]> {
    list.state.isEmpty && !unreadable.isEmpty ? .loaded([]) : list.state
  }

  /// Whether there are charters after those that are shown.
  var canLoadMore: Bool { list.canLoadMore }

  /// Why the next page could not be read, where it could not.
  var pageError: AppError? { list.pageError }

  /// Why the charters shown may be out of date, where they may.
  var refreshError: AppError? { list.refreshError }

  /// Reads the first page, or all pages that are shown, and follows them.
  func load() async {
    today.refresh()
    following = following ?? today.onChange { [weak list] in await list?.refresh() }
    await list.load()
  }

  /// Reads the next page when a charter that appears is one of the last.
  func loadMoreIfNeeded(current charter: CharterModel) async {
    await list.loadMoreIfNeeded(current: charter)
  }

  /// Reads the next page, where there is one.
  func loadMore() async { await list.loadMore() }

  private func makeList() -> PagedList<CharterModel> {
    PagedList(pageSize: CharterPage.defaultSize) { [repository] in
      await repository.charterChanges().begun()
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
    // One that lies between two pages is found by both.
    let known = isFirst ? [] : unreadable
    unreadable = known + page.unreadable.filter { !known.contains($0) }
    return page.charters
  }

  /// The lists that are left after a charter, the first of which goes on after it.
  private func parts(after last: CharterModel?, on day: CalendarDay) -> [CharterListPart] {
    let filters = filter.filters
    let lists = filters.map { CharterListPart.list($0) }
    guard let last else { return filter == .all ? [.active] + lists : lists }
    guard filters.count > 1 else { return filters.map { .list($0, after: last) } }
    // The active one stands before all lists.
    guard !last.isActive else { return lists }
    let phase = CharterFilter.phase(last.phase(on: day))
    return filters.drop { $0 != phase }.map { .list($0, after: $0 == phase ? last : nil) }
  }
}
