public import Foundation
public import Observation
import Offshore
public import OffshorePresentation

/// The charters, as all screens share them.
@MainActor @Observable
public final class CharterStore {
  /// The current day, by which charters are past or to come.
  public let today: Today
  /// The charters that were deleted here and may still be on the server.
  var deletedIDs: Set<UUID> = []

  let repository: any CharterRepository
  let now: @MainActor () -> Date
  let apiClient: (any CharterAPI)?
  let syncService: SyncService?
  /// Why the server could not be asked the last time.
  var failedPull: AppError?
  /// How many are waiting for charters in whose place nothing shows meanwhile.
  var replacing = 0
  @ObservationIgnored var refreshing: Task<Void, Never>?
  private let pages: CharterPages
  private let lists: [CharterFilter: DayLive<ReadableRows<CharterModel>>]
  /// How many charters each list has.
  let liveCounts: DayLive<CharterCounts>
  /// The active charter; a loaded `nil` if there is none.
  let liveActive: Live<CharterModel?>
  private let makeID: @MainActor () -> UUID

  /// Takes what the store needs.
  ///
  /// - Parameters:
  ///   - repository: stores the charters.
  ///   - apiClient: asks the server for a charter that this device does not have; nobody does without.
  ///   - syncService: brings what the server has; without it this device has all that there is.
  ///   - now: the current date.
  ///   - calendar: the calendar by whose time zone it is told which day is today.
  ///   - makeID: makes the ids of new charters.
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

  // MARK: - What is read page by page

  /// The charters that are not archived, as far as they are read: the active one, those in progress,
  /// those to come, and past ones.
  public var charterState: ViewState<[CharterModel]> { replacing > 0 ? .loading : pages.state }

  /// The charters of ``charterState``; none while they are not loaded.
  public var charters: [CharterModel] { charterState.data ?? [] }

  /// Why charters are left out of ``charters`` and of the lists, where some cannot be read.
  public var unreadable: [AppError] {
    let all =
      pages.unreadable.map(\.asAppError)
      + lists.values.flatMap { $0.state.data?.unreadable.map(\.asAppError) ?? [] }
    var seen: [AppError] = []
    for error in all where !seen.contains(error) { seen.append(error) }
    return seen
  }

  /// Why the charters, the lists, or their counts are missing or may be out of date, where they are
  /// or may.
  public var refreshError: AppError? {
    let lists = CharterFilter.allCases.lazy.compactMap { [lists] in lists[$0]?.error }
    return pages.refreshError ?? pages.pageError ?? lists.first ?? liveCounts.error
      ?? liveActive.state.errorValue ?? liveActive.refreshError
  }

  /// Reads the next page of charters when one that appears is among the last five.
  public func loadMoreChartersIfNeeded(currentCharter charter: CharterModel) async {
    await pages.loadMoreIfNeeded(current: charter)
  }

  // MARK: - What is followed as a whole, whatever page is read

  /// The charter that the user sails now, if any; none while it is not loaded.
  public var activeCharter: CharterModel? { liveActive.state.data.flatMap(\.self) }

  /// Those that start on a later day, soonest start first.
  public var upcomingCharters: [CharterModel] { charters(.upcoming) }

  /// Those of which today is a day, soonest start first.
  public var inProgressCharters: [CharterModel] { charters(.inProgress) }

  /// Those whose last day is over, newest end first.
  public var pastCharters: [CharterModel] { charters(.past) }

  /// Those that are put away, newest end first.
  public var archivedCharters: [CharterModel] { charters(.archived) }

  /// All that are not put away, soonest start first.
  public var activeCharters: [CharterModel] { charters(.notArchived) }

  /// How many are not put away.
  public var activeCharterCount: Int { liveCounts.state.data?[.notArchived] ?? 0 }

  private func charters(_ filter: CharterFilter) -> [CharterModel] {
    lists[filter]?.state.data?.rows ?? []
  }

  /// Where a charter lies in time, today.
  public func phase(of charter: CharterModel) -> CharterPhase { charter.phase(on: today.day) }

  // MARK: - Reading

  /// Reads the charters, all lists, and their counts from this device, and keeps following them.
  public func loadCharters() async {
    // NB: The page first: the lists may have all charters, which would keep it waiting.
    await pages.load()
    var loads = lists.values.map { list in Task { await list.loadIfNeeded() } }
    loads.append(Task { [liveCounts] in await liveCounts.loadIfNeeded() })
    loads.append(Task { [liveActive] in await liveActive.loadIfNeeded() })
    for load in loads { await load.value }
  }

  /// An id for a new charter.
  public func makeCharterID() -> UUID { makeID() }
}

// MARK: - What screens follow on their own

extension CharterStore {
  /// One charter; a loaded `nil` where there is none of that id.
  func liveCharter(_ id: UUID) -> Live<CharterModel?> {
    Live { [repository] in repository.charter(id: id) }
  }

  /// The first charters of a list.
  func liveCharters(_ filter: CharterFilter, limit: Int) -> DayLive<ReadableRows<CharterModel>> {
    DayLive(today) { [repository] day in
      repository.charters(filter, on: day, matching: "", limit: limit)
    }
  }

  /// A list that is read page by page.
  func charterPages(
    _ filter: CharterListFilter, matching text: String, after start: UUID? = nil
  ) -> CharterPages {
    CharterPages(filter, matching: text, after: start, from: repository, today: today)
  }
}
