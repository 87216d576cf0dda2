public import Foundation
public import OffshorePresentation

/// Notes on items, and what was found when they were looked at.
extension ChecklistExecutionViewModel {
  /// How many characters a note may have.
  public nonisolated static let maximumNoteLength = 2_000

  /// What the crew wrote about an item, as it shows.
  public func note(of itemID: UUID) -> String? { progressStore.remarks[itemID]?.note }

  /// What the crew found, as it shows.
  public func issue(of itemID: UUID) -> ChecklistItemIssue? {
    progressStore.remarks[itemID]?.issue
  }

  /// What is known of an item as it was last read: its tick, its note and what was found.
  public func itemState(_ itemID: UUID) -> ChecklistItemState? {
    progressStore.stored?.itemStates[itemID]
  }

  // MARK: - Changing

  /// Keeps what was written about an item, or nothing where it is blank. That shows at once, and is
  /// then stored.
  ///
  /// Does nothing before the checklist is loaded, and for items that it does not have.
  public func setNote(_ itemID: UUID, to text: String?) {
    guard canChange(itemID) else { return }
    let note = text?.trimmedOrNil
    guard canEdit else {
      return progressStore.notes.refuse(itemID, note, because: .auth(.forbidden))
    }
    if let note, note.count > Self.maximumNoteLength {
      let error = ValidationError.tooLong(field: "note", maximum: Self.maximumNoteLength)
      return progressStore.notes.refuse(itemID, note, because: .validation(error))
    }
    isFinished = false
    progressStore.notes.change(itemID, to: note)
  }

  /// Keeps what was found, or that nothing was said. That shows at once, and is then stored.
  ///
  /// Does nothing before the checklist is loaded, and for items that it does not have.
  public func setIssue(_ itemID: UUID, to issue: ChecklistItemIssue?) {
    guard canChange(itemID) else { return }
    guard canEdit else {
      return progressStore.issues.refuse(itemID, issue, because: .auth(.forbidden))
    }
    isFinished = false
    progressStore.issues.change(itemID, to: issue)
  }

  /// Keeps what a form says of an item, as far as it says other than when it was opened.
  ///
  /// So a form that was opened long ago does not take back what others changed since. What could not
  /// be saved the last time is tried again in any case.
  public func setRemarks(_ itemID: UUID, to remarks: ItemRemarks, from before: ItemRemarks) {
    if remarks.note != before.note || noteErrors[itemID] != nil {
      setNote(itemID, to: remarks.note)
    }
    if remarks.issue != before.issue || issueErrors[itemID] != nil {
      setIssue(itemID, to: remarks.issue)
    }
  }

  // MARK: - What failed

  /// Why items show their former note again, by item; until the note is set again.
  public var noteErrors: [UUID: AppError] { progressStore.notes.failures.mapValues(\.error) }

  /// Why items show their former issue again, by item; until the issue is set again.
  public var issueErrors: [UUID: AppError] { progressStore.issues.failures.mapValues(\.error) }

  /// What a field for an item's note holds: what was written last, stored or not.
  public func noteDraft(of itemID: UUID) -> String {
    let failure = progressStore.notes.failures[itemID]
    return (failure.map(\.value) ?? note(of: itemID)) ?? ""
  }

  /// What a choice of an item's issue holds: what was chosen last, stored or not.
  public func issueDraft(of itemID: UUID) -> ChecklistItemIssue? {
    let failure = progressStore.issues.failures[itemID]
    return failure.map(\.value) ?? issue(of: itemID)
  }

  /// The items of which something was asked for that could not be stored.
  public var unsavedItems: Set<UUID> {
    Set(progressStore.ticks.failures.keys).union(progressStore.notes.failures.keys)
      .union(progressStore.issues.failures.keys)
  }
}
