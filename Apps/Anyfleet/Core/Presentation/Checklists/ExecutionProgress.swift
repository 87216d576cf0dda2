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
  /// The items that are checked in it.
  private(set) var storedTicks: Set<UUID> = []

  @ObservationIgnored private(set) lazy var ticks = makeTicks()
  @ObservationIgnored private(set) lazy var notes = makeNotes()
  @ObservationIgnored private(set) lazy var issues = makeIssues()

  @ObservationIgnored private var reading: Task<Void, any Error>?
  /// Whether what is being read may be from before something that has ended since.
  @ObservationIgnored private var isReadingOutdated = false
  @ObservationIgnored private var following: Task<Void, Never>?
  private let repository: any ChecklistExecutionRepository

  /// Takes what stores the progress. Nothing is read before ``load()``.
  init(repository: any ChecklistExecutionRepository, charterID: UUID, checklistID: UUID) {
    self.repository = repository
    self.charterID = charterID
    self.checklistID = checklistID
  }

  deinit { following?.cancel() }

  // MARK: - Reading

  /// Reads the progress, and follows it from then on. Where that fails, calling it again tries again.
  func load() async {
    await refresh()
    if isKnown { follow() }
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
      let state = try await repository.loadExecutionState(
        checklistID: checklistID, charterID: charterID)
      if !isReadingOutdated { show(state) }
    }
  }

  private func show(_ state: ChecklistExecutionState?) {
    stored = state
    storedTicks = Set((state?.itemStates.values.filter(\.isChecked) ?? []).map(\.itemID))
    ticks.forgetSaved()
    notes.forgetSaved()
    issues.forgetSaved()
    if !isKnown { isKnown = true }
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
          await self?.refresh()
        } catch {
          self?.refreshError = error.asAppError
        }
      }
    }
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
    ItemChanges { [repository, checklistID, charterID] itemID, isChecked in
      try await repository.saveItemState(
        checklistID: checklistID, charterID: charterID, itemID: itemID, isChecked: isChecked)
    } stored: { [weak self] in
      self?.noteStored()
    }
  }

  private func makeNotes() -> ItemChanges<String?> {
    ItemChanges { [repository, checklistID, charterID] itemID, note in
      try await repository.saveItemNote(
        checklistID: checklistID, charterID: charterID, itemID: itemID, note: note)
    } stored: { [weak self] in
      self?.noteStored()
    }
  }

  private func makeIssues() -> ItemChanges<ChecklistItemIssue?> {
    ItemChanges { [repository, checklistID, charterID] itemID, issue in
      try await repository.saveItemIssue(
        checklistID: checklistID, charterID: charterID, itemID: itemID, issue: issue)
    } stored: { [weak self] in
      self?.noteStored()
    }
  }
}
