import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import Anyfleet

struct DeckRepositoryTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }

  init() throws { fixture = try Fixture() }

  private func deck(_ title: String = "Lights", cards: Int = 3) async throws -> FlashcardDeck {
    let cards = (0..<cards).map { Flashcard(id: UUID(), front: "\($0)?", back: "Zoë \($0)") }
    let deck = FlashcardDeck(
      id: UUID(), title: title, cards: cards, creatorID: UUID(), createdAt: .day(1, 1))
    try await repository.saveDeck(deck)
    return deck
  }

  private func due(_ deck: FlashcardDeck) async throws -> [String] {
    var values = repository.studyProgress(ofDeck: deck.id).makeAsyncIterator()
    let progress = try #require(try await values.next(isolation: nil))
    let stored = try #require(try await repository.fetchDeck(deck.id))
    return stored.dueCards(by: progress.rows, at: fixture.now).map(\.front)
  }

  @discardableResult
  private func answer(
    _ answer: StudyAnswer, _ card: Int, of deck: FlashcardDeck
  ) async throws -> CardProgress {
    try await repository.recordAnswer(answer, cardID: deck.cards[card].id, deckID: deck.id)
  }

  @Test func `An answered card is asked again when it is due, and not before`()
    async throws
  {
    let deck = try await deck()
    #expect(try await due(deck) == ["0?", "1?", "2?"])
    let known = try await answer(.known, 0, of: deck)
    #expect(known.dueAt == .day(6, 7))
    try await answer(.again, 1, of: deck)
    #expect(try await due(deck) == ["2?"])
    fixture.now.addTimeInterval(10 * 60)
    #expect(try await due(deck) == ["1?", "2?"])
    fixture.now = .day(6, 7)
    #expect(try await due(deck) == ["1?", "0?", "2?"])
    #expect(try await answer(.known, 0, of: deck).dueAt == .day(6, 10))
    #expect(try await due(deck) == ["1?", "2?"])
  }

  @Test func `Each user has separate due dates`() async throws {
    let deck = try await deck()
    let (user, other) = (UUID(), UUID())
    try await fixture.run("UPDATE settings SET value = \(user)")
    try await answer(.known, 0, of: deck)
    try await fixture.run("UPDATE settings SET value = \(other)")
    #expect(try await due(deck) == ["0?", "1?", "2?"])
    try await answer(.again, 0, of: deck)
    #expect(try await fixture.count("flashcardProgress") == 2)
    try await fixture.run("UPDATE settings SET value = \(user)")
    fixture.now.addTimeInterval(3600)
    #expect(try await due(deck) == ["1?", "2?"])
  }

  @Test func `The row's id is derived from user, deck and card`() async throws {
    let deck = try await deck()
    let user = try await fixture.userID()
    for _ in 0..<2 { try await answer(.known, 1, of: deck) }
    let id = UUID(name: "\(user).\(deck.cards[1].id)", in: deck.id)
    #expect(try await fixture.texts("SELECT id FROM flashcardProgress") == [id.uuidString])
  }

  @Test func `A card that does not exist cannot be studied`() async throws {
    let deck = try await deck()
    await #expect(throws: RepositoryError.notFound) {
      try await repository.recordAnswer(.known, cardID: UUID(), deckID: deck.id)
    }
    await #expect(throws: RepositoryError.notFound) {
      try await repository.recordAnswer(.known, cardID: deck.cards[0].id, deckID: UUID())
    }
    #expect(try await fixture.count("flashcardProgress") == 0)
  }

  @Test func `Changing a deck preserves progress, and deleting it deletes all progress`()
    async throws
  {
    var deck = try await deck()
    try await answer(.known, 0, of: deck)
    deck.title = "Renamed"
    try await repository.saveDeck(deck)
    #expect(try await due(deck) == ["1?", "2?"])
    try await repository.deleteDeck(deck.id)
    #expect(try await fixture.count("flashcardProgress") == 0)
  }

  @Test
  func `A deleted deck is restored with the progress of all users, without overwriting newer data`()
    async throws
  {
    let deck = try await deck()
    try await answer(.known, 0, of: deck)
    try await fixture.run("UPDATE settings SET value = \(UUID())")
    try await answer(.again, 1, of: deck)
    let deleted = try #require(try await repository.deleteDeck(deck.id))
    #expect(try await repository.deleteDeck(deck.id) == nil)
    var newer = deck
    newer.title = "Newer"
    for _ in 0..<2 { try await repository.entities.restore(deleted) }
    #expect(try await repository.fetchDeck(deck.id) == deck)
    #expect(try await fixture.count("flashcardProgress") == 2)
    #expect(try await due(deck) == ["0?", "2?"])
    try await repository.saveDeck(newer)
    try await repository.entities.restore(deleted)
    #expect(try await repository.fetchDeck(deck.id) == newer)
  }

  @Test func `Only one of several concurrent answers counts`() async throws {
    let deck = try await deck(cards: 1)
    for day in [(6, 6, 1), (6, 7, 2)] {
      fixture.now = .day(day.0, day.1)
      let answers = try await withThrowingTaskGroup(of: CardProgress.self) { group in
        for _ in 0..<4 { group.addTask { try await answer(.known, 0, of: deck) } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(answers.map(\.knownCount) == [day.2])
    }
  }

  @Test(arguments: StudyAnswer.allCases)
  func `A card that is not due keeps its progress, whatever the answer`(late: StudyAnswer)
    async throws
  {
    let deck = try await deck(cards: 1)
    let known = try await answer(.known, 0, of: deck)
    fixture.now = known.dueAt.addingTimeInterval(-0.001)
    #expect(try await answer(late, 0, of: deck) == known)
    fixture.now = known.dueAt
    #expect(try await answer(late, 0, of: deck) != known)
  }

  @Test func `Progress is observed, and an unreadable row is reported and its card asked again`()
    async throws
  {
    let deck = try await deck()
    var progress = repository.studyProgress(ofDeck: deck.id).makeAsyncIterator()
    #expect(try await progress.next(isolation: nil) == ReadableRows())
    let first = try await answer(.known, 0, of: deck)
    #expect(try await progress.next(isolation: nil) == ReadableRows(rows: [first]))
    try await fixture.run("UPDATE flashcardProgress SET dueAt = 'soon'")
    let list = try #require(try await progress.next(isolation: nil))
    #expect(list.rows == [])
    #expect(list.unreadable.count == 1)
    #expect(try await due(deck) == ["0?", "1?", "2?"])
    #expect(fixture.unreadableRowCount == 2)
  }

  @Test func `Progress is found by an index`() async throws {
    let plan = try await fixture.plan(
      CardProgressRow.where { $0.deckID == UUID() && $0.userID == UUID() }.sql)
    #expect(plan[0].contains("USING INDEX idx_flashcardProgress_deck (deckID=? AND userID=?)"))
  }
}
