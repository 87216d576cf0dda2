public import Foundation
public import Offshore

/// Stores decks of flashcards, and the progress of the session's user with them. Every call throws
/// ``RepositoryError``.
public protocol DeckRepository: Sendable {
  /// Fetches a deck, or `nil` if there is none of that id.
  func fetchDeck(_ id: UUID) async throws -> FlashcardDeck?

  /// Fetches all decks by their titles. A row that cannot be read is left out and logged.
  func fetchUserDecks() async throws -> [FlashcardDeck]

  /// Stores a deck, new or changed. Progress with its remaining cards stays.
  func saveDeck(_ deck: FlashcardDeck) async throws

  /// Stores a deck that was made from a version of it, unless something else is stored by now; see
  /// ``LibraryRepository/saveChecklist(_:over:)``.
  @discardableResult
  func saveDeck(_ deck: FlashcardDeck, over version: Date?) async throws -> FlashcardDeck

  /// Deletes a deck with the progress of all users.
  /// - Returns: the deleted rows for ``LibraryRepository/restoreEntry(_:)``, or `nil` if there is no such
  ///   deck.
  @discardableResult
  func deleteDeck(_ id: UUID) async throws -> DeletedEntry?

  // MARK: Studying

  /// Fetches the cards of a deck that are due for the user; see ``FlashcardDeck/dueCards(by:at:)``.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such deck.
  func fetchDueCards(ofDeck id: UUID) async throws -> [Flashcard]

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

  // MARK: Observation

  /// Observes the result of ``fetchUserDecks()``: now and after each change, with the errors of rows that
  /// are left out.
  func decks() -> any AsyncSequence<ReadableRows<FlashcardDeck>, any Error> & Sendable

  /// Observes the user's progress with the cards of a deck that were asked: now and after each change,
  /// with the errors of rows that are left out.
  func studyProgress(
    ofDeck id: UUID
  ) -> any AsyncSequence<ReadableRows<CardProgress>, any Error> & Sendable
}

extension DeckRepository {
  /// Returns the current decks once, for repositories that cannot be observed.
  public func decks() -> any AsyncSequence<ReadableRows<FlashcardDeck>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchUserDecks()) }
  }
}
