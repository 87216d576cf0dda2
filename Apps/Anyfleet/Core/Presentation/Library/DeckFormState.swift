public import Foundation
import OffshorePresentation

/// What somebody has entered of a deck so far. Cards keep their ids, so that progress on them stays.
public struct DeckFormState: EntryForm {
  /// A field of the form.
  public enum Field: Hashable, Sendable {
    case title
    /// The cards as a whole.
    case cards
    case front(UUID)
    case back(UUID)
  }

  public var title = ""
  public var cards: [Flashcard] = []
  public var basedOn: Date?

  /// Creates an empty form.
  public init() {}

  /// Creates a form with what a deck has.
  public init(_ deck: FlashcardDeck) {
    title = deck.title
    cards = deck.cards
    basedOn = deck.updatedAt
  }

  public func entry(id: UUID, by creatorID: UUID, at now: Date) -> FlashcardDeck {
    FlashcardDeck(
      id: id, title: title.trimmed, cards: trimmedCards, creatorID: creatorID, createdAt: now)
  }

  // MARK: Cards

  /// Adds an empty card at the end.
  public mutating func addCard(id: UUID) { cards.append(Flashcard(id: id, front: "", back: "")) }

  /// Changes a card; does nothing where there is none of that id.
  public mutating func updateCard(_ id: UUID, _ change: (inout Flashcard) -> Void) {
    guard let index = cards.firstIndex(where: { $0.id == id }) else { return }
    change(&cards[index])
  }

  /// Removes a card.
  public mutating func removeCard(_ id: UUID) { cards.removeAll { $0.id == id } }

  /// The cards without space around their texts.
  var trimmedCards: [Flashcard] {
    cards.map { Flashcard(id: $0.id, front: $0.front.trimmed, back: $0.back.trimmed) }
  }

  // MARK: Validation

  /// All that keeps the deck from being saved, in the order of the fields.
  public var problems: [EntryProblem<Field>] {
    let head: [EntryProblem<Field>?] = [
      .required(
        title, .title, named: "title", limit: FlashcardDeck.maximumTitleLength,
        empty: .enterTitle),
      countProblem,
    ]
    return head.compactMap(\.self) + cards.flatMap(problems)
  }

  private var countProblem: EntryProblem<Field>? {
    switch cards.count {
    case 0: EntryProblem(.cards, .addCard)
    case ...FlashcardDeck.maximumCardCount: nil
    default: EntryProblem(.cards, .tooManyCards(FlashcardDeck.maximumCardCount))
    }
  }

  private func problems(of card: Flashcard) -> [EntryProblem<Field>] {
    let problems: [EntryProblem<Field>?] = [
      .required(
        card.front, .front(card.id), named: "front", limit: Flashcard.maximumFrontLength,
        empty: .enterFront),
      .required(
        card.back, .back(card.id), named: "back", limit: Flashcard.maximumBackLength,
        empty: .enterBack),
    ]
    return problems.compactMap(\.self)
  }
}

extension LocalizedText {
  fileprivate static let addCard = LocalizedText(
    en: "Add at least one card.", ru: "Добавьте хотя бы одну карточку.")
  fileprivate static let enterFront = LocalizedText(
    en: "Enter what is asked, or remove the card.",
    ru: "Введите вопрос или удалите карточку.")
  fileprivate static let enterBack = LocalizedText(
    en: "Enter the answer.", ru: "Введите ответ.")

  fileprivate static func tooManyCards(_ maximum: Int) -> LocalizedText {
    .counted(
      maximum,
      en: .init(one: "A deck may have # card.", other: "A deck may have at most # cards."),
      ru: .init(
        one: "В колоде может быть не больше # карточки.",
        few: "В колоде может быть не больше # карточек.",
        many: "В колоде может быть не больше # карточек."))
  }
}
