public import Foundation

/// How well somebody knew a card.
public enum StudyAnswer: String, CaseIterable, Codable, Sendable {
  /// It is to be asked again soon.
  case again
  /// It is known, and asked again after a longer while each time.
  case known
}

/// How far one person has got with one card.
public struct CardProgress: Equatable, Hashable, Sendable {
  public let cardID: UUID
  /// How many times in a row the card was known.
  public var knownCount: Int
  /// From when on the card is to be asked.
  public var dueAt: Date

  /// Creates progress.
  public init(cardID: UUID, knownCount: Int, dueAt: Date) {
    self.cardID = cardID
    self.knownCount = knownCount
    self.dueAt = dueAt
  }
}

/// When cards are asked again.
public enum StudySchedule {
  /// How long a card rests that was not known.
  public static let againInterval: TimeInterval = 10 * 60
  /// How many days a card rests by how many times in a row it was known, from once on; the last
  /// holds from then on.
  public static let knownDays = [1, 3, 7, 14, 30]

  private static let secondsOfDay: TimeInterval = 24 * 60 * 60

  /// Where an answer leads from what was there before, if anything.
  public static func progress(
    of cardID: UUID, after previous: CardProgress?, _ answer: StudyAnswer, at now: Date
  ) -> CardProgress {
    switch answer {
    case .again:
      return CardProgress(
        cardID: cardID, knownCount: 0, dueAt: now.addingTimeInterval(againInterval))
    case .known:
      // Also where a damaged count would be out of bounds.
      let step = min(max(previous?.knownCount ?? 0, 0), knownDays.count - 1)
      let rest = Double(knownDays[step]) * secondsOfDay
      return CardProgress(
        cardID: cardID, knownCount: step + 1, dueAt: now.addingTimeInterval(rest))
    }
  }
}

extension FlashcardDeck {
  /// The cards to ask at a moment: those due by when they fell due, then those never asked, each in
  /// the deck's order.
  public func dueCards(by progress: [CardProgress], at now: Date) -> [Flashcard] {
    let dueDates = Dictionary(
      progress.map { ($0.cardID, $0.dueAt) }, uniquingKeysWith: { first, _ in first })
    let due = cards.enumerated().compactMap { place, card in
      dueDates[card.id].flatMap { $0 <= now ? (dueAt: $0, place: place, card: card) : nil }
    }
    let asked = due.sorted { ($0.dueAt, $0.place) < ($1.dueAt, $1.place) }.map(\.card)
    return asked + cards.filter { dueDates[$0.id] == nil }
  }

  /// When the next card falls due, where none is due at a moment and there is one at all.
  public func nextDueDate(by progress: [CardProgress], at now: Date) -> Date? {
    guard dueCards(by: progress, at: now).isEmpty else { return nil }
    let ids = Set(cards.map(\.id))
    return progress.filter { ids.contains($0.cardID) }.map(\.dueAt).min()
  }
}
