import Foundation
import Observation
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

  /// Takes what to read.
  init(
    _ filter: CharterListFilter, matching text: String, from repository: any CharterRepository,
    today: Today
  ) {
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
      repository.charterChanges()
    } page: { [weak self] last, size in
      try await self?.page(after: last, size) ?? []
    }
  }

  // MARK: - Reading

  private func page(after last: CharterModel?, _ size: Int) async throws -> [CharterModel] {
    let day = today.day
    var page = CharterPage()
    if last == nil { try await addActive(to: &page) }
    for (filter, last) in parts(after: last, on: day) where page.charters.count < size {
      let part = try await repository.fetchCharters(
        filter, on: day, matching: text, after: last, limit: size - page.charters.count)
      page.charters += part.charters
      page.unreadable += part.unreadable
    }
    // One that lies between two pages is found by both.
    let known = last == nil ? [] : unreadable
    unreadable = known + page.unreadable.filter { !known.contains($0) }
    return page.charters
  }

  /// The lists that are left after a charter, and after which charter the first of them goes on.
  private func parts(
    after last: CharterModel?, on day: CalendarDay
  ) -> [(CharterFilter, after: CharterModel?)] {
    let filters = filter.filters
    guard let last else { return filters.map { ($0, nil) } }
    guard filters.count > 1 else { return filters.map { ($0, last) } }
    // The active one stands before all lists.
    guard !last.isActive else { return filters.map { ($0, nil) } }
    let phase = CharterFilter.phase(last.phase(on: day))
    return filters.drop { $0 != phase }.map { ($0, $0 == phase ? last : nil) }
  }

  /// Adds the active charter, which is in the list of no phase, where the filter has it.
  private func addActive(to page: inout CharterPage) async throws {
    guard filter == .all else { return }
    do {
      guard let active = try await repository.fetchActiveCharter(), active.matches(text) else {
        return
      }
      page.charters.append(active)
    } catch let error as RepositoryError {
      guard case .serializationFailed = error.kind else { throw error }
      page.unreadable.append(error)
    }
  }
}

extension CharterModel {
  /// Whether a search for a text finds the charter.
  fileprivate func matches(_ text: String) -> Bool {
    let found = searchText
    return SearchText.words(of: text).allSatisfy { found.contains($0) }
  }
}
