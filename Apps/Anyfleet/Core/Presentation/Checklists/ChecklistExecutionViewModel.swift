public import Foundation
public import Observation
public import OffshorePresentation
public import OffshoreWire

/// Running a checklist in a charter: what is ticked and noted shows at once, and is stored right away.
@MainActor @Observable
public final class ChecklistExecutionViewModel {
  /// What the screen asks before it is done.
  public enum Question: Equatable, Sendable {
    /// Whether to finish though critical items are open or something could not be saved.
    case finish
    /// Whether to forget all ticks and notes.
    case reset
  }

  public let charterID: UUID
  public let checklistID: UUID

  /// Whether the checklist was finished, and nothing was changed since.
  public internal(set) var isFinished = false
  /// Why the progress could not be reset or put back the last time, where it could not.
  public internal(set) var resetError: AppError?

  /// What was asked for and is neither confirmed nor taken back.
  var asked: Question?
  let progressStore: ExecutionProgress
  let repository: any ChecklistExecutionRepository
  let cleared: RecentRemovals<ClearedExecution>
  private let liveChecklist: Live<Checklist>
  private let liveCharter: Live<CharterModel?>?
  private let liveDecided: Live<Set<UUID>>?
  private let access: ScopeAccess?
  private var loading: Task<Void, Never>?
  /// The sections that were folded or unfolded by hand, with whether they are expanded.
  private var foldings: [UUID: Bool] = [:]

  /// Takes what the screen needs. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - clearedExecutions: keeps what is reset, for all screens together.
  ///   - charterStore: has the charter, where the screen says which one it is.
  ///   - checklistRepository: gives the checklist to the charter as soon as something of it is
  ///     stored, so that the charter's page shows it too; it stays the library's unless stated.
  ///   - access: knows whether the charter may be changed; it may unless stated.
  ///   - history: knows of which items something was decided, where the screen shows it.
  public init(
    libraryStore: LibraryStore, executionRepository: any ChecklistExecutionRepository,
    charterID: UUID, checklistID: UUID,
    clearedExecutions: RecentRemovals<ClearedExecution> = RecentRemovals(),
    charterStore: CharterStore? = nil,
    checklistRepository: (any CharterChecklistRepository)? = nil,
    access: ScopeAccess? = nil, history: (any ItemHistoryRepository)? = nil
  ) {
    self.access = access
    liveDecided = history.map { history in
      Live { history.decidedItems(checklistID: checklistID, charterID: charterID) }
    }
    self.charterID = charterID
    self.checklistID = checklistID
    repository = executionRepository
    cleared = clearedExecutions
    liveChecklist = libraryStore.liveChecklist(checklistID, inCharter: charterID)
    liveCharter = charterStore?.liveCharter(charterID)
    progressStore = ExecutionProgress(
      repository: executionRepository, charterID: charterID, checklistID: checklistID,
      assignment: checklistRepository.map { Assignment($0, checklistID, toCharter: charterID) })
  }

  // MARK: - Loading

  /// The checklist once it and its progress are loaded: the charter's snapshot, or the library's.
  public var checklist: Checklist? { progressStore.isKnown ? liveChecklist.state.data : nil }

  /// The charter, once it is loaded, where the screen says which one it is.
  public var charter: CharterModel? { liveCharter?.state.data ?? nil }

  /// Whether the charter may be changed here.
  public var canEdit: Bool { access?.canEdit ?? true }

  /// What the account may do with the charter, where a server has said so.
  public var role: Role? { access?.role }

  /// The items of which something was decided where several changed them at the same time.
  public var decidedItems: Set<UUID> { liveDecided?.state.data ?? [] }

  /// Whether checklist and progress are on their way.
  public var isLoading: Bool { loading != nil }

  /// Why checklist or progress could not be loaded. Nothing can be changed then.
  public var loadError: AppError? {
    charterError ?? liveChecklist.state.errorValue ?? progressStore.loadError
  }

  /// That the charter is not there, or not any more. One that cannot be read can be sailed even so.
  private var charterError: AppError? {
    if case .loaded(nil) = liveCharter?.state { .database(.notFound) } else { nil }
  }

  /// Why what shows may be out of date, where it may.
  public var refreshError: AppError? {
    (liveChecklist.refreshError ?? progressStore.refreshError)?.ofShown
  }

  /// Why notes on items do not show, where some cannot be read.
  public var unreadable: [AppError] { progressStore.stored?.unreadable.map(\.asAppError) ?? [] }

  /// Reads the checklist and its progress, and follows both from then on.
  ///
  /// It writes nothing. Where it fails, ``loadError`` says why, and calling it again tries again. A
  /// call while another one loads waits with it.
  public func load() async {
    let loading = loading ?? Task { await loadOnce() }
    self.loading = loading
    await loading.value
  }

  private func loadOnce() async {
    async let checklist: Void = liveChecklist.load()
    async let progress: Void = progressStore.load()
    async let decided: Void? = liveDecided?.load()
    async let role: Void? = access?.load()
    await liveCharter?.load()
    _ = await (checklist, progress, decided, role)
    loading = nil
  }

  // MARK: - Sections

  /// The sections whose items show.
  public var expandedSections: Set<UUID> {
    get {
      let sections = checklist?.sections ?? []
      return Set(sections.filter { foldings[$0.id] ?? $0.isExpandedByDefault }.map(\.id))
    }
    set {
      for section in checklist?.sections ?? [] {
        foldings[section.id] = newValue.contains(section.id)
      }
    }
  }

  /// Shows or hides a section's items.
  public func toggleSection(_ sectionID: UUID) {
    expandedSections.formSymmetricDifference([sectionID])
  }

  // MARK: - Ticking

  /// The items that show as checked: those stored, and over them what was asked for since.
  public var checkedItems: Set<UUID> { progressStore.checkedItems }

  /// Whether an item shows as checked.
  public func isChecked(_ itemID: UUID) -> Bool { progressStore.checkedItems.contains(itemID) }

  /// The items whose tick is on its way to the disk.
  public var unsettledItems: Set<UUID> { Set(progressStore.ticks.unsettled.keys) }

  /// Why items show their former tick again, by item; until they are toggled again.
  public var saveErrors: [UUID: AppError] { progressStore.ticks.failures.mapValues(\.error) }

  /// Changes an item to the other of checked and not, as it shows; see ``setItem(_:isChecked:)``.
  public func toggleItem(_ itemID: UUID) { setItem(itemID, isChecked: !isChecked(itemID)) }

  /// Checks an item, or takes the check back. That shows at once, and is then stored.
  ///
  /// It is stored also where it shows already, because what shows may be older than what is stored.
  /// Does nothing before the checklist is loaded, and for items that it does not have.
  public func setItem(_ itemID: UUID, isChecked: Bool) {
    guard canChange(itemID) else { return }
    guard canEdit else {
      return progressStore.ticks.refuse(itemID, isChecked, because: .auth(.forbidden))
    }
    isFinished = false
    progressStore.ticks.change(itemID, to: isChecked)
  }

  /// Waits until all that was asked for is on disk, or has failed; see ``saveErrors``,
  /// ``noteErrors`` and ``issueErrors``.
  public func settled() async { await progressStore.settled() }

  /// Whether the checklist is loaded and has an item.
  func canChange(_ itemID: UUID) -> Bool { checklist?.itemIDs.contains(itemID) ?? false }
}
