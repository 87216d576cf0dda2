public import Foundation
public import Offshore
import OffshoreSync

// Studying the cards of a deck.
extension LocalRepository {
  public func fetchDueCards(ofDeck id: UUID) async throws -> [Flashcard] {
    let (cards, unreadable) = try await read("fetchDueCards") { [now] reader in
      guard let deck = try FlashcardDeck.find(id).one(reader) else {
        throw RepositoryError.notFound
      }
      let progress = try Self.progress(ofDeck: id, reader)
      return (deck.dueCards(by: progress.rows, at: now()), progress.unreadable)
    }
    warn(of: unreadable)
    return cards
  }

  @discardableResult
  public func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress {
    try await write("recordAnswer") { [now] writer in
      guard let deck = try FlashcardDeck.find(deckID).one(writer),
        deck.cards.contains(where: { $0.id == cardID })
      else { throw RepositoryError.notFound }
      let now = now()
      let userID = try SyncedStore.userID(writer)
      let id = CardProgressRow.id(userID: userID, deckID: deckID, cardID: cardID)
      let previous = try CardProgressRow.find(id).one(writer)?.progress
      if let previous, previous.dueAt > now { return previous }
      let progress = StudySchedule.progress(of: cardID, after: previous, answer, at: now)
      try CardProgressRow(progress, userID: userID, deckID: deckID, at: now).save(writer)
      return progress
    }
  }

  public func studyProgress(
    ofDeck id: UUID
  ) -> any AsyncSequence<ReadableRows<CardProgress>, any Error> & Sendable {
    values("observeStudyProgress", unreadable: \.unreadable) { try Self.progress(ofDeck: id, $0) }
  }

  /// The progress of this device's user with the cards of a deck.
  private static func progress(
    ofDeck id: UUID, _ reader: Reader
  ) throws -> ReadableRows<CardProgress> {
    let userID = try SyncedStore.userID(reader)
    return try CardProgressRow.where { $0.deckID == id && $0.userID == userID }
      .order { [$0.dueAt.ascending, $0.id.ascending] }.readable(reader).map(\.progress)
  }
}
