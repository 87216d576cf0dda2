package import Foundation
import Observation
import Offshore
import OffshoreCalendar
package import OffshorePresentation

/// The model of the first screen: the active charter, the next ones, and the checklist to continue.
///
/// Each part is read and observed on its own, so that a failure does not affect the others.
@MainActor @Observable
package final class HomeViewModel {
  /// The number of upcoming charters that are shown.
  package static let nextUpCount = 3

  /// The reason why the latest change failed, or `nil`.
  package private(set) var actionError: AppError?

  private let store: CharterStore
  private let liveActive: Live<CharterModel?>
  private let liveInProgress: DayLive<ReadableRows<CharterModel>>
  private let liveUpcoming: DayLive<ReadableRows<CharterModel>>
  private let liveCounts: DayLive<CharterCounts>
  private let liveToContinue: Live<ChecklistToContinue?>

  /// A checklist to continue, with its charter.
  package struct Continuation: Equatable, Sendable {
    package let charter: CharterModel
    package let progress: ChecklistProgress
  }

  /// Creates a model. Nothing is read before ``load()``.
  package init(store: CharterStore, unfinished: any UnfinishedChecklistRepository) {
    self.store = store
    liveActive = store.liveActive
    liveInProgress = store.liveCharters(.inProgress, limit: Self.nextUpCount)
    liveUpcoming = store.liveCharters(.upcoming, limit: Self.nextUpCount)
    liveCounts = store.liveCounts
    liveToContinue = Live { unfinished.checklistToContinue() }
  }

  // MARK: - State

  /// The active charter; empty if there is none.
  package var activeCharter: ViewState<CharterModel> {
    liveActive.state.flatMap { $0.map { .loaded($0) } ?? .empty }
  }

  /// The active charter, or, if there is none, the charters in progress, of which the user can make
  /// one active.
  package var sailingNow: ViewState<[CharterModel]> {
    guard activeCharter.isEmpty else { return activeCharter.map { [$0] } }
    return liveInProgress.state.flatMap(\.state)
  }

  /// The charters in progress, without the first one of ``sailingNow``.
  package var alsoUnderWay: ViewState<[CharterModel]> {
    let first = sailingNow.data?.first?.id
    return liveInProgress.state.flatMap { inProgress in
      ViewState(inProgress.rows.filter { $0.id != first })
    }
  }

  /// The next charters, soonest first.
  package var nextUp: ViewState<[CharterModel]> { liveUpcoming.state.flatMap(\.state) }

  /// The unfinished checklist with the latest change: of the active charter if that has one,
  /// otherwise of any charter; empty if there is none.
  package var checklistToContinue: ViewState<Continuation> {
    liveToContinue.state.flatMap { found in
      guard let found else { return .empty }
      let progress = ChecklistProgress(
        of: found.checklist, in: ReadableStates(states: [found.state]))
      return .loaded(Continuation(charter: found.charter, progress: progress))
    }
  }

  /// The numbers of charters by filter.
  package var counts: ViewState<CharterCounts> { liveCounts.state }

  /// Whether no charter was created yet.
  package var isFirstUse: Bool {
    counts.data.map { $0[.notArchived] == 0 && $0[.archived] == 0 } ?? false
  }

  /// Returns the number of the current day in a charter, starting at 1, and the number of its days;
  /// `nil` if the charter is not in progress.
  package func day(of charter: CharterModel) -> (day: Int, count: Int)? {
    let first = CalendarDay(containing: charter.startDate)
    let last = CalendarDay(containing: charter.endDate)
    guard phase(of: charter) == .inProgress else { return nil }
    return (first.distance(to: store.today.day) + 1, first.distance(to: last) + 1)
  }

  /// Returns the phase of a charter today.
  package func phase(of charter: CharterModel) -> CharterPhase { store.phase(of: charter) }

  /// The errors of unreadable rows, and of failed refreshes.
  package var notices: [AppError] {
    let lists = [liveInProgress, liveUpcoming]
    let unreadable = lists.flatMap { $0.state.data?.unreadable ?? [] }.map(\.asAppError)
    let errors =
      [
        liveActive.refreshError?.forShownValue, liveCounts.refreshError,
        liveToContinue.refreshError,
      ]
      + lists.map(\.refreshError)
    return unreadable + errors.compactMap(\.self)
  }

  // MARK: - Changes

  /// Makes a charter the active one.
  /// - Returns: `false` if it failed, with the reason in ``actionError``.
  @discardableResult
  package func setActive(_ id: UUID) async -> Bool {
    do {
      try await store.setActive(id)
      await liveActive.catchUp()
      actionError = nil
      return true
    } catch {
      actionError = AppError(saving: error)
      return false
    }
  }

  // MARK: - Reading

  /// Reads everything from this device, and observes it.
  package func load() async {
    async let active: Void = liveActive.loadIfNeeded()
    async let inProgress: Void = liveInProgress.load()
    async let upcoming: Void = liveUpcoming.load()
    async let counts: Void = liveCounts.loadIfNeeded()
    async let toContinue: Void = liveToContinue.load()
    _ = await (active, inProgress, upcoming, counts, toContinue)
  }

  /// Updates the lists at the start of each day, until the task is cancelled.
  package func followDays() async { await store.today.refreshDaily() }
}
