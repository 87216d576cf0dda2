public import Foundation
public import Observation
public import OffshorePresentation

/// A deck of flashcards, to study, to write, and to delete.
@MainActor @Observable
public final class DeckViewModel: EntryWriting {
  public let deckID: UUID
  /// Whether the deck is a new one.
  public let isNew: Bool
  public let editor: EntryEditor<DeckFormState>

  /// Why the deck could not be deleted or copied, where it could not.
  public private(set) var actionError: AppError?
  /// How the cards are studied.
  public let study: StudySession

  private var missingError: AppError?
  private let store: LibraryStore
  private let creatorID: UUID

  /// Takes what the screen needs, for a deck that is there. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - store: stores the deck.
  ///   - deckID: the deck.
  ///   - creatorID: the session's user.
  ///   - now: the current date.
  public convenience init(
    store: LibraryStore, deckID: UUID, creatorID: UUID,
    now: @escaping @MainActor () -> Date = { Date() }
  ) {
    self.init(store, deckID, creatorID, now, isNew: false)
  }

  /// Takes what the screen needs, for a new deck, which begins with one empty card.
  ///
  /// - Parameter draftID: the id that the form was given before, where it was; a new one unless
  ///   stated.
  public convenience init(
    store: LibraryStore, draftID: UUID? = nil, creatorID: UUID,
    now: @escaping @MainActor () -> Date = { Date() }
  ) {
    self.init(store, draftID ?? store.makeEntryID(), creatorID, now, isNew: true)
    restore(.init())
    addCard()
  }

  private init(
    _ store: LibraryStore, _ deckID: UUID, _ creatorID: UUID,
    _ now: @escaping @MainActor () -> Date, isNew: Bool
  ) {
    self.store = store
    self.deckID = deckID
    self.creatorID = creatorID
    self.isNew = isNew
    editor = EntryEditor(id: deckID, creatorID: creatorID, now: now) {
      try await store.saveDeck($0, over: $1)
    }
    study = StudySession(store: store, deckID: deckID, now: now)
  }

  // MARK: - Showing

  /// The deck; an error where there is none.
  public var deck: ViewState<FlashcardDeck> {
    store.decks.element(deckID, missing: missingError)
  }

  /// Reads the deck and how well the user knows it, follows both from then on, and fills the form,
  /// once.
  public func load() async {
    guard !isNew else { return }
    if !store.decks.isKnown { await store.loadDecks() }
    if deck.data == nil, store.decks.isKnown { await lookForMissing() }
    guard let deck = deck.data else { return }
    if !isFilled { editor.fill(DeckFormState(deck)) }
    await study.load()
  }

  /// Asks why the deck is not among those that can be read.
  private func lookForMissing() async {
    do {
      _ = try await store.fetchDeck(deckID)
      await store.loadDecks()
      missingError = nil
    } catch {
      missingError = error.asAppError
    }
  }

  // MARK: - Writing

  /// Why there is no deck to change. One that is deleted while it is being changed is none of that.
  public var loadError: AppError? { isFilled ? nil : deck.errorValue }

  /// Adds an empty card at the end.
  public func addCard() { form.addCard(id: store.makeEntryID()) }

  // MARK: - Deleting and copying

  /// Removes the deck with everybody's progress; ``LibraryStore/restoreEntry(_:in:)`` puts both back.
  /// - Returns: whether it is gone; if not, ``actionError`` says why.
  public func delete() async -> Bool {
    await attempt { try await store.deleteDeck(deckID) } != nil
  }

  /// Stores a copy, without progress.
  /// - Parameter language: the language in which its title says that it is one.
  /// - Returns: the copy, or `nil` where ``actionError`` says why there is none.
  public func duplicate(in language: Language) async -> FlashcardDeck? {
    await attempt { try await store.duplicateDeck(deckID, by: creatorID, in: language) }
  }

  private func attempt<Result>(_ action: () async throws -> Result) async -> Result? {
    do {
      let result = try await action()
      actionError = nil
      return result
    } catch {
      actionError = AppError(saving: error)
      return nil
    }
  }
}
