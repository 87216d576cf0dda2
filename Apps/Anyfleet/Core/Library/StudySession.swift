package import Foundation
import Observation
import Offshore
package import OffshorePresentation

/// A session in which the user studies the due cards of a deck, one after the other, front and
/// back.
///
/// The due dates are personal to the user.
@MainActor @Observable
package final class StudySession {
  /// The id of the deck.
  package let deckID: UUID
  /// The card whose back is shown, or `nil`.
  package private(set) var revealedCardID: UUID?
  /// The reason why the latest answer was not stored, or `nil`. The next answer clears it.
  package private(set) var answerError: AppError?
  /// Whether an answer is being stored.
  package private(set) var isAnswering = false
  /// The number of answers since the session began.
  package private(set) var answeredCount = 0

  /// The progress after answers that have not been observed yet.
  private var answered: [UUID: CardProgress] = [:]
  private let liveDeck: Live<FlashcardDeck?>
  private let progress: Live<ReadableRows<CardProgress>>
  private let repository: any StudyRepository
  private let now: @MainActor () -> Date

  init(store: LibraryStore, deckID: UUID, now: @escaping @MainActor () -> Date) {
    repository = store.repository
    self.deckID = deckID
    self.now = now
    liveDeck = store.live(FlashcardDeck.self, deckID)
    progress = Live { [repository] in repository.studyProgress(ofDeck: deckID) }
  }

  /// The deck; the error `database(.notFound)` if it does not exist.
  package var deck: ViewState<FlashcardDeck> { liveDeck.state.required() }

  /// Reads the deck and the user's progress with its cards, and observes both.
  package func load() async {
    async let deck: Void = liveDeck.load()
    if !progress.state.isKnown { await progress.load() }
    await deck
  }

  // MARK: - Due cards

  /// The cards to study now: first the due ones by their due dates, then those without progress.
  package var dueCards: ViewState<[Flashcard]> {
    known.map { deck, progress in deck.dueCards(by: progress, at: now()) }
  }

  /// The number of due cards, or `nil` before they are loaded.
  package var dueCount: Int? { dueCards.data?.count }

  /// The time at which the next card becomes due, or `nil` if one is due now.
  package var nextDueDate: Date? {
    known.data.flatMap { deck, progress in deck.nextDueDate(by: progress, at: now()) }
  }

  /// The first due card, or `nil`.
  package var currentCard: Flashcard? { dueCards.data?.first }

  /// Whether the back of the current card is shown.
  package var isRevealed: Bool { revealedCardID != nil && revealedCardID == currentCard?.id }

  /// The errors of unreadable rows, and of the latest refresh if it failed.
  package var notices: [AppError] { progress.notices() }

  private var known: ViewState<(deck: FlashcardDeck, progress: [CardProgress])> {
    deck.flatMap { deck in
      progress.state.map { rows in
        let unchanged = rows.rows.filter { answered[$0.cardID] == nil }
        return (deck, unchanged + answered.values)
      }
    }
  }

  // MARK: - Answering

  /// Shows the back of the current card. Does nothing for another card.
  package func reveal(_ cardID: UUID) {
    if currentCard?.id == cardID { revealedCardID = cardID }
  }

  /// Stores the answer to the current card, and continues with the next one.
  ///
  /// An answer to a card that is not due any more changes nothing, for example after a double click
  /// or an answer in another tab.
  ///
  /// - Returns: `false` if the answer could not be stored, with the reason in ``answerError``.
  @discardableResult
  package func answer(_ answer: StudyAnswer, cardID: UUID) async -> Bool {
    guard !isAnswering, dueCards.data?.contains(where: { $0.id == cardID }) ?? false else {
      return true
    }
    isAnswering = true
    defer { isAnswering = false }
    let before = known.data?.progress.first { $0.cardID == cardID }
    do {
      answered[cardID] = try await repository.recordAnswer(
        answer, cardID: cardID, deckID: deckID)
    } catch {
      revealedCardID = cardID
      answerError = AppError(saving: error)
      return false
    }
    (answerError, revealedCardID) = (nil, nil)
    if answered[cardID] != before { answeredCount += 1 }
    await progress.catchUp()
    if progress.refreshError == nil { answered[cardID] = nil }
    return true
  }
}
