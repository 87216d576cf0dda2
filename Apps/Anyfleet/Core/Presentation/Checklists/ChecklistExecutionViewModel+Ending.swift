import Foundation
import OffshorePresentation

/// Finishing a checklist, and beginning it anew.
extension ChecklistExecutionViewModel {
  /// What the screen asks now, where it asks something.
  ///
  /// What made it ask may go away by itself, as when somebody else ticks the last critical item.
  public var question: Question? {
    asked == .finish && !hasLooseEnds ? nil : asked
  }

  /// Whether something should be looked at before the checklist is finished.
  private var hasLooseEnds: Bool { !openCriticalItems.isEmpty || !unsavedItems.isEmpty }

  /// Takes the question away and does nothing.
  public func dismissQuestion() { asked = nil }

  // MARK: - Finishing

  /// Finishes, once all is on disk; asks before where a critical item is open or something could not
  /// be saved.
  ///
  /// Nothing is stored by that: a checklist is complete by its ticks alone.
  public func finish() async {
    await settled()
    guard checklist != nil else { return }
    asked = hasLooseEnds ? .finish : nil
    isFinished = asked == nil
  }

  /// Finishes whatever is open.
  public func confirmFinish() async {
    await settled()
    guard checklist != nil else { return }
    asked = nil
    isFinished = true
  }

  // MARK: - Resetting

  /// Asks whether to forget all ticks and notes.
  public func reset() {
    guard checklist != nil else { return }
    asked = .reset
  }

  /// Forgets all ticks and notes, which ``undoReset()`` can put back.
  ///
  /// Where that fails, everything stays and ``resetError`` says why.
  public func confirmReset() async {
    await settled()
    guard checklist != nil else { return }
    asked = nil
    do {
      guard canEdit else { throw RepositoryError.forbidden }
      let removed = try await repository.clearExecutionState(
        checklistID: checklistID, charterID: charterID)
      if let removed { cleared.add(removed) }
      (resetError, isFinished) = (nil, false)
      progressStore.forgetFailures()
      await progressStore.refresh()
    } catch {
      resetError = AppError(saving: error)
    }
  }

  /// Whether ticks and notes were forgotten that can be put back.
  public var canUndoReset: Bool { cleared[executionID] != nil }

  /// Puts the ticks and notes back that were forgotten last; what was ticked since stays.
  ///
  /// Where that fails, it can be tried again and ``resetError`` says why.
  public func undoReset() async {
    do {
      guard canEdit else { throw RepositoryError.forbidden }
      try await cleared.restore(executionID) { [repository] in
        try await repository.restoreExecutionState($0)
      }
      resetError = nil
      await progressStore.refresh()
    } catch {
      resetError = AppError(saving: error)
    }
  }

  /// Lets go of what was forgotten.
  public func dismissUndo() { cleared.dismiss { $0.id == executionID } }

  private var executionID: ClearedExecution.ID {
    .init(charterID: charterID, checklistID: checklistID)
  }
}
