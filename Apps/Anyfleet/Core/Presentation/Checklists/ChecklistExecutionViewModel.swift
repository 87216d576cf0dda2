public import Foundation
public import Observation
public import OffshorePresentation
public import OffshoreSync
package import OffshoreWire

/// The model that runs a checklist in a charter. Edits are visible at once and stored immediately.
@MainActor @Observable
public final class ChecklistExecutionViewModel {
  /// A question that the user has to answer first.
  package enum Question: Equatable, Sendable {
    /// Whether to finish although critical items are unchecked or an edit could not be saved.
    case finish
    /// Whether to delete all ticks, notes and conditions.
    case reset
  }

  /// The maximum number of characters of a note.
  package nonisolated static let maximumNoteLength = 2_000

  package let charterID: UUID
  package let checklistID: UUID

  /// Whether the checklist was finished and has not been edited since.
  package private(set) var isFinished = false
  /// The reason why the latest reset failed, or `nil`.
  package private(set) var resetError: AppError?

  /// The items whose note and condition were opened.
  private var openedRemarks: Set<UUID> = []
  private var askedQuestion: Question?
  private let edits: LiveEdits<ItemProgress, ItemEdit>
  private let repository: any ChecklistExecutionRepository
  private let liveChecklist: Live<Checklist>
  private let liveCharter: Live<CharterModel?>?
  private let itemHistory: ItemHistory
  private let liveConflicts: Live<[HistoryPlace: Bool]>?
  private let access: ScopeAccess?
  private let today: Today?
  private let readUserName: @MainActor () -> String?
  private var loading: Task<Void, Never>?
  /// The sections that the user expanded or collapsed, each with whether it is expanded.
  private var sectionExpansion: [UUID: Bool] = [:]

  /// Creates a model. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - charterStore: observes the charter, if the screen shows it.
  ///   - assigns: whether the first edit assigns the checklist to the charter if it is missing
  ///     there. It can be missing if the screen was opened by a link, or if another member removed
  ///     it. Without the assignment no page of the charter would show the ticks.
  ///   - access: the role of the account; without it, the charter may be edited.
  ///   - store: the file, if the screen marks items that have a history.
  ///   - now: returns the current date.
  ///   - userName: returns the name of the account that the device belongs to, or `nil`.
  public init(
    libraryStore: LibraryStore, executionRepository: any ChecklistExecutionRepository,
    charterID: UUID, checklistID: UUID,
    charterStore: CharterStore? = nil,
    assigns: Bool = false,
    access: ScopeAccess? = nil, store: SyncedStore? = nil,
    now: @escaping @MainActor () -> Date = { Date() },
    userName: @escaping @MainActor () -> String? = { nil }
  ) {
    self.access = access
    today = charterStore?.today
    readUserName = userName
    itemHistory = ItemHistory(checklistID: checklistID, charterID: charterID)
    let history = store.flatMap { [itemHistory] in try? itemHistory.history(in: $0) }
    liveConflicts = history.map { history in Live { history.changedPlaces() } }
    self.charterID = charterID
    self.checklistID = checklistID
    repository = executionRepository
    liveChecklist = libraryStore.liveChecklist(checklistID, inCharter: charterID)
    liveCharter = charterStore?.liveCharter(charterID)
    edits = LiveEdits {
      executionRepository.progress(checklistID: checklistID, charterID: charterID)
    } apply: { edit, items in
      edit.apply(to: &items, as: ItemCheck(at: now(), by: userName()))
    } store: { edit in
      try await executionRepository.save(
        edit, checklistID: checklistID, charterID: charterID, assigning: assigns)
    }
  }

  // MARK: - Loading

  /// The checklist, once it and its progress are loaded: the charter's snapshot, or else the
  /// library's.
  package var checklist: Checklist? { edits.isKnown ? liveChecklist.state.data : nil }

  /// The charter, once it is loaded, if the screen shows it.
  public var charter: CharterModel? { liveCharter?.state.data ?? nil }

  /// Whether the charter may be edited on this device.
  package var canEdit: Bool { access?.canEdit ?? true }

  /// The role of the account in the charter, if it is shared.
  package var role: Role? { access?.role }

  /// The conflicts in the history of an item.
  package enum ItemConflictState: Sendable {
    /// A conflict is undecided.
    case open
    /// All conflicts are decided, or have equal values.
    case decided
  }

  /// Returns the state of an item's conflicts, or `nil` if it never had one.
  package func conflictState(of itemID: UUID) -> ItemConflictState? {
    guard let places = liveConflicts?.state.data, !places.isEmpty else { return nil }
    let found = itemHistory.places(of: itemID).compactMap { places[$0] }
    guard !found.isEmpty else { return nil }
    return found.contains(true) && canEdit ? .open : .decided
  }

  /// Whether the checklist and its progress are being loaded.
  public var isLoading: Bool { loading != nil }

  /// The error of loading the checklist or its progress. Nothing can be edited then.
  public var loadError: AppError? {
    charterError ?? liveChecklist.loadError ?? edits.loadError
  }

  /// The error of a charter that does not exist. An unreadable charter is ignored here.
  private var charterError: AppError? {
    if case .loaded(nil) = liveCharter?.state { .database(.notFound) } else { nil }
  }

  /// The error of the latest refresh, if it failed. The screen may then be out of date.
  package var refreshError: AppError? {
    (liveChecklist.refreshError ?? edits.refreshError)?.forShownValue
  }

  /// The errors of unreadable notes.
  package var unreadable: [AppError] { items.unreadable.map(\.asAppError) }

  /// Loads the checklist and its progress, and observes both from then on.
  ///
  /// If it fails, ``loadError`` has the reason; call it again to retry. A call during another one
  /// waits for it. It writes nothing.
  public func load() async {
    let loading = loading ?? Task { await loadOnce() }
    self.loading = loading
    await loading.value
  }

  private func loadOnce() async {
    async let checklist: Void = liveChecklist.load()
    async let progress: Void = edits.load()
    async let conflicts: Void? = liveConflicts?.load()
    async let role: Void? = access?.load()
    await liveCharter?.load()
    _ = await (checklist, progress, conflicts, role)
    collapseCompleteSections()
    loading = nil
  }

  /// The name of the account that the device belongs to, if any.
  package var userName: String? { readUserName() }

  /// Returns whether a date is today. ``followDays()`` updates the current day.
  package func isToday(_ moment: Date) -> Bool { today?.contains(moment) ?? true }

  /// Updates the current day until the task is cancelled.
  package func followDays() async { await today?.refreshDaily() }

  // MARK: - Sections

  /// The sections that are expanded.
  public var expandedSections: Set<UUID> {
    get {
      let sections = checklist?.sections ?? []
      return Set(sections.filter { sectionExpansion[$0.id] ?? $0.isExpandedByDefault }.map(\.id))
    }
    set {
      for section in checklist?.sections ?? [] {
        sectionExpansion[section.id] = newValue.contains(section.id)
      }
    }
  }

  /// Collapses the complete sections. It is called only when the screen opens, so that a section
  /// never collapses while the user is checking its items.
  private func collapseCompleteSections() {
    for section in checklist?.sections ?? [] where sectionExpansion[section.id] == nil {
      let isComplete = !section.items.isEmpty && checkedCount(in: section) == section.items.count
      sectionExpansion[section.id] = isComplete ? false : section.isExpandedByDefault
    }
  }

  /// Expands or collapses a section.
  package func toggleSection(_ sectionID: UUID) {
    expandedSections.formSymmetricDifference([sectionID])
  }

  // MARK: - Ticks, notes and conditions

  private var items: ItemProgress { edits.state.data ?? ItemProgress() }

  /// The items that are shown as checked.
  public var checkedItems: Set<UUID> { items.checkedItems }

  /// Returns whether an item is shown as checked.
  package func isChecked(_ itemID: UUID) -> Bool { items.checks[itemID] != nil }

  /// Returns the check of an item, or `nil` if it is not shown as checked.
  package func check(of itemID: UUID) -> ItemCheck? { items.checks[itemID] }

  /// Returns the note and the condition of an item.
  public func remarks(of itemID: UUID) -> ItemRemarks { items.remarks[itemID] ?? ItemRemarks() }

  /// Checks an unchecked item, or unchecks a checked one; see ``setItem(_:isChecked:)``.
  public func toggleItem(_ itemID: UUID) { setItem(itemID, isChecked: !isChecked(itemID)) }

  /// Checks or unchecks an item. The edit is visible at once, and then stored, even if the item is
  /// shown in that state already, because the screen may be older than the stored state.
  ///
  /// Does nothing before the checklist is loaded, or if it does not have the item.
  package func setItem(_ itemID: UUID, isChecked: Bool) { make(.tick(itemID, isChecked)) }

  /// Changes the note of an item; a blank one removes it. The edit is visible at once, and then
  /// stored.
  ///
  /// Does nothing before the checklist is loaded, or if it does not have the item.
  package func setNote(_ itemID: UUID, to text: String?) {
    let note = text?.trimmedOrNil
    guard let note, note.count > Self.maximumNoteLength else { return make(.note(itemID, note)) }
    let error = ValidationError.tooLong(field: "note", maximum: Self.maximumNoteLength)
    make(.note(itemID, note), refusedBy: .validation(error))
  }

  /// Changes the condition of an item. The edit is visible at once, and then stored.
  ///
  /// Does nothing before the checklist is loaded, or if it does not have the item.
  package func setIssue(_ itemID: UUID, to issue: ChecklistItemIssue?) {
    make(.issue(itemID, issue))
  }

  /// Opens the note and the condition of an item for editing.
  package func openRemarks(of itemID: UUID) { openedRemarks.insert(itemID) }

  /// Returns whether the note and the condition of an item are shown for editing: they were opened,
  /// or an edit of them failed.
  package func showsRemarks(of itemID: UUID) -> Bool {
    openedRemarks.contains(itemID) || error(of: .note(itemID)) != nil
      || error(of: .issue(itemID)) != nil
  }

  /// Changes the note of an item if a form's text differs from its original one.
  ///
  /// So a form that was opened long ago does not revert changes by others. If an earlier edit of
  /// the note failed, it is stored in any case.
  package func setNote(_ itemID: UUID, to text: String, from before: String) {
    if text.trimmedOrNil != before.trimmedOrNil || error(of: .note(itemID)) != nil {
      setNote(itemID, to: text)
    }
  }

  private func make(_ edit: ItemEdit, refusedBy error: AppError? = nil) {
    guard checklist?.itemIDs.contains(edit.id.itemID) ?? false else { return }
    if let error = canEdit ? error : .auth(.forbidden) {
      return edits.reject(edit, because: error)
    }
    isFinished = false
    edits.submit(edit)
  }

  /// Waits until all edits are stored or have failed; see ``error(of:)``.
  public func settled() async { await edits.settled() }

  // MARK: - Errors

  /// Returns the reason why an edit of an item could not be stored, until that part of the item is
  /// edited again.
  package func error(of edit: ItemEdit.ID) -> AppError? { edits.failures[edit]?.error }

  /// The error of an edit or a reset that was refused because the account may not edit the charter,
  /// or `nil`.
  package var refusal: AppError? {
    canEdit ? nil : resetError ?? edits.failures.values.first?.error
  }

  /// Returns the latest entered note and condition of an item, stored or not.
  package func draft(of itemID: UUID) -> ItemRemarks {
    var draft = remarks(of: itemID)
    if case .note(_, let note) = edits.failures[.note(itemID)]?.edit { draft.note = note }
    if case .issue(_, let issue) = edits.failures[.issue(itemID)]?.edit { draft.issue = issue }
    return draft
  }

  /// The items with an edit that could not be stored.
  package var unsavedItems: Set<UUID> { Set(edits.failures.keys.map(\.itemID)) }

  // MARK: - Progress

  /// The number of items.
  package var itemCount: Int { checklist?.itemIDs.count ?? 0 }

  /// The number of items that are shown as checked.
  public var checkedCount: Int { checklist?.itemIDs.count { isChecked($0) } ?? 0 }

  /// Whether the checklist has items, and all are shown as checked.
  package var isComplete: Bool { itemCount > 0 && checkedCount == itemCount }

  /// The date of the latest check if the checklist is complete and the date is known, otherwise
  /// `nil`.
  package var completedAt: Date? {
    guard isComplete else { return nil }
    return checklist?.itemIDs.compactMap { items.checks[$0]?.date }.max()
  }

  /// Returns the number of items of a section that are shown as checked.
  public func checkedCount(in section: ChecklistSection) -> Int {
    section.items.count { isChecked($0.id) }
  }

  /// The critical items that are not shown as checked, in order.
  package var openCriticalItems: [ChecklistItem] {
    checklist?.items.filter { $0.isCritical && !isChecked($0.id) } ?? []
  }

  /// The number of items whose condition is a problem.
  package var problemCount: Int {
    checklist?.items.count { remarks(of: $0.id).issue?.isProblem ?? false } ?? 0
  }

  // MARK: - Finishing

  /// The current question, or `nil`.
  ///
  /// Its reason can disappear, for example if another member checks the last critical item.
  package var question: Question? {
    askedQuestion == .finish && !needsConfirmation ? nil : askedQuestion
  }

  private var needsConfirmation: Bool { !openCriticalItems.isEmpty || !unsavedItems.isEmpty }

  /// Clears the question.
  package func dismissQuestion() { askedQuestion = nil }

  /// Finishes the checklist once all edits are stored. If a critical item is unchecked or an edit
  /// could not be stored, asks the user first.
  ///
  /// Nothing is stored by that: a checklist is complete by its ticks alone.
  package func finish() async {
    await settled()
    guard checklist != nil else { return }
    askedQuestion = needsConfirmation ? .finish : nil
    isFinished = askedQuestion == nil
  }

  /// Finishes although critical items are unchecked or edits could not be stored.
  package func confirmFinish() async {
    await settled()
    guard checklist != nil else { return }
    askedQuestion = nil
    isFinished = true
  }

  // MARK: - Resetting

  /// Asks whether to delete all ticks, notes and conditions.
  package func reset() {
    guard checklist != nil else { return }
    askedQuestion = .reset
  }

  /// Deletes all ticks, notes and conditions, and returns when the screen is updated.
  ///
  /// If that fails, nothing changes, and ``resetError`` has the reason.
  /// - Returns: a closure that restores them except for items that were edited since, or `nil` if
  ///   nothing was deleted.
  @discardableResult
  package func confirmReset() async -> (@MainActor () async throws -> Void)? {
    await settled()
    guard checklist != nil else { return nil }
    askedQuestion = nil
    do {
      guard canEdit else { throw RepositoryError.forbidden }
      let cleared = try await repository.clearExecutionState(
        checklistID: checklistID, charterID: charterID)
      (resetError, isFinished) = (nil, false)
      edits.clearFailures()
      await edits.catchUp()
      guard let cleared else { return nil }
      return { [repository] in try await repository.restoreExecutionState(cleared) }
    } catch {
      resetError = AppError(saving: error)
      return nil
    }
  }
}
