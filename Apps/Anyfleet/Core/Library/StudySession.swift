public import Foundation
public import Observation
import Offshore
public import OffshorePresentation

/// Studying a deck: the user's due cards one after the other, first the front, then the back.
///
/// What is due is the user's own; others who study the deck have dates of their own.
@MainActor @Observable
public final class StudySession {
  /// The id of the deck.
  public let deckID: UUID
  /// The card whose back shows, if any does.
  public private(set) var revealedCardID: UUID?
  /// The reason why the latest answer was not stored, or `nil`. The next answer clears it.
  public private(set) var answerError: AppError?
  /// Whether an answer is on its way to the disk.
  public private(set) var isAnswering = false
  /// How many cards were answered since the session began.
  public private(set) var answeredCount = 0

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

  /// The deck; an error if there is none.
  public var deck: ViewState<FlashcardDeck> { liveDeck.state.present() }

  /// Reads the deck and the user's progress with its cards, and observes both.
  public func load() async {
    async let deck: Void = liveDeck.load()
    if !progress.state.isKnown { await progress.load() }
    await deck
  }

  // MARK: - What is due

  /// The cards to ask now: those due by when they fell due, then those never asked.
  public var dueCards: ViewState<[Flashcard]> {
    known.map { deck, progress in deck.dueCards(by: progress, at: now()) }
  }

  /// How many cards are due now, once that is known.
  public var dueCount: Int? { dueCards.data?.count }

  /// When the next card falls due, if none is due now.
  public var nextDueDate: Date? {
    known.data.flatMap { deck, progress in deck.nextDueDate(by: progress, at: now()) }
  }

  /// The card to ask now, if one is due.
  public var currentCard: Flashcard? { dueCards.data?.first }

  /// Whether the back of the card to ask shows.
  public var isRevealed: Bool { revealedCardID != nil && revealedCardID == currentCard?.id }

  /// The errors of rows that are left out, and the reason why the rest may be out of date.
  public var notices: [AppError] { progress.notices() }

  private var known: ViewState<(deck: FlashcardDeck, progress: [CardProgress])> {
    deck.flatMap { deck in
      progress.state.map { rows in
        let unchanged = rows.rows.filter { answered[$0.cardID] == nil }
        return (deck, unchanged + answered.values)
      }
    }
  }

  // MARK: - Answering

  /// Shows the back of the card to ask; does nothing for any other.
  public func reveal(_ cardID: UUID) {
    if currentCard?.id == cardID { revealedCardID = cardID }
  }

  /// Stores how well the user knew the current card, and goes on to the next.
  ///
  /// An answer to a card that is not due any more, as after a second press or one in another tab,
  /// changes nothing.
  ///
  /// - Returns: whether nothing is left to store; if not, ``answerError`` says why.
  @discardableResult
  public func answer(_ answer: StudyAnswer, cardID: UUID) async -> Bool {
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
