public import Foundation
import OffshorePresentation

extension AppDependencies {
  /// The library.
  public func makeLibrary(_ part: LibraryPart = .checklists) -> LibraryViewModel {
    LibraryViewModel(store: libraryStore, part: part)
  }

  /// A checklist of the library.
  public func makeChecklistDetail(_ checklistID: UUID) -> ChecklistDetailViewModel {
    ChecklistDetailViewModel(
      store: libraryStore, checklistID: checklistID, creatorID: session.userID)
  }

  /// Changing a checklist of the library, or a charter's snapshot of one.
  public func makeChecklistEditor(
    _ checklistID: UUID, charterID: UUID? = nil
  ) -> ChecklistEditorViewModel {
    ChecklistEditorViewModel(
      store: libraryStore, checklistID: checklistID, charterID: charterID,
      creatorID: session.userID, now: now, access: charterID.map { makeCharterAccess($0) })
  }

  /// Writing a new checklist, under the id that its form was given before, where it was.
  public func makeNewChecklist(draftID: UUID? = nil) -> ChecklistEditorViewModel {
    ChecklistEditorViewModel(
      store: libraryStore, draftID: draftID, creatorID: session.userID, now: now)
  }

  /// A guide, to read and to change.
  public func makeGuide(_ guideID: UUID) -> GuideViewModel {
    GuideViewModel(store: libraryStore, guideID: guideID, creatorID: session.userID, now: now)
  }

  /// Writing a new guide, under the id that its form was given before, where it was.
  public func makeNewGuide(draftID: UUID? = nil) -> GuideViewModel {
    GuideViewModel(store: libraryStore, draftID: draftID, creatorID: session.userID, now: now)
  }

  /// A deck, to study and to change.
  public func makeDeck(_ deckID: UUID) -> DeckViewModel {
    DeckViewModel(store: libraryStore, deckID: deckID, creatorID: session.userID, now: now)
  }

  /// Writing a new deck, under the id that its form was given before, where it was.
  public func makeNewDeck(draftID: UUID? = nil) -> DeckViewModel {
    DeckViewModel(store: libraryStore, draftID: draftID, creatorID: session.userID, now: now)
  }
}
