package import Anyfleet
import Foundation
import TestSupport

extension PracticeGuide {
  /// A guide of a heading and a paragraph.
  package static func sample(_ title: String = "Mooring") -> PracticeGuide {
    PracticeGuide(
      id: UUID(), title: title, body: "# Stern-to\n\nGo *slowly*.", tags: ["Med", "harbour"],
      creatorID: UUID(), createdAt: .day(1, 1))
  }
}

extension FlashcardDeck {
  /// A deck with a number of cards.
  package static func sample(_ title: String = "Lights", cards: Int = 3) -> FlashcardDeck {
    FlashcardDeck(
      id: UUID(), title: title,
      cards: (0..<cards).map { Flashcard(id: UUID(), front: "\($0)?", back: "\($0)!") },
      creatorID: UUID(), createdAt: .day(1, 1))
  }
}
