public import Foundation
public import Offshore
import OffshoreSync

extension LocalRepository: DeckRepository {
  public func fetchDeck(_ id: UUID) async throws -> FlashcardDeck? {
    try await read("fetchDeck") { try FlashcardDeck.find(id).one($0) }
  }

  public func fetchUserDecks() async throws -> [FlashcardDeck] {
    try await readList("fetchUserDecks") { try Self.decksByTitle($0) }
  }

  public func saveDeck(_ deck: FlashcardDeck) async throws {
    try await write("saveDeck") { try deck.owned($0).save($0) }
  }

  @discardableResult
  public func deleteDeck(_ id: UUID) async throws -> DeletedEntry? {
    // Progress refers to it and goes with it.
    try await write("deleteDeck") { try Self.deleteEntry(FlashcardDeck.self, id, $0) }
  }

  public func decks() -> any AsyncSequence<ReadableRows<FlashcardDeck>, any Error> & Sendable {
    values("observeDecks", unreadable: \.unreadable) { try Self.decksByTitle($0) }
  }

  private static func decksByTitle(_ reader: Reader) throws -> ReadableRows<FlashcardDeck> {
    try FlashcardDeck.order { [$0.id.ascending] }.readable(reader).sorted(by: \.title)
  }
}

// MARK: - Studying

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

  /// How far this device's user has got with the cards of a deck.
  private static func progress(
    ofDeck id: UUID, _ reader: Reader
  ) throws -> ReadableRows<CardProgress> {
    let userID = try SyncedStore.userID(reader)
    return try CardProgressRow.where { $0.deckID == id && $0.userID == userID }
      .order { [$0.dueAt.ascending, $0.id.ascending] }.readable(reader).map(\.progress)
  }
}
