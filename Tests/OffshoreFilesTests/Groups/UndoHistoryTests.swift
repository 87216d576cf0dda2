import Foundation
import OffshoreFiles
import Testing

/// The steps that a log of changes allows to undo and redo.
struct UndoHistoryTests {
  private func change(_ number: UInt8, _ edits: FleetEdit...) -> FleetChange {
    FleetChange(id: UUID(number), moment: .distantPast, edits: edits)
  }

  private func change(_ number: UInt8, _ edits: [FleetEdit]) -> FleetChange {
    FleetChange(id: UUID(number), moment: .distantFuture, edits: edits)
  }

  @Test func `The inverse edits are in the other order`() {
    let edits: [FleetEdit] = [.boat(nil, Boat(1), at: 3), .boat(Boat(2), Boat(2, "Bura"))]
    #expect(
      change(1, edits).inverseEdits == [
        .boat(Boat(2, "Bura"), Boat(2)), .boat(Boat(1), nil, at: 3),
      ])
  }

  @Test func `A change that reverts the latest one is its undoing`() {
    let first = change(1, .boat(nil, Boat(1), at: 0))
    let second = change(2, .boat(nil, Boat(2), at: 1))
    let history = UndoHistory([first, second, change(3, second.inverseEdits)])
    #expect(history.undoable == [first])
    #expect(history.redoable == [second])
  }

  @Test func `A change that repeats the undone one is its redoing`() {
    let first = change(1, .boat(nil, Boat(1), at: 0))
    let history = UndoHistory([first, change(2, first.inverseEdits), change(3, first.edits)])
    #expect(history.undoable == [first])
    #expect(history.redoable == [])
  }

  @Test func `Another change ends the redoing`() {
    let first = change(1, .boat(nil, Boat(1)))
    let other = change(3, .boat(nil, Boat(3)))
    let history = UndoHistory([first, change(2, first.inverseEdits), other])
    #expect(history.undoable == [other])
    #expect(history.redoable == [])
  }

  @Test func `The undoing of an older change is a further change`() {
    let first = change(1, .boat(nil, Boat(1)))
    let second = change(2, .boat(nil, Boat(2)))
    let reverted = change(3, first.inverseEdits)
    #expect(UndoHistory([first, second, reverted]).undoable == [first, second, reverted])
  }

  @Test func `A change that reverts a part of the latest one, or more, is a further change`() {
    let first = change(1, .boat(nil, Boat(1)), .boat(nil, Boat(2)))
    let part = change(2, .boat(Boat(2), nil))
    let more = change(3, .boat(Boat(2), nil), .boat(Boat(1), nil), .boat(Boat(7), nil))
    for other in [part, more] {
      #expect(UndoHistory([first, other]).undoable == [first, other])
      #expect(UndoHistory([first, other]).redoable == [])
    }
  }

  @Test func `Places of elements do not matter`() {
    let first = change(1, .boat(nil, Boat(1), at: 4))
    let undone = change(2, .boat(Boat(1), nil, at: 2))
    #expect(UndoHistory([first, undone]).redoable == [first])
  }
}
