import Foundation
import Offshore
import OffshorePresentation

/// Studying the cards of a deck.
extension LibraryStore {
  /// Notes how well the user knew a card that is due; see ``DeckRepository``.
  /// - Throws: ``RepositoryError``: `notFound` where the deck has no such card.
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress {
    try await repository.recordAnswer(answer, cardID: cardID, deckID: deckID)
  }

  /// How far the user has got with the cards of a deck, to follow.
  func liveProgress(ofDeck id: UUID) -> Live<ReadableRows<CardProgress>> {
    Live { [repository] in repository.studyProgress(ofDeck: id) }
  }
}
