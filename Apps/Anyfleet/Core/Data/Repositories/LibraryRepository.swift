public import Foundation
public import Offshore
public import OffshorePresentation

/// Stores the user's library. Every call throws ``RepositoryError``.
public protocol LibraryRepository: CharterChecklistRepository {
  /// Fetches an entry, or `nil` if there is none of that id.
  func fetch<Entry: LibraryEntry>(_ type: Entry.Type, _ id: UUID) async throws -> Entry?

  /// Fetches all entries of a kind by their titles. A row that cannot be read is left out and logged.
  func fetchAll<Entry: LibraryEntry>(_ type: Entry.Type) async throws -> [Entry]

  /// Stores an entry, new or changed.
  func save<Entry: LibraryEntry>(_ entry: Entry) async throws

  /// Merges a form into the entry that is stored by now, and stores it.
  /// - Parameter blank: the entry that is filled in if none is stored.
  /// - Throws: ``RepositoryError``; `DraftError`.
  func save<Entry: LibraryEntry>(
    _ change: DraftChange<Entry>, blank: Entry
  ) async throws -> Entry

  /// Deletes an entry with the rows that refer to it: a deck with the progress of all users. Progress on
  /// a checklist and snapshots of it stay until their charter is deleted.
  /// - Returns: the deleted rows for ``restoreEntry(_:)``, or `nil` if there is no such entry.
  @discardableResult
  func delete<Entry: LibraryEntry>(_ type: Entry.Type, _ id: UUID) async throws -> DeletedEntry?

  /// Restores a deleted entry as it was. Rows that exist by now stay.
  func restoreEntry(_ deleted: DeletedEntry) async throws

  /// Observes an entry: now and after each change.
  func entry<Entry: LibraryEntry>(
    _ type: Entry.Type, _ id: UUID
  ) -> any AsyncSequence<Entry?, any Error> & Sendable

  /// Observes the entries of a kind, with the errors of rows that are left out.
  func entries<Entry: LibraryEntry>(
    _ type: Entry.Type
  ) -> any AsyncSequence<ReadableRows<Entry>, any Error> & Sendable

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

  /// Observes the user's progress with the cards of a deck that were asked, with the errors of rows that
  /// are left out.
  func studyProgress(
    ofDeck id: UUID
  ) -> any AsyncSequence<ReadableRows<CardProgress>, any Error> & Sendable
}

// MARK: - The kinds by name

extension LibraryRepository {
  /// Fetches a checklist, or `nil` if there is none of that id.
  public func fetchChecklist(_ id: UUID) async throws -> Checklist? {
    try await fetch(Checklist.self, id)
  }
  /// Fetches all checklists by their titles.
  public func fetchUserChecklists() async throws -> [Checklist] {
    try await fetchAll(Checklist.self)
  }
  /// Stores a checklist. Progress on it is counted anew in every charter that has no snapshot of it.
  public func saveChecklist(_ checklist: Checklist) async throws { try await save(checklist) }
  /// Deletes a checklist.
  @discardableResult
  public func deleteChecklist(_ id: UUID) async throws -> DeletedEntry? {
    try await delete(Checklist.self, id)
  }
  /// Fetches all guides by their titles.
  public func fetchUserGuides() async throws -> [PracticeGuide] {
    try await fetchAll(PracticeGuide.self)
  }
  /// Fetches a guide, or `nil` if there is none of that id.
  public func fetchGuide(_ id: UUID) async throws -> PracticeGuide? {
    try await fetch(PracticeGuide.self, id)
  }
  /// Stores a guide.
  public func saveGuide(_ guide: PracticeGuide) async throws { try await save(guide) }
  /// Deletes a guide.
  @discardableResult
  public func deleteGuide(_ id: UUID) async throws -> DeletedEntry? {
    try await delete(PracticeGuide.self, id)
  }
  /// Fetches all decks by their titles.
  public func fetchUserDecks() async throws -> [FlashcardDeck] {
    try await fetchAll(FlashcardDeck.self)
  }
  /// Fetches a deck, or `nil` if there is none of that id.
  public func fetchDeck(_ id: UUID) async throws -> FlashcardDeck? {
    try await fetch(FlashcardDeck.self, id)
  }
  /// Stores a deck. Progress with its remaining cards stays.
  public func saveDeck(_ deck: FlashcardDeck) async throws { try await save(deck) }
  /// Deletes a deck with the progress of all users.
  @discardableResult
  public func deleteDeck(_ id: UUID) async throws -> DeletedEntry? {
    try await delete(FlashcardDeck.self, id)
  }
}
