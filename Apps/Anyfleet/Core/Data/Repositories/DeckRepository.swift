public import Foundation
public import Offshore

/// Stores decks of flashcards, and how far the session's user has got with them. Every call throws
/// ``RepositoryError``.
public protocol DeckRepository: Sendable {
  /// One deck, or `nil` where there is none of that id.
  func fetchDeck(_ id: UUID) async throws -> FlashcardDeck?

  /// All decks, by their titles. A row that cannot be read is left out and logged.
  func fetchUserDecks() async throws -> [FlashcardDeck]

  /// Stores a deck, new or changed. Progress with cards that it keeps stays.
  func saveDeck(_ deck: FlashcardDeck) async throws

  /// Stores a deck that was made from a version of it, unless something else is stored by now; see
  /// ``LibraryRepository/saveChecklist(_:over:)``.
  @discardableResult
  func saveDeck(_ deck: FlashcardDeck, over version: Date?) async throws -> FlashcardDeck

  /// Removes a deck with everybody's progress.
  /// - Returns: what it takes to put it back; `nil` where there is no such deck, or not any more.
  @discardableResult
  func deleteDeck(_ id: UUID) async throws -> DeletedEntry?

  // MARK: Studying

  /// The cards of a deck that the user is to be asked now; see ``FlashcardDeck/dueCards(by:at:)``.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such deck.
  func fetchDueCards(ofDeck id: UUID) async throws -> [Flashcard]

  /// Notes how well the user knew a card that is due, in one step with what was there before.
  ///
  /// Every answer lets its card rest. So of several that are sent for one card at once, from two tabs
  /// or by a double press, the first counts, and the others change nothing.
  /// - Returns: the progress from now on; as it was where the card is not due any more.
  /// - Throws: ``RepositoryError``: `notFound` where the deck has no such card.
  @discardableResult
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress

  // MARK: Observation

  /// What ``fetchUserDecks()`` returns, at once and again after each change, and why rows are left
  /// out.
  func decks() -> any AsyncSequence<ReadableRows<FlashcardDeck>, any Error> & Sendable

  /// How far the user has got with the cards of a deck that were asked, at once and again after each
  /// change, and why rows are left out.
  func studyProgress(
    ofDeck id: UUID
  ) -> any AsyncSequence<ReadableRows<CardProgress>, any Error> & Sendable
}

extension DeckRepository {
  /// The decks at once, for repositories that cannot be observed.
  public func decks() -> any AsyncSequence<ReadableRows<FlashcardDeck>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchUserDecks()) }
  }
}
