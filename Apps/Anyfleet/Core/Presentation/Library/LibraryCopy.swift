import Foundation
import OffshorePresentation

/// Makes copies of what is in the library, with new ids all the way down.
struct LibraryCopy {
  /// Whose the copy is.
  let creatorID: UUID
  /// The language in which its title says that it is one.
  let language: Language
  let now: Date
  let makeID: () -> UUID

  /// A copy of a checklist.
  func of(_ checklist: Checklist) -> Checklist {
    Checklist(
      id: makeID(), title: title(checklist.title, limit: Checklist.maximumTitleLength),
      sections: checklist.sections.map(section), creatorID: creatorID,
      description: checklist.description, createdAt: now)
  }

  /// A copy of a guide.
  func of(_ guide: PracticeGuide) -> PracticeGuide {
    PracticeGuide(
      id: makeID(), title: title(guide.title, limit: PracticeGuide.maximumTitleLength),
      body: guide.body, tags: guide.tags, creatorID: creatorID, createdAt: now)
  }

  /// A copy of a deck, of which nobody has studied a card yet.
  func of(_ deck: FlashcardDeck) -> FlashcardDeck {
    FlashcardDeck(
      id: makeID(), title: title(deck.title, limit: FlashcardDeck.maximumTitleLength),
      cards: deck.cards.map { Flashcard(id: makeID(), front: $0.front, back: $0.back) },
      creatorID: creatorID, createdAt: now)
  }

  private func section(_ section: ChecklistSection) -> ChecklistSection {
    ChecklistSection(
      id: makeID(), title: section.title, isExpandedByDefault: section.isExpandedByDefault,
      items: section.items.map { item in
        ChecklistItem(
          id: makeID(), title: item.title, note: item.note, isCritical: item.isCritical)
      })
  }

  /// A title that an editor takes, also where the one that is copied is as long as may be.
  private func title(_ title: String, limit: Int) -> String {
    let suffix = " " + LocalizedText.copy.in(language)
    return title.prefix(max(0, limit - suffix.count)) + suffix
  }
}

extension LocalizedText {
  fileprivate static let copy = LocalizedText(en: "copy", ru: "копия")
}
