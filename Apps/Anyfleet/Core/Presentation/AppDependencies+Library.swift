public import Foundation
public import OffshorePresentation

// Editing and studying the library.
extension AppDependencies {
  /// Begins to edit a charter's snapshot of a checklist.
  public func makeDraft(ofChecklist id: UUID, inCharter charterID: UUID) -> ChecklistEditorViewModel
  {
    libraryStore.draft(ofChecklist: id, inCharter: charterID, by: session.userID)
  }

  /// Studying a deck.
  public func makeStudySession(_ deckID: UUID) -> StudySession {
    StudySession(store: libraryStore, deckID: deckID, now: now)
  }
}
