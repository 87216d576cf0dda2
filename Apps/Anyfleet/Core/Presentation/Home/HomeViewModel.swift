public import Foundation
public import Observation
import Offshore
import OffshoreCalendar
public import OffshorePresentation

/// The first screen: the active charter, the next ones, and the checklist to continue.
///
/// Each of its parts is read and followed on its own, so that one that fails takes no other away.
@MainActor @Observable
public final class HomeViewModel {
  /// How many charters show that come next.
  public static let nextUpCount = 3

  /// Why the last change did not happen, where it did not.
  public private(set) var actionError: AppError?

  private let store: CharterStore
  private let liveActive: Live<CharterModel?>
  private let liveInProgress: DayLive<ReadableRows<CharterModel>>
  private let liveUpcoming: DayLive<ReadableRows<CharterModel>>
  private let liveCounts: DayLive<CharterCounts>
  private let liveToContinue: Live<ChecklistToContinue?>

  /// A checklist to go on with, and where.
  public struct Continuation: Equatable, Sendable {
    public let charter: CharterModel
    public let progress: ChecklistProgress
  }

  /// Takes what the screen needs. Nothing is read before ``load()``.
  public init(store: CharterStore, unfinished: any UnfinishedChecklistRepository) {
    self.store = store
    liveActive = store.liveActive
    liveInProgress = store.liveCharters(.inProgress, limit: Self.nextUpCount)
    liveUpcoming = store.liveCharters(.upcoming, limit: Self.nextUpCount)
    liveCounts = store.liveCounts
    liveToContinue = Live { unfinished.checklistToContinue() }
  }

  // MARK: - What there is

  /// The charter that the user sails now; empty where there is none.
  public var activeCharter: ViewState<CharterModel> {
    liveActive.state.flatMap { $0.map { .loaded($0) } ?? .empty }
  }

  /// What is sailed now: the active charter, or where none is active those under way, of which one can
  /// be made so.
  public var sailingNow: ViewState<[CharterModel]> {
    guard activeCharter.isEmpty else { return activeCharter.map { [$0] } }
    return liveInProgress.state.flatMap(\.state)
  }

  /// The charters under way beside the first one that is sailed now.
  public var alsoUnderWay: ViewState<[CharterModel]> {
    let first = sailingNow.data?.first?.id
    return liveInProgress.state.flatMap { inProgress in
      ViewState(inProgress.rows.filter { $0.id != first })
    }
  }

  /// The charters that come next, the soonest first.
  public var nextUp: ViewState<[CharterModel]> { liveUpcoming.state.flatMap(\.state) }

  /// The checklist that was last worked on and is not done: of the active charter where it has one,
  /// else of any; empty where there is none.
  public var checklistToContinue: ViewState<Continuation> {
    liveToContinue.state.flatMap { found in
      guard let found else { return .empty }
      let progress = ChecklistProgress(
        of: found.checklist, in: ReadableStates(states: [found.state]))
      return .loaded(Continuation(charter: found.charter, progress: progress))
    }
  }

  /// The number of charters of each kind.
  public var counts: ViewState<CharterCounts> { liveCounts.state }

  /// Whether nobody has planned a charter here yet.
  public var isFirstUse: Bool {
    counts.data.map { $0[.notArchived] == 0 && $0[.archived] == 0 } ?? false
  }

  /// The day of a charter that is today, counted from 1, and the number of its days; `nil` if today is none
  /// of them.
  public func day(of charter: CharterModel) -> (day: Int, count: Int)? {
    let first = CalendarDay(containing: charter.startDate)
    let last = CalendarDay(containing: charter.endDate)
    guard phase(of: charter) == .inProgress else { return nil }
    return (first.distance(to: store.today.day) + 1, first.distance(to: last) + 1)
  }

  /// Where a charter lies in time, today.
  public func phase(of charter: CharterModel) -> CharterPhase { store.phase(of: charter) }

  /// What is left out because it cannot be read, and why the rest may be out of date.
  public var notices: [AppError] {
    let lists = [liveInProgress, liveUpcoming]
    let unreadable = lists.flatMap { $0.state.data?.unreadable ?? [] }.map(\.asAppError)
    let errors =
      [liveActive.refreshError?.ofShown, liveCounts.refreshError, liveToContinue.refreshError]
      + lists.map(\.refreshError)
    return unreadable + errors.compactMap(\.self)
  }

  // MARK: - Changing

  /// Makes a charter the one that the user sails now.
  /// - Returns: whether it is; if not, ``actionError`` says why.
  @discardableResult
  public func setActive(_ id: UUID) async -> Bool {
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

  /// Reads everything from this device, and follows it.
  public func load() async {
    async let active: Void = liveActive.loadIfNeeded()
    async let inProgress: Void = liveInProgress.load()
    async let upcoming: Void = liveUpcoming.load()
    async let counts: Void = liveCounts.loadIfNeeded()
    async let toContinue: Void = liveToContinue.load()
    _ = await (active, inProgress, upcoming, counts, toContinue)
  }

  /// Begins each new day with what is due on it, until the task is cancelled.
  public func followDays() async { await store.today.follow() }
}
