public import Foundation
public import Offshore
import OffshoreSync

/// The stored progress of users with flashcards. Every method throws ``RepositoryError``.
public protocol StudyRepository: Sendable {
  /// Stores the user's answer to a due card. Reading and writing the progress are one transaction.
  ///
  /// After an answer the card is not due for some time. If several answers to a card are sent at
  /// once, for example by a double click or from two tabs, only the first one is stored.
  /// - Returns: the progress after the answer, or the stored progress if the card was not due.
  /// - Throws: ``RepositoryError`` with `notFound` if the deck does not have the card.
  @discardableResult
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress

  /// Observes the user's progress with the cards of a deck, with the errors of unreadable rows.
  /// Cards without an answer have none.
  func studyProgress(ofDeck id: UUID) -> RepositoryValues<ReadableRows<CardProgress>>
}

/// The study progress in this device's database.
struct LocalStudyRepository: StudyRepository {
  let file: LoggedStore
  let now: @Sendable () -> Date

  @discardableResult
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress {
    try await file.write("recordAnswer") { [now] writer in
      guard let deck = try FlashcardDeck.find(deckID).first(writer),
        deck.cards.contains(where: { $0.id == cardID })
      else { throw RepositoryError.notFound }
      let now = now()
      let userID = try SyncedStore.userID(writer)
      let id = CardProgressRow.id(userID: userID, deckID: deckID, cardID: cardID)
      let previous = try CardProgressRow.find(id).first(writer)?.progress
      if let previous, previous.dueAt > now { return previous }
      let progress = StudySchedule.progress(of: cardID, after: previous, answer, at: now)
      try CardProgressRow(progress, userID: userID, deckID: deckID, at: now).save(writer)
      return progress
    }
  }

  func studyProgress(ofDeck id: UUID) -> RepositoryValues<ReadableRows<CardProgress>> {
    file.readableValues("observeStudyProgress") { reader in
      let userID = try SyncedStore.userID(reader)
      return try CardProgressRow.where { $0.deckID == id && $0.userID == userID }
        .order { [$0.dueAt.ascending, $0.id.ascending] }.readable(reader).map(\.progress)
    }
  }
}

/// The stored progress of one user with one card.
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
  /// Returns the id of a user's progress with a card, which is the same on every device.
  ///
  /// It is a version 5 UUID of both ids in upper case, separated by a point, with the deck's id as
  /// namespace.
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
