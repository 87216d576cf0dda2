public import Foundation
public import Offshore
public import OffshorePresentation

/// A deck that is made or edited.
public typealias DeckViewModel = Draft<FlashcardDeck>

extension FlashcardDeck: LibraryEntry {
  public static let table = Table(
    "flashcardDecks", FlashcardDeck.init(id:title:cards:creatorID:createdAt:updatedAt:),
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("cards", \.cards, as: .json),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))

  public static let fields: [DraftField<Self>] = [
    titleField(\.title),
    .rows(
      "cards", \.cards, label: texts.many, fields: Flashcard.fields, limit: maximumCardCount,
      title: { LocalizedText(en: "Card \($0)", ru: "Карточка \($0)") },
      add: .init(en: "Add Card", ru: "Добавить карточку"),
      check: { $0.isEmpty ? .addCard : nil }, new: { Flashcard(id: $0(), front: "", back: "") }),
  ]

  public static let texts = EntryTexts(
    one: .init(en: "Deck", ru: "Колода"), many: .init(en: "Flashcards", ru: "Карточки"),
    new: .init(en: "New Deck", ru: "Новая колода"),
    none: .init(en: "No Flashcards Yet", ru: "Карточек пока нет"),
    hint: .init(
      en: "Make cards of what you want to know by heart: lights, buoys, signals.",
      ru: "Сделайте карточки из того, что хотите знать наизусть: огни, буи, сигналы."))

  public var subtitle: LocalizedText? {
    .counted(
      cards.count, en: .init(one: "# card", other: "# cards"),
      ru: .init(one: "# карточка", few: "# карточки", many: "# карточек"))
  }

  public static func blank(
    id: UUID, creatorID: UUID, at now: Date, makeID: () -> UUID
  ) -> FlashcardDeck {
    let card = Flashcard(id: makeID(), front: "", back: "")
    return FlashcardDeck(id: id, title: "", cards: [card], creatorID: creatorID, createdAt: now)
  }

  public mutating func renewIDs(_ makeID: () -> UUID) {
    for index in cards.indices { cards[index].id = makeID() }
  }
}

extension Flashcard {
  fileprivate static let fields: [DraftField<Self>] = [
    .text(
      "front", \.front, label: .init(en: "Question", ru: "Вопрос"), rows: 2,
      limit: maximumFrontLength, isRequired: true,
      missing: .init(
        en: "Enter the question, or remove the card.", ru: "Введите вопрос или удалите карточку.")),
    .text(
      "back", \.back, label: .init(en: "Answer", ru: "Ответ"), rows: 2, limit: maximumBackLength,
      isRequired: true, missing: .init(en: "Enter the answer.", ru: "Введите ответ.")),
  ]
}

extension LocalizedText {
  fileprivate static let addCard = LocalizedText(
    en: "Add at least one card.", ru: "Добавьте хотя бы одну карточку.")
}
