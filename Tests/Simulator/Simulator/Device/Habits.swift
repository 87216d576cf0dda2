import TestSupport

/// The actions of a schedule's users with their frequencies, drawn for each seed so that schedules
/// differ in kind.
struct Habits {
  /// An action of a user.
  enum Thing {
    case makeBoard, changeBoard, deleteBoard
    case makeCard, makeToken, changeCard, changeMany, moveCard, deleteCard, replaceCard
    case makeNote, changeNote, deleteNote
    case takeSeat, deleteSeat
    case makeTies, deleteTies
    case changeMemo, deleteMemo
    case changePick, deletePick, makeBan, deleteBan
    case makeLetter, changeLetter, deleteLetter, forgeLetter
    case makeNotice, changeNotice, deleteNotice
    case makeMark, changeMark, deleteMark
    case makePin, changePin, deletePin, makeFlag, changeFlag, deleteFlag
    case makePhoto, changePhoto, movePhoto, deletePhoto
    case nothing

    /// The actions whose weights are drawn.
    static let drawn: [Thing] = [
      .makeBoard, .changeBoard, .deleteBoard, .makeCard, .makeToken, .changeCard, .changeMany,
      .moveCard, .deleteCard, .replaceCard, .makeNote, .changeNote, .deleteNote, .takeSeat,
      .deleteSeat, .makeTies, .deleteTies, .changeMemo, .deleteMemo, .nothing,
    ]
  }

  /// The actions with their weights.
  var things: [(element: Thing, weight: Int)]
  /// The most actions in a transaction.
  let thingsAtOnce: Int
  /// The percentage of cases in which the app leaves a reference behind, or reuses an id in another
  /// scope.
  let carelessness: Int

  /// Draws habits.
  init(_ random: inout SeededRandom) {
    var things = Thing.drawn.map { (element: $0, weight: random.number(below: 3)) }
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

  /// Whether boards may be deleted.
  var deletesBoards: Bool { weight(of: .deleteBoard) > 0 }

  mutating func keepBoards() { things.removeAll { $0.element == .deleteBoard } }

  mutating func writeLetters() {
    things += [
      (.makeLetter, 12), (.changeLetter, 8), (.deleteLetter, 4), (.forgeLetter, 6),
      (.makeNotice, 5), (.changeNotice, 5), (.deleteNotice, 2),
    ]
  }

  mutating func forgeLetters() { things.append((.forgeLetter, 60)) }

  mutating func readOthers() {
    things += [
      (.changeMemo, 12), (.changePick, 14), (.deletePick, 2), (.makeBan, 6), (.deleteBan, 6),
    ]
  }

  mutating func makeMarks() {
    things += [(.makeMark, 8), (.changeMark, 20), (.deleteMark, 2)]
  }

  mutating func makePins() {
    things += [
      (.makePin, 8), (.changePin, 16), (.deletePin, 2), (.makeFlag, 6), (.changeFlag, 6),
      (.deleteFlag, 2),
    ]
  }

  mutating func shareFiles() {
    things += [(.makePhoto, 14), (.changePhoto, 12), (.movePhoto, 4), (.deletePhoto, 6)]
  }

  mutating func moveTokens() { things += [(.makeToken, 6), (.moveCard, 40)] }

  mutating func makeTies() { things.append((element: .makeTies, weight: 10)) }

  /// Removes the action that makes ties, for message limits that even one group exceeds.
  mutating func untie() {
    things.removeAll { $0.element == .makeTies }
  }

  private func weight(of thing: Thing) -> Int {
    things.first { $0.element == thing }?.weight ?? 0
  }
}
