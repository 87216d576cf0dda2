import Foundation
import Observation
import OffshorePresentation

/// The progress of a checklist in a charter as it is stored, and over it what was asked for since.
@MainActor @Observable
final class ExecutionProgress {
  let checklistID: UUID
  let charterID: UUID

  /// Whether the progress was read, if only that there is none.
  private(set) var isKnown = false
  /// Why the progress could not be read, while it never could.
  private(set) var loadError: AppError?
  /// Why what shows may be out of date, where it may.
  private(set) var refreshError: AppError?

  /// The progress as it was last read.
  private(set) var stored: ChecklistExecutionState?
  /// The items that show as checked: those stored, and over them what was asked for since.
  ///
  /// NB: Set only when it changes, as the remarks are, so that a screen is drawn once for a change
  /// and not again when it is stored, and when it has been read.
  private(set) var checkedItems: Set<UUID> = []
  /// What shows of notes and issues, by item.
  private(set) var remarks: [UUID: ItemRemarks] = [:]

  @ObservationIgnored private(set) lazy var ticks = makeTicks()
  @ObservationIgnored private(set) lazy var notes = makeNotes()
  @ObservationIgnored private(set) lazy var issues = makeIssues()

  @ObservationIgnored private var reading: Task<Void, any Error>?
  /// Whether what is being read may be from before something that has ended since.
  @ObservationIgnored private var isReadingOutdated = false
  /// Whether the next change will be told.
  @ObservationIgnored private var isFollowed = false
  @ObservationIgnored private var following: Task<Void, Never>?
  private let repository: any ChecklistExecutionRepository
  private let assignment: Assignment?

  /// Takes what stores the progress, and what gives the charter the checklist before anything is
  /// stored, where something does. Nothing is read before ``load()``.
  init(
    repository: any ChecklistExecutionRepository, charterID: UUID, checklistID: UUID,
    assignment: Assignment? = nil
  ) {
    self.repository = repository
    self.charterID = charterID
    self.checklistID = checklistID
    self.assignment = assignment
  }

  deinit { following?.cancel() }

  // MARK: - Reading

  /// Reads the progress, and follows it from then on. Where that fails, calling it again tries again.
  func load() async {
    isFollowed = false
    await refresh()
  }

  /// Reads the progress, and shows it in place of what was saved before.
  ///
  /// Where that fails, what shows stays, and ``refreshError`` says why.
  func refresh() async {
    do {
      try await readAgain()
      // NB: Only what changes is set, since a screen is drawn anew for whatever is.
      if loadError != nil { loadError = nil }
      if refreshError != nil { refreshError = nil }
    } catch {
      if isKnown { refreshError = error.asAppError } else { loadError = error.asAppError }
    }
  }

  /// Reads go one after the other, so that none brings what is older than what shows. One that is on
  /// its way when this is called does not count, since it may lack what was stored last.
  private func readAgain() async throws {
    isReadingOutdated = true
    let reading = reading ?? Task { try await read() }
    self.reading = reading
    try await reading.value
  }

  private func read() async throws {
    defer { reading = nil }
    while isReadingOutdated {
      isReadingOutdated = false
      let state = try await isFollowed ? readOnce() : follow()
      if !isReadingOutdated { show(state) }
    }
  }

  private func readOnce() async throws -> ChecklistExecutionState? {
    try await repository.loadExecutionState(checklistID: checklistID, charterID: charterID)
  }

  /// Reads the progress, and reads it again from then on whenever it changes, whoever changed it.
  ///
  /// NB: The first of what is followed is what there is, so that opening a screen reads once.
  private func follow() async throws -> ChecklistExecutionState? {
    let states = repository.executionStates(checklistID: checklistID, charterID: charterID)
    var changes = states.makeAsyncIterator()
    guard let first = try await changes.next(isolation: MainActor.shared) else {
      return try await readOnce()
    }
    isFollowed = true
    following?.cancel()
    following = Task { [weak self] in
      while !Task.isCancelled {
        do {
          guard try await changes.next(isolation: MainActor.shared) != nil else { return }
          await self?.refresh()
        } catch {
          self?.refreshError = error.asAppError
        }
      }
    }
    return first
  }

  private func show(_ state: ChecklistExecutionState?) {
    if stored != state { stored = state }
    ticks.forgetSaved()
    notes.forgetSaved()
    issues.forgetSaved()
    showTicks()
    showRemarks()
    if !isKnown { isKnown = true }
  }

  private func showTicks() {
    let states = stored?.itemStates ?? [:]
    var checked = Set<UUID>(minimumCapacity: states.count)
    for (item, state) in states where state.isChecked { checked.insert(item) }
    for (item, isChecked) in ticks.shown {
      if isChecked { checked.insert(item) } else { checked.remove(item) }
    }
    if checkedItems != checked { checkedItems = checked }
  }

  private func showRemarks() {
    var shown: [UUID: ItemRemarks] = [:]
    for (item, state) in stored?.itemStates ?? [:] where state.note != nil || state.issue != nil {
      shown[item] = ItemRemarks(note: state.note, issue: state.issue)
    }
    for (item, note) in notes.shown { shown[item, default: ItemRemarks()].note = note }
    for (item, issue) in issues.shown { shown[item, default: ItemRemarks()].issue = issue }
    if remarks != shown { remarks = shown }
  }

  // MARK: - Changing

  /// Waits until all that was asked for is on disk, or has failed.
  func settled() async {
    await ticks.settled()
    await notes.settled()
    await issues.settled()
  }

  /// Drops what could not be stored.
  func forgetFailures() {
    ticks.forgetFailures()
    notes.forgetFailures()
    issues.forgetFailures()
  }

  /// NB: Said in the same turn in which the saved value takes the place of the one on its way, so that
  /// no read that began before can come between and take it back.
  private func noteStored() {
    isReadingOutdated = true
    // What was stored by others after it may have been read already, and will not be told again.
    Task { await refresh() }
  }

  private func makeTicks() -> ItemChanges<Bool> {
    ItemChanges { [repository, assignment, checklistID, charterID] itemID, isChecked in
      if isChecked { try await assignment?.make() }
      try await repository.saveItemState(
        checklistID: checklistID, charterID: charterID, itemID: itemID, isChecked: isChecked)
    } stored: { [weak self] in
      self?.noteStored()
    } changed: { [weak self] in
      self?.showTicks()
    }
  }

  private func makeNotes() -> ItemChanges<String?> {
    ItemChanges { [repository, assignment, checklistID, charterID] itemID, note in
      if note != nil { try await assignment?.make() }
      try await repository.saveItemNote(
        checklistID: checklistID, charterID: charterID, itemID: itemID, note: note)
    } stored: { [weak self] in
      self?.noteStored()
    } changed: { [weak self] in
      self?.showRemarks()
    }
  }

  private func makeIssues() -> ItemChanges<ChecklistItemIssue?> {
    ItemChanges { [repository, assignment, checklistID, charterID] itemID, issue in
      if issue != nil { try await assignment?.make() }
      try await repository.saveItemIssue(
        checklistID: checklistID, charterID: charterID, itemID: itemID, issue: issue)
    } stored: { [weak self] in
      self?.noteStored()
    } changed: { [weak self] in
      self?.showRemarks()
    }
  }
}
