import Foundation
public import Offshore

extension FlashcardDeck: Record {
  public static let table = Table(
    "flashcardDecks",
    FlashcardDeck.init(id:title:cards:creatorID:createdAt:updatedAt:),
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("cards", \.cards, as: .json),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))
}
