package import Foundation

/// The result of recalling a card.
public enum StudyAnswer: String, CaseIterable, Codable, Sendable {
  /// The card was not known, and is due again soon.
  case again
  /// The card was known, and is due again after an interval that grows each time.
  case known
}

/// The progress of one user with one card.
public struct CardProgress: Equatable, Hashable, Sendable {
  package let cardID: UUID
  /// The number of consecutive times that the card was known.
  package var knownCount: Int
  /// The time from which the card is due.
  package var dueAt: Date

  /// Creates progress.
  package init(cardID: UUID, knownCount: Int, dueAt: Date) {
    self.cardID = cardID
    self.knownCount = knownCount
    self.dueAt = dueAt
  }
}

/// The intervals after which cards are due again.
package enum StudySchedule {
  /// The interval after a card was not known.
  package static let againInterval: TimeInterval = 10 * 60
  /// The intervals in days after a card was known once, twice, and so on in a row. The last one
  /// applies to all further times.
  package static let knownDays = [1, 3, 7, 14, 30]

  private static let secondsOfDay: TimeInterval = 24 * 60 * 60

  /// Returns the progress after an answer.
  package static func progress(
    of cardID: UUID, after previous: CardProgress?, _ answer: StudyAnswer, at now: Date
  ) -> CardProgress {
    switch answer {
    case .again:
      return CardProgress(
        cardID: cardID, knownCount: 0, dueAt: now.addingTimeInterval(againInterval))
    case .known:
      // A damaged count may be out of bounds.
      let step = min(max(previous?.knownCount ?? 0, 0), knownDays.count - 1)
      let rest = Double(knownDays[step]) * secondsOfDay
      return CardProgress(
        cardID: cardID, knownCount: step + 1, dueAt: now.addingTimeInterval(rest))
    }
  }
}

extension FlashcardDeck {
  /// Returns the cards to study at a time: first the due ones by their due dates, then those
  /// without progress. Ties are in the order of the deck.
  package func dueCards(by progress: [CardProgress], at now: Date) -> [Flashcard] {
    let dueDates = Dictionary(
      progress.map { ($0.cardID, $0.dueAt) }, uniquingKeysWith: { first, _ in first })
    let due = cards.enumerated().compactMap { place, card in
      dueDates[card.id].flatMap { $0 <= now ? (dueAt: $0, place: place, card: card) : nil }
    }
    let asked = due.sorted { ($0.dueAt, $0.place) < ($1.dueAt, $1.place) }.map(\.card)
    return asked + cards.filter { dueDates[$0.id] == nil }
  }

  /// Returns the time at which the next card becomes due, or `nil` if one is due now or none has
  /// progress.
  package func nextDueDate(by progress: [CardProgress], at now: Date) -> Date? {
    guard dueCards(by: progress, at: now).isEmpty else { return nil }
    let ids = Set(cards.map(\.id))
    return progress.filter { ids.contains($0.cardID) }.map(\.dueAt).min()
  }
}
