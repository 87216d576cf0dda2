public import Foundation
public import Observation
public import OffshorePresentation
public import OffshoreSync
public import OffshoreWire

/// Running a checklist in a charter: ticks, notes and conditions show at once, and are stored right away.
@MainActor @Observable
public final class ChecklistExecutionViewModel {
  /// A question to answer before something is done.
  public enum Question: Equatable, Sendable {
    /// Whether to finish although critical items are open or an edit could not be saved.
    case finish
    /// Whether to remove all ticks, notes and conditions.
    case reset
  }

  /// The most characters that a note may have.
  public nonisolated static let maximumNoteLength = 2_000

  public let charterID: UUID
  public let checklistID: UUID

  /// Whether the checklist was finished, and nothing was changed since.
  public private(set) var isFinished = false
  /// Why the last reset failed; `nil` if it did not.
  public private(set) var resetError: AppError?

  /// The items whose note and condition were opened.
  private var openedRemarks: Set<UUID> = []
  private var asked: Question?
  private let edits: LiveEdits<ItemProgress, ItemEdit>
  private let repository: any ChecklistExecutionRepository
  private let liveChecklist: Live<Checklist>
  private let liveCharter: Live<CharterModel?>?
  private let itemHistory: ItemHistory
  private let liveChanges: Live<[HistoryPlace: Bool]>?
  private let access: ScopeAccess?
  private let today: Today?
  private let readUserName: @MainActor () -> String?
  private var loading: Task<Void, Never>?
  /// The sections that were folded or unfolded by hand, with whether they are expanded.
  private var foldings: [UUID: Bool] = [:]

  /// Takes the dependencies of the screen. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - charterStore: observes the charter, if the screen names it.
  ///   - assigns: whether the first edit adds the checklist to the charter, which may lack it: it is run by
  ///     a link, or another member removed it. Without that no page of the charter shows its ticks.
  ///   - access: knows whether the charter may be edited; it may if this is `nil`.
  ///   - store: the file, if the screen marks the items that have a history.
  ///   - now: the current date.
  ///   - userName: the name of the account that the device belongs to, if any.
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
    liveChanges = history.map { history in Live { history.changedPlaces() } }
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

  /// The checklist once it and its progress are loaded: the charter's snapshot, or the library's.
  public var checklist: Checklist? { edits.isKnown ? liveChecklist.state.data : nil }

  /// The charter, once it is loaded, if the screen names it.
  public var charter: CharterModel? { liveCharter?.state.data ?? nil }

  /// Whether the charter may be edited here.
  public var canEdit: Bool { access?.canEdit ?? true }

  /// The account's role in the charter, if it is shared.
  public var role: Role? { access?.role }

  /// The history that an item has if several devices changed it at the same time.
  public enum ItemVersions: Sendable {
    /// Two values differ, and are undecided.
    case open
    /// The values are the same, or a user has decided.
    case decided
  }

  /// The history of an item, or `nil` if it has none.
  public func versions(of itemID: UUID) -> ItemVersions? {
    guard let places = liveChanges?.state.data, !places.isEmpty else { return nil }
    let found = itemHistory.places(of: itemID).compactMap { places[$0] }
    guard !found.isEmpty else { return nil }
    return found.contains(true) && canEdit ? .open : .decided
  }

  /// Whether checklist and progress are being loaded.
  public var isLoading: Bool { loading != nil }

  /// Why checklist or progress could not be loaded. Nothing can be changed then.
  public var loadError: AppError? {
    charterError ?? liveChecklist.loadError ?? edits.loadError
  }

  /// The error of a charter that does not exist. A charter that cannot be read does not matter here.
  private var charterError: AppError? {
    if case .loaded(nil) = liveCharter?.state { .database(.notFound) } else { nil }
  }

  /// Why the screen may be out of date, if it may.
  public var refreshError: AppError? {
    (liveChecklist.refreshError ?? edits.refreshError)?.ofShown
  }

  /// Why notes on items do not show, if some cannot be read.
  public var unreadable: [AppError] { items.unreadable.map(\.asAppError) }

  /// Loads the checklist and its progress, and observes both from then on.
  ///
  /// It writes nothing. If it fails, ``loadError`` says why, and calling it again tries again. A
  /// call while another one loads waits with it.
  public func load() async {
    let loading = loading ?? Task { await loadOnce() }
    self.loading = loading
    await loading.value
  }

  private func loadOnce() async {
    async let checklist: Void = liveChecklist.load()
    async let progress: Void = edits.load()
    async let changes: Void? = liveChanges?.load()
    async let role: Void? = access?.load()
    await liveCharter?.load()
    _ = await (checklist, progress, changes, role)
    foldCompleteSections()
    loading = nil
  }

  /// The name of the account that the device belongs to, if any.
  public var userName: String? { readUserName() }

  /// Whether a moment lies in the current day, which the screen follows by ``followDays()``.
  public func isToday(_ moment: Date) -> Bool { today?.contains(moment) ?? true }

  /// Follows the current day until the task is cancelled.
  public func followDays() async { await today?.follow() }

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

  /// Folds the sections that are complete. It happens when the screen opens, never under the user's finger.
  private func foldCompleteSections() {
    for section in checklist?.sections ?? [] where foldings[section.id] == nil {
      let isComplete = !section.items.isEmpty && checkedCount(in: section) == section.items.count
      foldings[section.id] = isComplete ? false : section.isExpandedByDefault
    }
  }

  /// Shows or hides a section's items.
  public func toggleSection(_ sectionID: UUID) {
    expandedSections.formSymmetricDifference([sectionID])
  }

  // MARK: - Ticks, notes and conditions

  private var items: ItemProgress { edits.state.data ?? ItemProgress() }

  /// The items that show as checked.
  public var checkedItems: Set<UUID> { items.checkedItems }

  /// Whether an item shows as checked.
  public func isChecked(_ itemID: UUID) -> Bool { items.checks[itemID] != nil }

  /// The check of an item, or `nil` if it does not show as checked.
  public func check(of itemID: UUID) -> ItemCheck? { items.checks[itemID] }

  /// The note and the condition of an item.
  public func remarks(of itemID: UUID) -> ItemRemarks { items.remarks[itemID] ?? ItemRemarks() }

  /// Changes an item to the other of checked and not, as it shows; see ``setItem(_:isChecked:)``.
  public func toggleItem(_ itemID: UUID) { setItem(itemID, isChecked: !isChecked(itemID)) }

  /// Checks an item, or clears its check. That shows at once and is then stored, even if it shows
  /// already, because the screen may be older than the stored state.
  ///
  /// Does nothing before the checklist is loaded, and for items that it does not have.
  public func setItem(_ itemID: UUID, isChecked: Bool) { make(.tick(itemID, isChecked)) }

  /// Changes the note of an item; a blank one removes it. That shows at once and is then stored.
  ///
  /// Does nothing before the checklist is loaded, and for items that it does not have.
  public func setNote(_ itemID: UUID, to text: String?) {
    let note = text?.trimmedOrNil
    guard let note, note.count > Self.maximumNoteLength else { return make(.note(itemID, note)) }
    let error = ValidationError.tooLong(field: "note", maximum: Self.maximumNoteLength)
    make(.note(itemID, note), refusedBy: .validation(error))
  }

  /// Changes the condition of an item. That shows at once and is then stored.
  ///
  /// Does nothing before the checklist is loaded, and for items that it does not have.
  public func setIssue(_ itemID: UUID, to issue: ChecklistItemIssue?) {
    make(.issue(itemID, issue))
  }

  /// Opens the note and the condition of an item for editing.
  public func openRemarks(of itemID: UUID) { openedRemarks.insert(itemID) }

  /// Whether the note and the condition of an item are shown for editing: they were opened, or an edit of them
  /// failed.
  public func showsRemarks(of itemID: UUID) -> Bool {
    openedRemarks.contains(itemID) || error(of: .note(itemID)) != nil
      || error(of: .issue(itemID)) != nil
  }

  /// Changes the note of an item if a form differs from its first text.
  ///
  /// A form that was opened long ago does not undo changes by others. An edit that could not be saved is
  /// tried again in any case.
  public func setNote(_ itemID: UUID, to text: String, from before: String) {
    if text.trimmedOrNil != before.trimmedOrNil || error(of: .note(itemID)) != nil {
      setNote(itemID, to: text)
    }
  }

  private func make(_ edit: ItemEdit, refusedBy error: AppError? = nil) {
    guard checklist?.itemIDs.contains(edit.id.itemID) ?? false else { return }
    if let error = canEdit ? error : .auth(.forbidden) {
      return edits.refuse(edit, because: error)
    }
    isFinished = false
    edits.make(edit)
  }

  /// Waits until all edits are on disk or have failed; see ``error(of:)``.
  public func settled() async { await edits.settled() }

  // MARK: - Errors

  /// The reason why an edit of an item could not be saved, until that part of the item is edited again.
  package func error(of edit: ItemEdit.ID) -> AppError? { edits.failures[edit]?.error }

  /// The reason why an edit or a reset was refused to an account that may not edit the charter.
  package var refusal: AppError? {
    canEdit ? nil : resetError ?? edits.failures.values.first?.error
  }

  /// The note and the condition of an item as they were entered last, stored or not.
  public func draft(of itemID: UUID) -> ItemRemarks {
    var draft = remarks(of: itemID)
    if case .note(_, let note) = edits.failures[.note(itemID)]?.edit { draft.note = note }
    if case .issue(_, let issue) = edits.failures[.issue(itemID)]?.edit { draft.issue = issue }
    return draft
  }

  /// The items with an edit that could not be saved.
  public var unsavedItems: Set<UUID> { Set(edits.failures.keys.map(\.itemID)) }

  // MARK: - Progress

  /// The number of items.
  public var itemCount: Int { checklist?.itemIDs.count ?? 0 }

  /// The number of current items that show as checked.
  public var checkedCount: Int { checklist?.itemIDs.count { isChecked($0) } ?? 0 }

  /// Whether the checklist has items, and all show as checked.
  public var isComplete: Bool { itemCount > 0 && checkedCount == itemCount }

  /// The date of the latest check of a complete checklist, if it is known.
  public var completedAt: Date? {
    guard isComplete else { return nil }
    return checklist?.itemIDs.compactMap { items.checks[$0]?.date }.max()
  }

  /// The number of items of a section that show as checked.
  public func checkedCount(in section: ChecklistSection) -> Int {
    section.items.count { isChecked($0.id) }
  }

  /// The critical items that do not show as checked, in order.
  public var openCriticalItems: [ChecklistItem] {
    checklist?.items.filter { $0.isCritical && !isChecked($0.id) } ?? []
  }

  /// The number of items whose condition is a problem.
  public var problemCount: Int {
    checklist?.items.count { remarks(of: $0.id).issue?.isProblem ?? false } ?? 0
  }

  // MARK: - Finishing

  /// The question that the screen asks now, if any.
  ///
  /// Its reason may go away by itself, as when somebody else ticks the last critical item.
  public var question: Question? { asked == .finish && !hasLooseEnds ? nil : asked }

  private var hasLooseEnds: Bool { !openCriticalItems.isEmpty || !unsavedItems.isEmpty }

  /// Drops the question.
  public func dismissQuestion() { asked = nil }

  /// Finishes once all edits are on disk. Asks first if a critical item is open or an edit could not be
  /// saved.
  ///
  /// Nothing is stored by that: a checklist is complete by its ticks alone.
  public func finish() async {
    await settled()
    guard checklist != nil else { return }
    asked = hasLooseEnds ? .finish : nil
    isFinished = asked == nil
  }

  /// Finishes with loose ends.
  public func confirmFinish() async {
    await settled()
    guard checklist != nil else { return }
    asked = nil
    isFinished = true
  }

  // MARK: - Resetting

  /// Asks whether to remove all ticks, notes and conditions.
  public func reset() {
    guard checklist != nil else { return }
    asked = .reset
  }

  /// Removes all ticks, notes and conditions, and returns once the screen shows that.
  ///
  /// If that fails, everything stays and ``resetError`` says why.
  /// - Returns: a closure that restores them, except for items that were ticked or noted since, or `nil` if
  ///   nothing was removed.
  @discardableResult
  public func confirmReset() async -> (@MainActor () async throws -> Void)? {
    await settled()
    guard checklist != nil else { return nil }
    asked = nil
    do {
      guard canEdit else { throw RepositoryError.forbidden }
      let cleared = try await repository.clearExecutionState(
        checklistID: checklistID, charterID: charterID)
      (resetError, isFinished) = (nil, false)
      edits.forgetFailures()
      await edits.catchUp()
      guard let cleared else { return nil }
      return { [repository] in try await repository.restoreExecutionState(cleared) }
    } catch {
      resetError = AppError(saving: error)
      return nil
    }
  }
}
