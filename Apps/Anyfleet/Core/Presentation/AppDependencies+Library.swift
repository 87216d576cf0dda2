public import Foundation
public import OffshorePresentation

// Editing and studying the library.
extension AppDependencies {
  /// Begins to edit an entry of the library, or a new one, under the id that its form was given before.
  public func makeDraft<Entry: LibraryEntry>(
    of type: Entry.Type, _ id: UUID?, isNew: Bool
  ) -> Draft<Entry> {
    libraryStore.draft(of: type, id, isNew: isNew, by: session.userID)
  }

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
