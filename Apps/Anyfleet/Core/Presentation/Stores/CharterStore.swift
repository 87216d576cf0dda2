public import Foundation
public import Observation
import Offshore
public import OffshorePresentation

/// The charters, shared by all screens.
@MainActor @Observable
public final class CharterStore {
  /// The current day, which separates past and upcoming charters.
  public let today: Today
  /// The charters that were deleted on this device and may still exist on the server.
  var deletedIDs: Set<UUID> = []

  let repository: any CharterRepository
  let now: @MainActor () -> Date
  let apiClient: (any CharterAPI)?
  let syncService: SyncService?
  /// The error of the latest pull, or `nil`.
  var failedPull: AppError?
  /// The number of callers of ``loadRemoteCharters(preserveExisting:)`` for which the charters are
  /// hidden.
  var replacing = 0
  @ObservationIgnored var refreshing: Task<Void, Never>?
  private let pages: CharterPages
  private let lists: [CharterFilter: DayLive<ReadableRows<CharterModel>>]
  /// The number of charters in each list.
  let liveCounts: DayLive<CharterCounts>
  /// The active charter; a loaded `nil` if there is none.
  let liveActive: Live<CharterModel?>
  private let makeID: @MainActor () -> UUID

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - repository: stores the charters.
  ///   - apiClient: fetches charters that are not on this device; `nil` without a server.
  ///   - syncService: pulls charters from the server; `nil` without one.
  ///   - now: returns the current date.
  ///   - calendar: returns the calendar whose time zone determines the current day.
  ///   - makeID: returns the id of a new charter.
  public init(
    repository: any CharterRepository, apiClient: (any CharterAPI)? = nil,
    syncService: SyncService? = nil, now: @escaping @MainActor () -> Date = { Date() },
    calendar: @escaping @MainActor () -> Calendar = { .autoupdatingCurrent },
    makeID: @escaping @MainActor () -> UUID = { UUID() }
  ) {
    let today = Today(now: now, calendar: calendar)
    self.repository = repository
    self.apiClient = apiClient
    self.syncService = syncService
    self.now = now
    self.makeID = makeID
    self.today = today
    pages = CharterPages(.all, matching: "", from: repository, today: today)
    lists = Dictionary(
      uniqueKeysWithValues: CharterFilter.allCases.map { filter in
        (filter, DayLive(today) { repository.charters(filter, on: $0) })
      })
    liveCounts = DayLive(today) { repository.charterCounts(on: $0) }
    liveActive = Live { repository.activeCharter() }
  }

  // MARK: - The paged list

  /// The charters that are not archived, as far as they are read: first the active one, then those
  /// in progress, upcoming and past ones.
  public var charterState: ViewState<[CharterModel]> { replacing > 0 ? .loading : pages.state }

  /// The charters of ``charterState``; empty while they are not loaded.
  public var charters: [CharterModel] { charterState.data ?? [] }

  /// The errors of charters that are missing in ``charters`` and the lists because they are
  /// unreadable.
  public var unreadable: [AppError] {
    let all =
      pages.unreadable.map(\.asAppError)
      + lists.values.flatMap { $0.state.data?.unreadable.map(\.asAppError) ?? [] }
    var seen: [AppError] = []
    for error in all where !seen.contains(error) { seen.append(error) }
    return seen
  }

  /// The first error of reading or refreshing the charters, the lists or their counts, or `nil`.
  public var refreshError: AppError? {
    let lists = CharterFilter.allCases.lazy.compactMap { [lists] in lists[$0]?.error }
    return pages.refreshError ?? pages.pageError ?? lists.first ?? liveCounts.error
      ?? liveActive.state.errorValue ?? liveActive.refreshError
  }

  /// Reads the next page if a charter that appears is one of the last five.
  public func loadMoreChartersIfNeeded(currentCharter charter: CharterModel) async {
    await pages.loadMoreIfNeeded(current: charter)
  }

  // MARK: - Complete lists

  /// The active charter; `nil` if there is none or it is not loaded.
  public var activeCharter: CharterModel? { liveActive.state.data.flatMap(\.self) }

  /// The charters that start after today, soonest first.
  public var upcomingCharters: [CharterModel] { charters(.upcoming) }

  /// The charters that include today, by start date.
  public var inProgressCharters: [CharterModel] { charters(.inProgress) }

  /// The charters that ended before today, newest first.
  public var pastCharters: [CharterModel] { charters(.past) }

  /// The archived charters, newest first.
  public var archivedCharters: [CharterModel] { charters(.archived) }

  /// All charters that are not archived, soonest first.
  public var activeCharters: [CharterModel] { charters(.notArchived) }

  /// The number of charters that are not archived.
  public var activeCharterCount: Int { liveCounts.state.data?[.notArchived] ?? 0 }

  private func charters(_ filter: CharterFilter) -> [CharterModel] {
    lists[filter]?.state.data?.rows ?? []
  }

  /// Returns the phase of a charter today.
  public func phase(of charter: CharterModel) -> CharterPhase { charter.phase(on: today.day) }

  // MARK: - Reading

  /// Reads the charters, all lists and their counts from this device, and observes them.
  public func loadCharters() async {
    // NB: The page is read first, because the lists may contain all charters and take longer.
    await pages.load()
    var loads = lists.values.map { list in Task { await list.loadIfNeeded() } }
    loads.append(Task { [liveCounts] in await liveCounts.loadIfNeeded() })
    loads.append(Task { [liveActive] in await liveActive.loadIfNeeded() })
    for load in loads { await load.value }
  }

  /// Returns an id for a new charter.
  public func makeCharterID() -> UUID { makeID() }
}

// MARK: - Values that a single screen observes

extension CharterStore {
  /// Observes a charter. The value is `nil` while it does not exist.
  func liveCharter(_ id: UUID) -> Live<CharterModel?> {
    Live { [repository] in repository.charter(id: id) }
  }

  /// Observes the first charters of a list.
  func liveCharters(_ filter: CharterFilter, limit: Int) -> DayLive<ReadableRows<CharterModel>> {
    DayLive(today) { [repository] day in
      repository.charters(filter, on: day, matching: "", limit: limit)
    }
  }

  /// Returns a list that is read page by page.
  func charterPages(
    _ filter: CharterListFilter, matching text: String, after start: UUID? = nil
  ) -> CharterPages {
    CharterPages(filter, matching: text, after: start, from: repository, today: today)
  }
}
