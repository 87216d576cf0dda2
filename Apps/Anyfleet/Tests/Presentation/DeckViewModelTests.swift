import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct DeckViewModelTests {
  private let fixture: Fixture
  private let double: LibraryDouble
  private let store: LibraryStore
  private let user = UUID()

  init() throws {
    let fixture = try Fixture()
    self.fixture = fixture
    double = LibraryDouble(fixture.repository)
    store = LibraryStore(repository: double, now: { fixture.now })
  }

  private func viewModel(_ id: UUID) -> DeckViewModel {
    DeckViewModel(store: store, deckID: id, creatorID: user, now: { [fixture] in fixture.now })
  }

  private func stored(cards: Int = 3) async throws -> FlashcardDeck {
    let deck = FlashcardDeck.sample(cards: cards)
    try await fixture.repository.saveDeck(deck)
    return deck
  }

  // MARK: - Showing and writing

  @Test func `The deck shows and is followed`() async throws {
    var deck = try await stored()
    let viewModel = viewModel(deck.id)
    await viewModel.load()
    #expect(viewModel.deck == .loaded(deck))
    #expect(viewModel.form == DeckFormState(deck))
    deck.title = "Renamed"
    try await fixture.repository.saveDeck(deck)
    await until { [deck] in viewModel.deck == .loaded(deck) }
  }

  @Test func `One that is not there, and one that cannot be read, say so`() async throws {
    let missing = viewModel(UUID())
    await missing.load()
    #expect(missing.deck == .error(.database(.notFound)))
    let deck = try await stored()
    try await fixture.run("UPDATE flashcardDecks SET cards = '['")
    await store.loadDecks()
    let damaged = viewModel(deck.id)
    await damaged.load()
    #expect(damaged.deck.errorValue?.id == "database.unreadable")
  }

  @Test func `A new deck begins with one empty card, and is saved without space around`()
    async throws
  {
    let viewModel = DeckViewModel(store: store, creatorID: user)
    #expect(viewModel.form.cards.count == 1)
    viewModel.form.title = " Lights "
    viewModel.form.cards[0].front = " Red? "
    viewModel.form.cards[0].back = " Port "
    let saved = try #require(await viewModel.save())
    #expect(saved.title == "Lights")
    #expect(saved.cards.map(\.front) == ["Red?"])
    #expect(saved.cards.map(\.back) == ["Port"])
    #expect(saved.creatorID == user)
    #expect(await viewModel.save() != nil)
    #expect(try await fixture.count("flashcardDecks") == 1)
  }

  @Test func `Cards are added, changed and removed, and progress with those that stay is kept`()
    async throws
  {
    let deck = try await stored()
    try await fixture.repository.recordAnswer(
      .known, cardID: deck.cards[1].id, deckID: deck.id)
    let viewModel = viewModel(deck.id)
    await viewModel.load()
    viewModel.form.removeCard(deck.cards[0].id)
    viewModel.form.updateCard(deck.cards[1].id) { $0.back = "Changed" }
    viewModel.form.updateCard(UUID()) { $0.back = "Nobody" }
    viewModel.addCard()
    viewModel.form.cards[2].front = "New?"
    viewModel.form.cards[2].back = "New!"
    #expect(await viewModel.save() != nil)
    let stored = try await store.fetchDeck(deck.id)
    #expect(stored.cards.map(\.back) == ["Changed", "2!", "New!"])
    #expect(stored.cards[0].id == deck.cards[1].id)
    #expect((stored.creatorID, stored.createdAt) == (deck.creatorID, deck.createdAt))
    #expect(viewModel.study.dueCards.data?.map(\.front) == ["2?", "New?"])
  }

  @Test func `What is wrong stands beside its field, and nothing is saved`() async throws {
    let viewModel = DeckViewModel(store: store, creatorID: user)
    func text(_ count: Int) -> String { String(repeating: "é", count: count) }
    let id = viewModel.form.cards[0].id
    #expect(await viewModel.save() == nil)
    #expect(viewModel.validationErrors.map(\.field) == [.title, .front(id), .back(id)])
    #expect(viewModel.problem(.back(id))?.in(.russian) == "Введите ответ.")
    viewModel.form.title = text(81)
    viewModel.form.cards[0] = Flashcard(id: id, front: text(301), back: text(1_001))
    #expect(await viewModel.save() == nil)
    #expect(viewModel.validationErrors.map(\.field) == [.title, .front(id), .back(id)])
    viewModel.form.title = "Lights"
    viewModel.form.cards = []
    #expect(await viewModel.save() == nil)
    #expect(viewModel.problem(.cards)?.in(.english) == "Add at least one card.")
    viewModel.form.cards = FlashcardDeck.sample(cards: 301).cards
    #expect(await viewModel.save() == nil)
    #expect(viewModel.validationErrors.map(\.field) == [.cards])
    #expect(try await fixture.count("flashcardDecks") == 0)
    viewModel.form.cards.removeLast()
    #expect(await viewModel.save() != nil)
  }

  // MARK: - Failing

  @Test func `What fails is said, changes nothing, and can be tried again`() async throws {
    let deck = try await stored()
    double.fail(.list)
    let viewModel = viewModel(deck.id)
    await viewModel.load()
    #expect(viewModel.deck.isRetryable)
    #expect(await viewModel.save() == nil)
    double.fail()
    await viewModel.load()
    #expect(viewModel.deck == .loaded(deck))
    viewModel.form.title = "Renamed"
    double.fail(.save, .delete)
    #expect(await viewModel.save() == nil)
    #expect(viewModel.saveError == .database(.writeFailed))
    #expect(viewModel.form.title == "Renamed")
    #expect(await !viewModel.delete())
    #expect(viewModel.actionError == .database(.writeFailed))
    #expect(await viewModel.duplicate(in: .english) == nil)
    #expect(viewModel.deck == .loaded(deck))
    double.fail()
    #expect(await viewModel.save()?.title == "Renamed")
    #expect(await viewModel.duplicate(in: .russian)?.title == "Renamed копия")
    #expect(await viewModel.delete())
    #expect(viewModel.deck == .error(.database(.notFound)))
    #expect(viewModel.saveError == nil && viewModel.actionError == nil)
  }

  @Test func `It is released when nothing uses it`() async throws {
    let deck = try await stored()
    weak var released: DeckViewModel?
    weak var session: StudySession?
    do {
      let viewModel = viewModel(deck.id)
      await viewModel.load()
      await viewModel.save()
      await viewModel.study.answer(.known, cardID: deck.cards[0].id)
      (released, session) = (viewModel, viewModel.study)
    }
    #expect(released == nil)
    #expect(session == nil)
  }
}
