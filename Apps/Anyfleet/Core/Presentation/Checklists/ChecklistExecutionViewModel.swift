public import Foundation
public import Observation
public import OffshorePresentation

/// Running a checklist in a charter: what is ticked shows at once, and is stored right away.
@MainActor @Observable
public final class ChecklistExecutionViewModel {
  public let charterID: UUID
  public let checklistID: UUID

  /// The checklist, once it is loaded.
  public private(set) var checklist: Checklist?
  /// The sections whose items show.
  public var expandedSections: Set<UUID> = []
  /// Whether checklist and progress are on their way.
  public var isLoading: Bool { loading != nil }
  /// Why checklist or progress could not be loaded. Nothing can be ticked then.
  public private(set) var loadError: AppError?
  /// Why items show their former tick again, by item; until they are toggled again.
  public private(set) var saveErrors: [UUID: AppError] = [:]
  /// Why the ticks shown may be out of date, where they may.
  public private(set) var refreshError: AppError?

  /// The progress as it was last known to be stored.
  private var stored: ChecklistExecutionState?
  /// The items that are checked in it.
  private var storedTicks: Set<UUID> = []
  /// What was saved and has not been read again since.
  private var savedTicks: [UUID: Bool] = [:]
  private var loading: Task<Void, Never>?
  @ObservationIgnored private var reading: Task<Void, any Error>?
  /// Whether what is being read may be from before something that has ended since.
  @ObservationIgnored private var isReadingOutdated = false
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private lazy var ticks = makeTicks()
  private let libraryStore: LibraryStore
  private let repository: any ChecklistExecutionRepository

  /// Takes what the screen needs. Nothing is read before ``load()``.
  public init(
    libraryStore: LibraryStore, executionRepository: any ChecklistExecutionRepository,
    charterID: UUID, checklistID: UUID
  ) {
    self.libraryStore = libraryStore
    repository = executionRepository
    self.charterID = charterID
    self.checklistID = checklistID
  }

  deinit { following?.cancel() }

  // MARK: - Loading

  /// Reads the checklist and its progress, and follows the progress from then on.
  ///
  /// It writes nothing. Where it fails, ``loadError`` says why, and calling it again tries again. A
  /// call while another one loads waits with it.
  public func load() async {
    let loading = loading ?? Task { await loadOnce() }
    self.loading = loading
    await loading.value
  }

  private func loadOnce() async {
    defer { loading = nil }
    do {
      let checklist = try await libraryStore.fetchChecklist(checklistID)
      try await refresh()
      if self.checklist == nil {
        expandedSections = Set(checklist.sections.filter(\.isExpandedByDefault).map(\.id))
      }
      self.checklist = checklist
      loadError = nil
      follow()
    } catch {
      loadError = error.asAppError
    }
  }

  /// Reads the stored progress, and shows it in place of what was saved before.
  ///
  /// Reads go one after the other, so that none brings what is older than what shows. One that is on
  /// its way when this is called does not count, since it may lack what was stored last.
  private func refresh() async throws {
    isReadingOutdated = true
    let reading = reading ?? Task { try await read() }
    self.reading = reading
    try await reading.value
  }

  private func read() async throws {
    defer { reading = nil }
    while isReadingOutdated {
      isReadingOutdated = false
      let state = try await repository.loadExecutionState(
        checklistID: checklistID, charterID: charterID)
      if !isReadingOutdated {
        stored = state
        storedTicks = Set((state?.itemStates.values.filter(\.isChecked) ?? []).map(\.itemID))
        savedTicks = [:]
      }
    }
  }

  /// Reads the progress again whenever it changes, whoever changed it.
  private func follow() {
    following?.cancel()
    let states = repository.executionStates(checklistID: checklistID, charterID: charterID)
    following = Task { [weak self] in
      var iterator = states.makeAsyncIterator()
      while !Task.isCancelled {
        do {
          guard try await iterator.next(isolation: MainActor.shared) != nil else { return }
          await self?.refreshShown()
        } catch {
          self?.refreshError = error.asAppError
        }
      }
    }
  }

  private func refreshShown() async {
    do {
      try await refresh()
      refreshError = nil
    } catch {
      refreshError = error.asAppError
    }
  }

  // MARK: - Ticking

  /// The items that show as checked: those stored, and over them what was asked for since.
  public var checkedItems: Set<UUID> {
    var checked = storedTicks
    for (item, isChecked) in savedTicks.merging(ticks.unsettled, uniquingKeysWith: { $1 }) {
      if isChecked { checked.insert(item) } else { checked.remove(item) }
    }
    return checked
  }

  /// The items whose tick is on its way to the disk.
  public var unsettledItems: Set<UUID> { Set(ticks.unsettled.keys) }

  /// Changes an item to the other of checked and not, as it shows; see ``setItem(_:isChecked:)``.
  public func toggleItem(_ itemID: UUID) {
    setItem(itemID, isChecked: !checkedItems.contains(itemID))
  }

  /// Checks an item, or takes the check back. That shows at once, and is then stored.
  ///
  /// It is stored also where it shows already, because what shows may be older than what is stored.
  /// Does nothing before the checklist is loaded, and for items that it does not have.
  public func setItem(_ itemID: UUID, isChecked: Bool) {
    guard loadError == nil, let checklist, checklist.itemIDs.contains(itemID) else { return }
    saveErrors[itemID] = nil
    ticks.change(itemID, to: isChecked)
  }

  /// Waits until all that was asked for is on disk, or has failed; see ``saveErrors``.
  public func settled() async { await ticks.settled() }

  private func makeTicks() -> OptimisticChanges<UUID, Bool> {
    OptimisticChanges { [repository, checklistID, charterID] itemID, isChecked in
      try await repository.saveItemState(
        checklistID: checklistID, charterID: charterID, itemID: itemID, isChecked: isChecked)
    } ended: { [weak self] itemID, isChecked, outcome in
      self?.ended(itemID, isChecked, outcome)
    }
  }

  private func ended(
    _ itemID: UUID, _ isChecked: Bool, _ outcome: OptimisticChanges<UUID, Bool>.Outcome
  ) {
    switch outcome {
    case .stored:
      savedTicks[itemID] = isChecked
      isReadingOutdated = true
      // What was stored by others after it may have been read already, and will not be told again.
      Task { await refreshShown() }
    case .failed(let error):
      saveErrors[itemID] = AppError(saving: error)
    }
  }

  /// Shows or hides a section's items.
  public func toggleSection(_ sectionID: UUID) {
    expandedSections.formSymmetricDifference([sectionID])
  }
}

// MARK: - Progress

extension ChecklistExecutionViewModel {
  /// How many items the checklist has.
  public var itemCount: Int { checklist?.itemIDs.count ?? 0 }

  /// How many of its items show as checked.
  public var checkedCount: Int { checklist?.itemIDs.intersection(checkedItems).count ?? 0 }

  /// The checked share as 0…1; 0 where there is no item.
  public var progress: Double { itemCount > 0 ? Double(checkedCount) / Double(itemCount) : 0 }

  /// The critical items that do not show as checked, in order.
  public var openCriticalItems: [ChecklistItem] {
    let checked = checkedItems
    return checklist?.items.filter { $0.isCritical && !checked.contains($0.id) } ?? []
  }

  /// What is known of an item: its note, what was found, and when it was checked.
  public func itemState(_ itemID: UUID) -> ChecklistItemState? { stored?.itemStates[itemID] }
}
