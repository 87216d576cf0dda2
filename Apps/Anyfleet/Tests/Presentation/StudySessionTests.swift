import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct StudySessionTests {
  private let fixture: Fixture
  private let double: LibraryDouble
  private let store: LibraryStore
  private let deck = FlashcardDeck.sample(cards: 3)

  init() async throws {
    let fixture = try Fixture()
    self.fixture = fixture
    double = LibraryDouble(fixture.repository)
    store = LibraryStore(repository: double, now: { fixture.now })
    try await fixture.repository.saveDeck(deck)
    await store.loadDecks()
  }

  private func session() async -> StudySession {
    let session = StudySession(
      store: store, deckID: deck.id, now: { [fixture] in fixture.now })
    await session.load()
    return session
  }

  private func id(_ card: Int) -> UUID { deck.cards[card].id }

  @Test func `A card shows its front, then its back, and an answer leads to the next`()
    async throws
  {
    let session = await session()
    #expect(session.dueCount == 3)
    #expect(session.currentCard?.front == "0?")
    #expect(!session.isRevealed)
    session.reveal(id(1))
    #expect(!session.isRevealed)
    session.reveal(id(0))
    #expect(session.isRevealed)
    #expect(await session.answer(.known, cardID: id(0)))
    #expect(session.currentCard?.front == "1?")
    #expect(!session.isRevealed)
    #expect(session.dueCount == 2)
    #expect(session.answeredCount == 1)
    #expect(session.nextDueDate == nil)
  }

  @Test func `Where all are answered it says when the next card is due, and asks it then`()
    async throws
  {
    let session = await session()
    await session.answer(.known, cardID: id(0))
    await session.answer(.again, cardID: id(1))
    await session.answer(.known, cardID: id(2))
    #expect(session.dueCount == 0)
    #expect(session.currentCard == nil)
    #expect(session.nextDueDate == fixture.now.addingTimeInterval(10 * 60))
    fixture.now.addTimeInterval(10 * 60)
    #expect(session.currentCard?.front == "1?")
    #expect(session.nextDueDate == nil)
  }

  @Test func `An answer is stored once, however often it is pressed`() async throws {
    let session = await session()
    await session.answer(.known, cardID: id(0))
    #expect(await session.answer(.known, cardID: id(0)))
    #expect(await session.answer(.known, cardID: UUID()))
    #expect(session.answeredCount == 1)
    let counts = try await fixture.texts("SELECT CAST(knownCount AS TEXT) FROM flashcardProgress")
    #expect(counts == ["1"])
  }

  @Test func `While an answer is on its way another one is not taken`() async throws {
    let gate = Gate()
    double.beforeSave { await gate.pass() }
    let session = await session()
    let id = id(0)
    let first = Task { await session.answer(.known, cardID: id) }
    await gate.arrived()
    #expect(session.isAnswering)
    #expect(await session.answer(.again, cardID: id))
    gate.open()
    #expect(await first.value)
    #expect(!session.isAnswering)
    #expect(try await fixture.count("flashcardProgress") == 1)
    #expect(session.answeredCount == 1)
  }

  @Test func `Of two answers at once, in two sessions, one counts, and both go on`() async throws {
    let gate = Gate()
    double.beforeSave { await gate.pass() }
    let (sessions, id) = ([await session(), await session()], id(0))
    let answers = sessions.map { session in
      Task { await session.answer(.known, cardID: id) }
    }
    await gate.arrived(2)
    gate.open()
    for answer in answers { #expect(await answer.value) }
    let counts = try await fixture.texts("SELECT CAST(knownCount AS TEXT) FROM flashcardProgress")
    #expect(counts == ["1"])
    #expect(sessions.allSatisfy { $0.currentCard?.front == "1?" && $0.answerError == nil })
  }

  @Test func `What is answered elsewhere, and by somebody else, is told apart`() async throws {
    let session = await session()
    _ = try await fixture.repository.recordAnswer(.known, cardID: id(0), deckID: deck.id)
    await until { session.dueCount == 2 }
    try await fixture.run("UPDATE settings SET value = \(UUID())")
    let other = await self.session()
    #expect(other.dueCount == 3)
    await other.answer(.known, cardID: id(2))
    #expect(other.dueCount == 2)
    #expect(try await fixture.count("flashcardProgress") == 2)
  }

  @Test func `An answer that cannot be stored is said, the card stays, and it can be given again`()
    async throws
  {
    let session = await session()
    double.fail(.answer)
    #expect(await !session.answer(.known, cardID: id(0)))
    #expect(session.answerError == .database(.writeFailed))
    #expect(session.currentCard?.id == id(0))
    #expect(session.isRevealed)
    #expect(session.answeredCount == 0)
    double.fail()
    #expect(await session.answer(.known, cardID: id(0)))
    #expect(session.answerError == nil)
    #expect(session.currentCard?.id == id(1))
  }

  @Test func `Progress that cannot be read is an error, and loads when tried again`() async throws {
    double.fail(.progress)
    let session = await session()
    #expect(session.dueCards.isRetryable)
    #expect(session.dueCount == nil && session.currentCard == nil)
    double.fail()
    await session.load()
    #expect(session.dueCount == 3)
  }

  @Test func `An answer that is stored counts though it cannot be read again`() async throws {
    let session = await session()
    double.fail(.progress)
    #expect(await session.answer(.known, cardID: id(0)))
    #expect(session.currentCard?.id == id(1))
    #expect(session.notices == [.database(.readFailed)])
  }

  @Test func `Progress that is damaged is said, and its card is asked`() async throws {
    _ = try await fixture.repository.recordAnswer(.known, cardID: id(0), deckID: deck.id)
    try await fixture.run("UPDATE flashcardProgress SET dueAt = 'soon'")
    let session = await session()
    #expect(session.dueCount == 3)
    #expect(session.notices.map(\.id) == ["database.unreadable"])
  }
}
