public import Foundation
public import Observation
import Offshore
public import OffshorePresentation

/// The charters, shared by all screens.
@MainActor @Observable
public final class CharterStore {
  /// The current day, which separates past and upcoming charters.
  package let today: Today

  let repository: any CharterRepository
  let now: @MainActor () -> Date
  /// The charters on the server.
  let remote: RemoteCharters
  /// The number of callers of ``loadRemoteCharters(preserveExisting:)`` for which the charters are
  /// hidden.
  private var hidingCallerCount = 0
  @ObservationIgnored private(set) var backgroundPull: Task<Void, Never>?
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
    remote = RemoteCharters(apiClient, syncService)
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
  public var charterState: ViewState<[CharterModel]> {
    hidingCallerCount > 0 ? .loading : pages.state
  }

  /// The charters of ``charterState``; empty while they are not loaded.
  public var charters: [CharterModel] { charterState.data ?? [] }

  /// The errors of charters that are missing in ``charters`` and the lists because they are
  /// unreadable.
  package var unreadable: [AppError] {
    let all =
      pages.unreadable.map(\.asAppError)
      + lists.values.flatMap { $0.state.data?.unreadable.map(\.asAppError) ?? [] }
    var seen: [AppError] = []
    for error in all where !seen.contains(error) { seen.append(error) }
    return seen
  }

  /// The first error of reading or refreshing the charters, the lists or their counts, or `nil`.
  package var refreshError: AppError? {
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
  package func phase(of charter: CharterModel) -> CharterPhase { charter.phase(on: today.day) }

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
  package func makeCharterID() -> UUID { makeID() }
}

// MARK: - The server

extension CharterStore {
  /// Reads the charters on this device, and pulls from the server in the background.
  package func loadChartersOfflineFirst() async {
    backgroundPull =
      backgroundPull
      ?? Task { [weak self] in
        await self?.remote.pull()
        self?.backgroundPull = nil
      }
    await loadCharters()
  }

  /// Pulls from the server, and then reads all charters again.
  ///
  /// If the server takes long, its charters appear when they arrive. If the pull fails,
  /// ``remoteError`` has the reason.
  ///
  /// - Parameter preserveExisting: whether the current charters remain visible meanwhile.
  package func loadRemoteCharters(preserveExisting: Bool) async {
    if !preserveExisting { hidingCallerCount += 1 }
    await remote.pull()
    await loadCharters()
    if !preserveExisting { hidingCallerCount -= 1 }
  }

  /// Pulls from the server, and reads all charters again. The current ones remain visible
  /// meanwhile.
  package func refreshCharters() async { await loadRemoteCharters(preserveExisting: true) }

  /// The error of the latest pull, until one succeeds or the server is no longer used.
  package var remoteError: AppError? { remote.error }

  /// Fetches a charter from this device, or else from the server, and then syncs without delay.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist; `AppError` if the
  ///   request fails.
  package func fetchCharter(_ id: UUID) async throws -> CharterModel {
    if let charter = try await repository.fetchCharter(id: id) { return charter }
    return try await remote.fetchCharter(id)
  }
}

// MARK: - Changing

extension CharterStore {
  /// Stores a new charter. Blank texts are stored as `nil`.
  ///
  /// If an equal charter with the same checklists is stored under the id already, nothing is stored
  /// and that charter is returned. So submitting a form twice creates one charter.
  ///
  /// - Parameters:
  ///   - checklistIDs: the library's checklists for the charter, in this order.
  ///   - id: the id of the charter; a new one by default.
  /// - Returns: the stored charter.
  /// - Throws: `DraftError.exists` if a different charter, or one with other checklists, is stored
  ///   under the id; ``RepositoryError``.
  @discardableResult
  package func createCharter(
    name: String, boatName: String?, location: String?, startDate: Date, endDate: Date,
    region: String? = nil, guests: Int = CharterModel.defaultGuests, crew: [CrewMember] = [],
    budget: CharterBudget? = nil, checklistIDs: [UUID] = [], id: UUID? = nil
  ) async throws -> CharterModel {
    let charter = CharterModel(
      id: id ?? makeCharterID(), name: name.trimmed, boatName: boatName?.trimmedOrNil,
      location: location?.trimmedOrNil, startDate: startDate, endDate: endDate, createdAt: now(),
      checkInChecklistID: nil, region: region?.trimmedOrNil, guests: guests, crew: crew,
      budget: budget)
    do {
      try await repository.createCharter(charter, assigning: checklistIDs)
      return charter
    } catch {
      guard let existing = try await repository.fetchCharter(id: charter.id) else { throw error }
      var (sent, stored) = (CharterFormState(charter), CharterFormState(existing))
      sent.checklistIDs = Set(checklistIDs)
      stored.checklistIDs = try await repository.fetchChecklistIDs(ofCharter: charter.id)
      guard sent == stored else { throw DraftError.exists }
      return existing
    }
  }

  /// Replaces a stored charter.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  package func updateCharter(_ charter: CharterModel) async throws {
    try await repository.changeCharter(charter.id) { $0 = charter }
  }

  /// Makes a checklist the check-in checklist of a charter, or not. Setting it to `false` does not
  /// change another choice.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  package func setCheckIn(_ isOn: Bool, checklistID: UUID, charterID id: UUID) async throws {
    try await repository.changeCharter(id) { charter in
      if isOn {
        charter.checkInChecklistID = checklistID
      } else if charter.checkInChecklistID == checklistID {
        charter.checkInChecklistID = nil
      }
    }
  }

  /// Makes a charter the active one in place of another, or none.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  package func setActive(_ id: UUID?) async throws {
    try await repository.setActiveCharter(id)
  }

  /// Makes a charter inactive if it is the active one.
  /// - Throws: ``RepositoryError``.
  package func deactivate(_ id: UUID) async throws {
    try await repository.deactivateCharter(id)
  }

  /// Moves a charter into the archive or out of it.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  package func setArchived(_ isArchived: Bool, charterID id: UUID) async throws {
    try await repository.setArchived(isArchived, charterID: id)
  }

  /// Deletes a charter with all rows that belong to it, readable or not.
  /// - Returns: a closure that restores the charter, or `nil` if it does not exist.
  /// - Throws: ``RepositoryError``.
  @discardableResult
  package func deleteCharter(_ id: UUID) async throws -> (@MainActor () async throws -> Void)? {
    guard let deleted = try await repository.deleteCharter(id) else { return nil }
    remote.setDeleted(true, id)
    return {
      try await self.repository.restoreCharter(deleted)
      self.remote.setDeleted(false, id)
    }
  }
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
