package import Foundation
package import Offshore
package import OffshorePresentation
import OffshoreSync

/// A deck of cards to memorize, such as lights, buoys and signals.
package struct FlashcardDeck: Entity, Hashable {
  /// The maximum number of cards.
  package static let maximumCardCount = 300

  package var id: UUID
  package var title: String
  package var cards: [Flashcard]
  package var creatorID: UUID
  package var createdAt: Date
  package var updatedAt: Date

  /// Creates a deck.
  package init(
    id: UUID, title: String, cards: [Flashcard] = [], creatorID: UUID, createdAt: Date = Date(),
    updatedAt: Date? = nil
  ) {
    (self.id, self.title, self.cards) = (id, title, cards)
    (self.creatorID, self.createdAt) = (creatorID, createdAt)
    self.updatedAt = updatedAt ?? createdAt
  }

  package static let name = "deck"

  package static let table = Table(
    "flashcardDecks", FlashcardDeck.init,
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("cards", \.cards, as: .json),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))

  package static let fields: [DraftField<Self>] = [
    titleField(\.title),
    .rows(
      "cards", \.cards, label: texts.many, fields: Flashcard.fields, limit: maximumCardCount,
      title: { LocalizedText(en: "Card \($0)", ru: "Карточка \($0)") },
      add: .init(en: "Add card", ru: "Добавить карточку"),
      check: { $0.isEmpty ? .addCard : nil }, new: { Flashcard(id: $0(), front: "", back: "") }),
  ]

  package static let texts = EntityTexts(
    one: .init(en: "Deck", ru: "Колода"), many: .init(en: "Flashcards", ru: "Карточки"),
    new: .init(en: "New deck", ru: "Новая колода"),
    none: .init(en: "No flashcards yet", ru: "Карточек пока нет"),
    hint: .init(
      en: "Make cards of what you want to know by heart: lights, buoys, signals.",
      ru: "Сделайте карточки из того, что хотите знать наизусть: огни, буи, сигналы."),
    counted: {
      .counted(
        $0, en: .init(one: "# deck", other: "# decks"),
        ru: .init(one: "# колода", few: "# колоды", many: "# колод"))
    })

  package var subtitle: LocalizedText? {
    .counted(
      cards.count, en: .init(one: "# card", other: "# cards"),
      ru: .init(one: "# карточка", few: "# карточки", many: "# карточек"))
  }

  package static func blank(_ new: NewEntity) -> FlashcardDeck {
    let card = Flashcard(id: new.makeID(), front: "", back: "")
    return FlashcardDeck(
      id: new.id, title: "", cards: [card], creatorID: new.creatorID, createdAt: new.createdAt)
  }

  package mutating func renewIDs(_ makeID: () -> UUID) {
    for index in cards.indices { cards[index].id = makeID() }
  }

  /// Hands the progress with the cards over to the account, if the file belongs to one.
  ///
  /// It is needed if a deck was deleted before the user signed in, and is restored afterwards.
  package static func updateDependants(of id: UUID, _ writer: Writer) throws {
    guard let owner = try SyncedStore.account(writer)?.id else { return }
    try AppHandOver.handOverProgress(
      CardProgressRow.where { $0.deckID == id && $0.userID != owner }, to: owner, writer)
  }
}

/// A question and its answer.
package struct Flashcard: Identifiable, Equatable, Hashable, Codable, Sendable {
  /// The maximum number of characters of the front.
  package static let maximumFrontLength = 300
  /// The maximum number of characters of the back.
  package static let maximumBackLength = 1_000

  package var id: UUID
  /// The question.
  package var front: String
  /// The answer.
  package var back: String

  /// Creates a card.
  package init(id: UUID, front: String, back: String) {
    self.id = id
    self.front = front
    self.back = back
  }

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

/// The form of a new or stored deck.
package typealias DeckViewModel = Draft<FlashcardDeck>

extension LibraryStore {
  /// The decks, sorted by title.
  package var decks: ViewState<[FlashcardDeck]> { entries() }
}

extension LibraryRepository {
  /// Fetches a deck, or `nil` if it does not exist.
  package func fetchDeck(_ id: UUID) async throws -> FlashcardDeck? {
    try await entities.fetch(FlashcardDeck.self, id)
  }
  /// Fetches all decks, sorted by title.
  package func fetchUserDecks() async throws -> [FlashcardDeck] { try await entities.fetchAll() }
  /// Stores a deck. The progress with its remaining cards is retained.
  package func saveDeck(_ deck: FlashcardDeck) async throws { try await entities.save(deck) }
  /// Deletes a deck with the progress of all users.
  @discardableResult
  package func deleteDeck(_ id: UUID) async throws -> RemovedEntity? {
    try await entities.delete(FlashcardDeck.self, id)
  }
}

extension AppRoute {
  /// Returns the route of a deck's page.
  package static func deckDetail(_ id: UUID) -> AppRoute {
    .entry(EntityKind(FlashcardDeck.self), id)
  }
}

extension LocalizedText {
  fileprivate static let addCard = LocalizedText(
    en: "Add at least one card.", ru: "Добавьте хотя бы одну карточку.")
}
