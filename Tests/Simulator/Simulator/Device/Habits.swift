import TestSupport

/// What users of a schedule do, and how often: drawn for each seed, so that schedules differ in
/// kind.
struct Habits {
  /// One thing that a user does.
  enum Thing: CaseIterable {
    case makeBoard, changeBoard, deleteBoard
    case makeCard, makeToken, changeCard, changeMany, moveCard, deleteCard, replaceCard
    case makeNote, changeNote, deleteNote
    case takeSeat, deleteSeat
    case makeTies, deleteTies
    case changeMemo, deleteMemo
    case nothing
  }

  /// The things by weight.
  var things: [(element: Thing, weight: Int)]
  /// How many things a transaction does at the most.
  let thingsAtOnce: Int
  /// In how many of a hundred cases the app leaves a reference behind, or makes a row of an old id
  /// in another scope.
  let carelessness: Int

  /// Draws habits.
  init(_ random: inout SeededRandom) {
    var things = Thing.allCases.map { (element: $0, weight: random.number(below: 3)) }
    let favourites = (0..<4).map { _ in random.number(below: things.count) }
    for place in favourites { things[place].weight += 8 }
    for place in things.indices {
      switch things[place].element {
      case .makeBoard, .makeCard, .changeCard, .makeNote: things[place].weight += 2
      case .makeTies, .makeToken, .moveCard, .takeSeat: things[place].weight += 1
      case .deleteBoard: things[place].weight = random.chance(25) ? 1 : 0
      case .nothing: things[place].weight /= 3
      default: break
      }
    }
    self.things = things
    thingsAtOnce = random.number(in: 1...4)
    carelessness = random.chance(20) ? 30 : 0
  }

  /// Whether a board is ever deleted.
  var deletesBoards: Bool { weight(of: .deleteBoard) > 0 }

  mutating func keepBoards() { things.removeAll { $0.element == .deleteBoard } }

  mutating func makeTies() { things.append((element: .makeTies, weight: 10)) }

  /// Makes no ties, where even the rows of one group are too much for a message.
  mutating func untie() {
    things.removeAll { $0.element == .makeTies }
  }

  private func weight(of thing: Thing) -> Int {
    things.first { $0.element == thing }?.weight ?? 0
  }
}
