import Foundation
import Offshore
import OffshoreSync

/// How far one person has got with one card, as it is stored.
struct CardProgressRow: Equatable, Identifiable, Sendable {
  let id: UUID
  var userID: UUID
  var deckID: UUID
  var cardID: UUID
  var knownCount: Int
  var dueAt: Date
  var lastUpdated: Date
}

extension CardProgressRow: Record {
  static let table = Table(
    "flashcardProgress", CardProgressRow.init,
    Column("id", \.id).primaryKey(),
    Column("userID", \.userID),
    Column("deckID", \.deckID)
      .references("flashcardDecks", column: "id", onDelete: .cascade, onUpdate: .cascade),
    Column("cardID", \.cardID),
    Column("knownCount", \.knownCount).default(0),
    Column("dueAt", \.dueAt, as: .text).type("DATETIME"),
    Column("lastUpdated", \.lastUpdated, as: .text).type("DATETIME")
  ).index(\.deckID, \.userID, name: "idx_flashcardProgress_deck")
}

extension CardProgressRow {
  /// The id that every device gives a person's progress with a card: a version 5 UUID of user and
  /// card as upper-case texts in the deck's id as namespace.
  static func id(userID: UUID, deckID: UUID, cardID: UUID) -> UUID {
    UUID(name: "\(userID.uuidString).\(cardID.uuidString)", in: deckID)
  }

  init(_ progress: CardProgress, userID: UUID, deckID: UUID, at now: Date) {
    self.init(
      id: Self.id(userID: userID, deckID: deckID, cardID: progress.cardID), userID: userID,
      deckID: deckID, cardID: progress.cardID, knownCount: progress.knownCount,
      dueAt: progress.dueAt, lastUpdated: now)
  }

  var progress: CardProgress { CardProgress(cardID: cardID, knownCount: knownCount, dueAt: dueAt) }
}
