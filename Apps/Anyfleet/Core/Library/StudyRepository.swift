public import Foundation
public import Offshore
import OffshoreSync

/// Stores how well users know the cards of decks. Every call throws ``RepositoryError``.
public protocol StudyRepository: Sendable {
  /// Stores the user's answer to a card that is due, in one transaction with reading its progress.
  ///
  /// After an answer its card is not due for some time. If several answers to a card are sent at once,
  /// from two tabs or by a double press, the first counts, and the others change nothing.
  /// - Returns: the progress after the answer; the stored progress if the card is not due any more.
  /// - Throws: ``RepositoryError``: `notFound` if the deck has no such card.
  @discardableResult
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress

  /// Observes the user's progress with the cards of a deck that were asked, with the errors of rows that
  /// are left out.
  func studyProgress(
    ofDeck id: UUID
  ) -> any AsyncSequence<ReadableRows<CardProgress>, any Error> & Sendable
}

extension LocalRepository: StudyRepository {
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
    file.readableValues("observeStudyProgress") { reader in
      let userID = try SyncedStore.userID(reader)
      return try CardProgressRow.where { $0.deckID == id && $0.userID == userID }
        .order { [$0.dueAt.ascending, $0.id.ascending] }.readable(reader).map(\.progress)
    }
  }
}
