public import Foundation

/// Something that was deleted from the library and can be put back.
public struct DeletedEntry: Equatable, Sendable {
  /// What it takes to put it back.
  enum Content: Equatable, Sendable {
    case checklist(Checklist)
    case guide(PracticeGuide)
    case deck(DeletedDeck)
  }

  /// Its id.
  public let id: UUID
  /// What it is called.
  public let title: String
  let content: Content

  init(_ checklist: Checklist) {
    (id, title, content) = (checklist.id, checklist.title, .checklist(checklist))
  }

  init(_ guide: PracticeGuide) {
    (id, title, content) = (guide.id, guide.title, .guide(guide))
  }

  init(_ deck: FlashcardDeck, _ deleted: DeletedDeck) {
    (id, title, content) = (deck.id, deck.title, .deck(deleted))
  }

  /// The part of the library that it was in.
  public var part: LibraryPart {
    switch content {
    case .checklist: .checklists
    case .guide: .guides
    case .deck: .decks
    }
  }
}
