import Foundation
import OffshorePresentationTesting
import TestSupport
import Testing

@testable import ShiftScheduler

/// The steps that a log of changes allows to undo and redo.
struct UndoHistoryTests {
  private func change(_ number: Int, _ edits: ScheduleEdit...) -> ScheduleChange {
    ScheduleChange(id: UUID(number: number), moment: .distantPast, edits: edits)
  }

  private func again(_ number: Int, _ change: ScheduleChange) -> ScheduleChange {
    ScheduleChange(id: UUID(number: number), moment: .distantFuture, edits: change.edits)
  }

  @Test func `A change that reverts the latest one is its undoing`() {
    let first = change(1, .shift(before: nil, after: .june(1), index: 0))
    let second = change(2, .shift(before: nil, after: .june(2), index: 1))
    let undone = again(3, second.inverse)
    let history = UndoHistory([first, second, undone])
    #expect(history.undoable == [first])
    #expect(history.redoable == [second])
  }

  @Test func `A change that repeats the undone one is its redoing`() {
    let first = change(1, .shift(before: nil, after: .june(1), index: 0))
    let history = UndoHistory([first, again(2, first.inverse), again(3, first)])
    #expect(history.undoable == [first])
    #expect(history.redoable == [])
  }

  @Test func `Another change ends the redoing`() {
    let first = change(1, .shift(before: nil, after: .june(1)))
    let other = change(3, .shift(before: nil, after: .june(3)))
    let history = UndoHistory([first, again(2, first.inverse), other])
    #expect(history.undoable == [other])
    #expect(history.redoable == [])
  }

  @Test func `The undoing of an older change is a further change`() {
    let first = change(1, .shift(before: nil, after: .june(1)))
    let second = change(2, .shift(before: nil, after: .june(2)))
    let reverted = again(3, first.inverse)
    #expect(UndoHistory([first, second, reverted]).undoable == [first, second, reverted])
  }

  @Test func `Places of records do not matter`() {
    let first = change(1, .shift(before: nil, after: .june(1), index: 4))
    let undone = change(2, .shift(before: .june(1), after: nil, index: 2))
    #expect(UndoHistory([first, undone]).redoable == [first])
  }

  @Test func `Random sequences lead back to the beginning, and to the end again`() throws {
    for seed in 0..<1_000 {
      var random = SeededRandom(seed: UInt64(seed))
      var content = ScheduleContent()
      for _ in 0..<random.number(below: 60) { try content.changeAtRandom(&random) }
      try content.redoAll()
      let end = content.records
      while let change = UndoHistory(content.changes).undoable.last {
        try content.apply(change.inverse.edits, ChangeStamp())
      }
      #expect(content.records.isEmpty, "seed \(seed)")
      try content.redoAll()
      #expect(content.records == end, "seed \(seed)")
    }
  }
}

extension ScheduleContent {
  /// The records in any order.
  fileprivate var records: Set<ScheduleEdit> {
    Set(
      locations.map { .location(before: nil, after: $0) }
        + shifts.map { .shift(before: nil, after: $0) })
  }

  fileprivate mutating func changeAtRandom(_ random: inout SeededRandom) throws {
    let (number, stamp) = (random.number(below: 8), ChangeStamp())
    switch random.number(below: 6) {
    case 0: try delete(ScheduledShift.june(number + 1).id, as: ScheduledShift.self, stamp)
    case 1: try delete(UUID(number: number), as: Location.self, stamp)
    case 2:
      try save(Location(id: UUID(number: number), name: "\(random.number(below: 3))"), stamp)
    case 3:
      let shifts = shifts.filter { _ in random.number(below: 3) > 0 }
      try replace(by: shifts + [.june(20 + number)].filter { !shifts.contains($0) }, stamp)
    case 4:
      if let undone = UndoHistory(changes).undoable.last { try apply(undone.inverse.edits, stamp) }
    default:
      try save(ScheduledShift.june(number + 1, random.pick([.early, .night])), stamp)
    }
  }

  fileprivate mutating func redoAll() throws {
    while let change = UndoHistory(changes).redoable.last { try apply(change.edits, ChangeStamp()) }
  }
}
