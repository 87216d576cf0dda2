import AnyfleetTestSupport
import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct StudySessionTests {
  private let fixture: Fixture
  private let store: LibraryStore
  private let deck = FlashcardDeck.sample(cards: 3)

  init() async throws {
    let fixture = try Fixture()
    self.fixture = fixture
    store = LibraryStore(repository: fixture.repository, now: { fixture.now })
    try await fixture.repository.saveDeck(deck)
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

  @Test
  func `When all cards are answered, the session shows when the next one is due, and asks it then`()
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

  @Test func `While an answer is being stored, another one is ignored`() async throws {
    let (session, id) = (await session(), id(0))
    async let first = session.answer(.known, cardID: id)
    async let second = session.answer(.again, cardID: id)
    let answers = await [first, second]
    #expect(answers == [true, true])
    #expect(!session.isAnswering && session.answeredCount == 1)
    #expect(try await fixture.count("flashcardProgress") == 1)
  }

  @Test func `Of two concurrent answers in two sessions one counts, and both sessions continue`()
    async throws
  {
    let (sessions, id) = ([await session(), await session()], id(0))
    async let first = sessions[0].answer(.known, cardID: id)
    async let second = sessions[1].answer(.known, cardID: id)
    let answers = await [first, second]
    #expect(answers == [true, true])
    let counts = try await fixture.texts("SELECT CAST(knownCount AS TEXT) FROM flashcardProgress")
    #expect(counts == ["1"])
    await waitUntil { sessions.allSatisfy { $0.currentCard?.front == "1?" } }
    #expect(sessions.allSatisfy { $0.answerError == nil })
  }

  @Test func `Answers on another device show, and those of another user do not`() async throws {
    let session = await session()
    _ = try await fixture.repository.recordAnswer(.known, cardID: id(0), deckID: deck.id)
    await waitUntil { session.dueCount == 2 }
    try await fixture.run("UPDATE settings SET value = \(UUID())")
    let other = await self.session()
    #expect(other.dueCount == 3)
    await other.answer(.known, cardID: id(2))
    #expect(other.dueCount == 2)
    #expect(try await fixture.count("flashcardProgress") == 2)
  }

  @Test func `An answer that cannot be stored is reported, its card stays, and it can be repeated`()
    async throws
  {
    let session = await session()
    try await fixture.run(
      "CREATE TRIGGER refuse BEFORE INSERT ON flashcardProgress BEGIN SELECT raise(ABORT, 'x'); END"
    )
    #expect(await !session.answer(.known, cardID: id(0)))
    #expect(session.answerError == .database(.writeFailed))
    #expect(session.currentCard?.id == id(0))
    #expect(session.isRevealed)
    #expect(session.answeredCount == 0)
    try await fixture.run("DROP TRIGGER refuse")
    #expect(await session.answer(.known, cardID: id(0)))
    #expect(session.answerError == nil)
    #expect(session.currentCard?.id == id(1))
  }

  @Test func `Unreadable progress is an error, and loads when retried`() async throws {
    try await fixture.run("ALTER TABLE flashcardProgress RENAME TO away")
    let session = await session()
    #expect(session.dueCards.isRetryable)
    #expect(session.dueCount == nil && session.currentCard == nil)
    try await fixture.run("ALTER TABLE away RENAME TO flashcardProgress")
    await session.load()
    #expect(session.dueCount == 3)
  }

  @Test func `Damaged progress is reported, and its card is asked`() async throws {
    _ = try await fixture.repository.recordAnswer(.known, cardID: id(0), deckID: deck.id)
    try await fixture.run("UPDATE flashcardProgress SET dueAt = 'soon'")
    let session = await session()
    #expect(session.dueCount == 3)
    #expect(session.notices.map(\.id) == ["database.unreadable"])
  }
}
