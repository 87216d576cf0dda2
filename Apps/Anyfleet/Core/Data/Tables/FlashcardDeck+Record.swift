import Foundation
public import Offshore

extension FlashcardDeck: Record {
  public static let table = Table(
    "flashcardDecks",
    FlashcardDeck.init(id:title:cards:creatorID:createdAt:updatedAt:),
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("cards", \.cards, as: .cards),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))
}

/// Stores the cards of a deck as a JSON array.
public enum CardsCodec: ColumnCodec {
  public static let sqlType = "TEXT"
  public static let samples: ([Flashcard], [Flashcard]) =
    ([], [Flashcard(id: UUIDText.samples.0, front: "", back: "")])

  public static func read(_ row: inout RowReader, _ index: Int32) -> [Flashcard] {
    row.json(index, sample: samples.0)
  }

  public static func bind(_ value: [Flashcard], _ row: inout RowWriter, _ index: Int32) {
    JSONCodec.bind(JSON(value), &row, index)
  }
}

extension CodecKind where Codec == CardsCodec {
  /// Cards as a JSON array.
  public static var cards: Self { Self() }
}
