public import Foundation

/// Cards to learn by heart: lights, buoys, signals.
public struct FlashcardDeck: Identifiable, Equatable, Hashable, Sendable {
  /// How many cards there may be.
  public static let maximumCardCount = 300

  public var id: UUID
  public var title: String
  public var cards: [Flashcard]
  /// Who made it: the session's user.
  public var creatorID: UUID
  public var createdAt: Date
  public var updatedAt: Date

  /// Creates a deck.
  public init(
    id: UUID, title: String, cards: [Flashcard] = [], creatorID: UUID, createdAt: Date = Date(),
    updatedAt: Date? = nil
  ) {
    self.id = id
    self.title = title
    self.cards = cards
    self.creatorID = creatorID
    self.createdAt = createdAt
    self.updatedAt = updatedAt ?? createdAt
  }
}

/// A question and its answer.
public struct Flashcard: Identifiable, Equatable, Hashable, Codable, Sendable {
  /// How many characters the front may have.
  public static let maximumFrontLength = 300
  /// How many characters the back may have.
  public static let maximumBackLength = 1_000

  public var id: UUID
  /// What is asked.
  public var front: String
  /// What is to be known.
  public var back: String

  /// Creates a card.
  public init(id: UUID, front: String, back: String) {
    self.id = id
    self.front = front
    self.back = back
  }
}
