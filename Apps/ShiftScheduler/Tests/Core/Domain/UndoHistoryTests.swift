import Foundation
import OffshoreFiles
import OffshorePresentationTesting
import TestSupport
import Testing

@testable import ShiftScheduler

/// Undoing and redoing random changes of records.
struct UndoHistoryTests {
  @Test func `Random sequences lead back to the beginning, and to the end again`() async throws {
    for seed in 0..<1_000 { try await checkRandomSequence(UInt64(seed), InMemoryRepository()) }
  }

  @Test func `Random sequences in a database lead back to the beginning, and to the end again`()
    async throws
  {
    for seed in 0..<40 {
      try await checkRandomSequence(
        UInt64(seed), DatabaseRepository(database: try .makeEmpty()))
    }
  }

  /// Makes up to 60 random changes, undoes all of them, and redoes them.
  private func checkRandomSequence(
    _ seed: UInt64, _ repository: some GroupRepository
  ) async throws {
    let group = repository.group
    var random = SeededRandom(seed: seed)
    for _ in 0..<random.number(below: 61) { try await group.changeAtRandom(&random) }
    try await group.redoAll()
    let end = try await group.content().records
    for change in try await UndoHistory(group.loadChanges()).undoable.reversed() {
      try await group.perform(.apply(change.inverse.edits))
    }
    let undone = try await group.content()
    #expect(undone.records == [], "seed \(seed)")
    #expect(UndoHistory(Array(undone.changes)).undoable == [], "seed \(seed)")
    try await group.redoAll()
    #expect(try await group.content().records == end, "seed \(seed)")
  }
}

extension ScheduleContent {
  /// The records of each type, in their order.
  fileprivate var records: [ScheduleEdit] {
    self[Location.self].map { .location(before: nil, after: $0) }
      + self[ShiftType.self].map { .shiftType(before: nil, after: $0) }
      + self[ScheduledShift.self].map { .shift(before: nil, after: $0) }
  }
}

extension CollectionGroup<ScheduleChange> {
  fileprivate func redoAll() async throws {
    for change in try await UndoHistory(loadChanges()).redoable.reversed() {
      try await perform(.apply(change.edits))
    }
  }

  /// Changes a record, or inserts or removes some. An inserted record has a new id, as those of users have.
  fileprivate func changeAtRandom(_ random: inout SeededRandom) async throws {
    let content = try await content()
    let newID = UUID(number: 1_000 + content.changes.count)
    let text = "\(random.number(below: 3))"
    let (locations, types) = (Array(content[Location.self]), Array(content[ShiftType.self]))
    let shifts = try await load(ScheduledShift.self)
    let location = random.pick(locations.map(\.id) + [newID])
    let type = random.pick(types.map(\.id) + [newID])
    let shift = random.pick(shifts.map(\.id) + [newID])
    switch random.number(below: 8) {
    case 0: try await perform(.delete(shift, ScheduledShift.self))
    case 1: try await perform(.save(Location(id: location, name: text)))
    case 2:
      let choice = random.pick([Replacement.clear, .move(to: random.pick([newID, location]))])
      let removed = locations.first { $0.id == location }
      try await perform(.apply(removed?.removal(from: types, choice) ?? []))
    case 3:
      let saved = ShiftType(
        id: type, symbol: text, duration: .allDay, title: "T", locationID: location)
      try await perform(.save(saved))
    case 4:
      let choice = random.pick([Replacement.clear, .move(to: random.pick([newID, type]))])
      let removed = types.first { $0.id == type }
      try await perform(.apply(removed?.removal(from: shifts, choice) ?? []))
    case 5:
      let kept = shifts.filter { _ in random.number(below: 3) > 0 }
      try await replaceLoaded(kept + [ScheduledShift(id: newID, shiftTypeID: type, date: .june)])
    case 6:
      if let undone = UndoHistory(Array(content.changes)).undoable.last {
        try await perform(.apply(undone.inverse.edits))
      }
    default:
      try await perform(
        .save(ScheduledShift(id: shift, shiftTypeID: type, date: .june, note: text)))
    }
  }
}
