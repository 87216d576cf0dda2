import Foundation
import TestSupport
import Testing

@testable import Anyfleet

struct StudyScheduleTests {
  private let now = Date.day(6, 6)
  private let minute: TimeInterval = 60
  private let day: TimeInterval = 24 * 60 * 60

  private func deck(_ count: Int) -> FlashcardDeck {
    let cards = (0..<count).map { Flashcard(id: UUID(), front: "\($0)?", back: "\($0)") }
    return FlashcardDeck(id: UUID(), title: "Lights", cards: cards, creatorID: UUID())
  }

  @Test func `The interval of a known card grows with each answer, to at most 30 days`() {
    let card = UUID()
    var progress: CardProgress?
    var rests: [Double] = []
    for _ in 0..<7 {
      let next = StudySchedule.progress(of: card, after: progress, .known, at: now)
      rests.append(next.dueAt.timeIntervalSince(now) / day)
      progress = next
    }
    #expect(rests == [1, 3, 7, 14, 30, 30, 30])
    #expect(progress?.cardID == card)
  }

  @Test func `A card that is not known is due in 10 minutes, and its intervals start again`() {
    let card = UUID()
    let known = StudySchedule.progress(
      of: card, after: CardProgress(cardID: card, knownCount: 4, dueAt: now), .known, at: now)
    #expect(known.dueAt == now.addingTimeInterval(30 * day))
    let again = StudySchedule.progress(of: card, after: known, .again, at: now)
    #expect(
      again
        == CardProgress(cardID: card, knownCount: 0, dueAt: now.addingTimeInterval(10 * minute)))
    let next = StudySchedule.progress(of: card, after: again, .known, at: now)
    #expect(next.dueAt == now.addingTimeInterval(day))
  }

  @Test(arguments: [(-3, 1.0), (99, 30.0), (.max, 30.0)])
  func `A count out of range is clamped`(_ count: Int, _ days: Double) {
    let damaged = CardProgress(cardID: UUID(), knownCount: count, dueAt: now)
    let next = StudySchedule.progress(of: damaged.cardID, after: damaged, .known, at: now)
    #expect(next.dueAt == now.addingTimeInterval(days * day))
  }

  @Test func `Only due cards are asked: overdue ones first, then new ones in the deck's order`() {
    let deck = deck(5)
    let ids = deck.cards.map(\.id)
    let progress = [
      CardProgress(cardID: ids[0], knownCount: 1, dueAt: now.addingTimeInterval(0.001)),
      CardProgress(cardID: ids[3], knownCount: 1, dueAt: now),
      CardProgress(cardID: ids[4], knownCount: 0, dueAt: now.addingTimeInterval(-day)),
      CardProgress(cardID: UUID(), knownCount: 0, dueAt: .distantPast),
    ]
    #expect(deck.dueCards(by: progress, at: now).map(\.id) == [ids[4], ids[3], ids[1], ids[2]])
    #expect(deck.dueCards(by: [], at: now) == deck.cards)
  }

  @Test func `The next due date is returned if no card is due`() {
    let deck = deck(2)
    let ids = deck.cards.map(\.id)
    let (soon, late) = (now.addingTimeInterval(minute), now.addingTimeInterval(day))
    let progress = [
      CardProgress(cardID: ids[0], knownCount: 1, dueAt: late),
      CardProgress(cardID: ids[1], knownCount: 0, dueAt: soon),
      CardProgress(cardID: UUID(), knownCount: 0, dueAt: now.addingTimeInterval(1)),
    ]
    #expect(deck.nextDueDate(by: progress, at: now) == soon)
    #expect(deck.nextDueDate(by: progress, at: soon) == nil)
    #expect(self.deck(0).nextDueDate(by: [], at: now) == nil)
  }
}
