import Foundation
import OffshoreCalendar
import OffshoreFiles
import OffshorePresentationTesting
import TestSupport
import Testing

@testable import ShiftScheduler

/// The behavior that all engines have in common.
struct RepositoryContractTests {
  // MARK: - Collections

  @Test(arguments: TestEngine.allCases)
  func `What is missing is empty`(_ engine: TestEngine) async throws {
    let repository = try engine.makePlace().open()
    #expect(try await repository.loadShiftTypes() == [])
    #expect(try await repository.loadLocations() == [])
    #expect(try await repository.loadShifts() == [])
    #expect(try await repository.loadChanges() == [])
  }

  @Test(arguments: TestEngine.allCases)
  func `Collections are loaded as they were saved, in their order`(
    _ engine: TestEngine
  ) async throws {
    let place = try engine.makePlace()
    let repository = place.open()
    try await repository.saveLocations([.harbor, .city])
    try await repository.saveShiftTypes([.night, .early, .vacation])
    try await repository.saveShifts([.june(3), .june(1, .night, status: .done)])
    let other = place.open()
    #expect(try await other.loadLocations() == [.harbor, .city])
    #expect(try await other.loadShiftTypes() == [.night, .early, .vacation])
    #expect(try await other.loadShifts() == [.june(3), .june(1, .night, status: .done)])
    try await repository.saveLocations([.city, .harbor])
    #expect(try await place.open().loadLocations() == [.city, .harbor])
    try await repository.saveLocations([])
    #expect(try await place.open().loadLocations() == [])
  }

  @Test(arguments: TestEngine.allCases)
  func `Two records with one id are refused, and nothing is changed`(
    _ engine: TestEngine
  ) async throws {
    let repository = try engine.makePlace().open()
    try await repository.saveLocations([.city])
    await #expect(throws: FileError.self) {
      try await repository.saveLocations([.harbor, .harbor])
    }
    #expect(try await repository.loadLocations() == [.city])
  }

  @Test(arguments: TestEngine.allCases.filter(\.isStored))
  func `A save keeps what another process has added since the last load`(
    _ engine: TestEngine
  ) async throws {
    let place = try engine.makePlace()
    let (first, second) = (place.open(), place.open())
    try await first.saveShifts([.june(1), .june(2)])
    _ = try await first.loadShifts()
    try await second.saveShift(.june(7))
    try await first.saveShifts([.june(2)])
    #expect(try await second.loadShifts() == [.june(2), .june(7)])
    _ = try await first.loadShifts()
    try await first.saveShifts([.june(2)])
    #expect(try await second.loadShifts() == [.june(2)])
  }

  // MARK: - Records

  @Test(arguments: TestEngine.allCases)
  func `Records are saved and deleted one by one`(_ engine: TestEngine) async throws {
    let repository = try engine.makePlace().open()
    try await repository.saveLocation(.harbor)
    try await repository.saveLocation(.city)
    var pier = Location.harbor
    pier.name = "Pier"
    try await repository.saveLocation(pier)
    #expect(try await repository.loadLocations() == [pier, .city])
    try await repository.deleteLocation(id: pier.id)
    try await repository.deleteLocation(id: pier.id)
    #expect(try await repository.loadLocations() == [.city])
    try await repository.saveShiftType(.early)
    try await repository.saveShiftType(.night)
    try await repository.deleteShiftType(id: ShiftType.early.id)
    #expect(try await repository.loadShiftTypes() == [.night])
    try await repository.saveShift(.june(1))
    try await repository.saveShift(.june(2))
    try await repository.deleteShift(id: ScheduledShift.june(1).id)
    #expect(try await repository.loadShifts() == [.june(2)])
  }

  @Test(arguments: TestEngine.allCases)
  func `Shifts are found by their days`(_ engine: TestEngine) async throws {
    let repository = try engine.makePlace().open()
    try await repository.saveShifts([9, 1, 4, 3, 5].map { .june($0) })
    #expect(
      try await repository.loadShifts(in: (.june + 2)...(.june + 4))
        == [.june(4), .june(3), .june(5)])
    #expect(try await repository.loadShifts(in: .first...(.june - 1)) == [])
  }

  @Test(arguments: TestEngine.allCases)
  func `Edits are made all or none`(_ engine: TestEngine) async throws {
    let repository = try engine.makePlace().open()
    try await repository.apply([
      .location(before: nil, after: .harbor), .shiftType(before: nil, after: .early),
      .shift(before: nil, after: .june(1)), .shift(before: nil, after: .june(2)),
    ])
    let done = ScheduledShift.june(1, status: .done)
    let refusal = await #expect(throws: EditRefusal.self) {
      try await repository.apply([
        .location(before: .harbor, after: nil), .shift(before: done, after: nil),
        .shift(before: nil, after: .june(2)),
      ])
    }
    #expect(
      refusal?.differences == [
        .shift(before: done, after: .june(1)), .shift(before: nil, after: .june(2)),
      ])
    #expect(try await repository.loadLocations() == [.harbor])
    #expect(try await repository.loadShifts() == [.june(1), .june(2)])
    try await repository.apply([
      .shift(before: .june(1), after: done), .shift(before: .june(2), after: nil),
    ])
    #expect(try await repository.loadShifts() == [done])
    #expect(try await repository.loadChanges().count == 2)
  }

  // MARK: - Log

  @Test(arguments: TestEngine.allCases)
  func `Each change is logged with its differences`(_ engine: TestEngine) async throws {
    let place = try engine.makePlace()
    let repository = place.open()
    try await repository.saveShifts([.june(1), .june(2)])
    try await repository.saveShifts([.june(1), .june(2)])
    try await repository.saveShifts([.june(2, status: .done), .june(3)])
    try await repository.saveLocation(.city)
    try await repository.deleteShift(id: ScheduledShift.june(3).id)
    let changes = try await place.open().loadChanges()
    #expect(
      changes.map { $0.edits.map(\.withoutIndex) } == [
        [.shift(before: nil, after: .june(1)), .shift(before: nil, after: .june(2))],
        [
          .shift(before: .june(1), after: nil),
          .shift(before: .june(2), after: .june(2, status: .done)),
          .shift(before: nil, after: .june(3)),
        ],
        [.location(before: nil, after: .city)],
        [.shift(before: .june(3), after: nil)],
      ])
    #expect(Set(changes.map(\.id)).count == 4)
    for change in changes {
      let seconds = change.moment.timeIntervalSinceReferenceDate
      #expect(seconds == seconds.rounded())
    }
  }

  @Test(arguments: TestEngine.allCases)
  func `50 mixed changes are undone and redone in their places`(
    _ engine: TestEngine
  ) async throws {
    let place = try engine.makePlace()
    var repository = place.open()
    try await repository.saveLocations([.harbor, .city])
    try await repository.saveShifts((1...9).map { .june($0) })
    let start = try await repository.records()
    for number in 0..<50 { try await repository.change(number) }
    let end = try await repository.records()
    repository = place.open()
    for _ in 0..<50 {
      let change = try #require(
        UndoHistory(try await repository.loadChanges()).undoable.last)
      try await repository.apply(change.inverse.edits)
    }
    #expect(try await repository.records() == start)
    repository = place.open()
    for _ in 0..<50 {
      let change = try #require(
        UndoHistory(try await repository.loadChanges()).redoable.last)
      try await repository.apply(change.edits)
    }
    #expect(try await repository.records() == end)
    #expect(UndoHistory(try await repository.loadChanges()).redoable == [])
  }

  // MARK: - Observation

  @Test(arguments: TestEngine.allCases)
  func `Observers receive the stored values and those after each change`(
    _ engine: TestEngine
  ) async throws {
    let place = try engine.makePlace()
    let (observed, other) = (place.open(), place.open())
    try await other.saveLocations([.harbor])
    let client = PersistenceClient(repository: observed)
    var locations = client.observeLocations().makeAsyncIterator()
    var shifts = client.observeShiftsIn(.june...(.june + 3)).makeAsyncIterator()
    var changes = client.observeChanges().makeAsyncIterator()
    #expect(await locations.next() == [.harbor])
    #expect(await shifts.next() == [])
    #expect(await changes.next()?.count == 1)
    try await other.saveLocations([.city])
    #expect(await locations.next() == [.city])
    try await other.saveShifts([.june(1), .june(9)])
    #expect(await shifts.next() == [.june(1)])
    #expect(await changes.next()?.isEmpty == false)
  }
}

extension PersistenceRepository {
  /// All records as edits, in their order.
  fileprivate func records() async throws -> [ScheduleEdit] {
    try await loadLocations().map { .location(before: nil, after: $0) }
      + loadShiftTypes().map { .shiftType(before: nil, after: $0) }
      + loadShifts().map { .shift(before: nil, after: $0) }
  }

  /// Makes the change with a number.
  fileprivate func change(_ number: Int) async throws {
    let shift = ScheduledShift.june(number % 9 + 1)
    switch number % 5 {
    case 0:
      var harbor = Location.harbor
      harbor.name = "Harbor \(number)"
      try await saveLocation(harbor)
    case 1: if let first = try await loadShifts().first { try await deleteShift(id: first.id) }
    case 2: try await saveShift(.june(30, id: 40 + number))
    case 3:
      try await saveShiftTypes([.night, ShiftType(symbol: "X", duration: .allDay, title: "X")])
    default:
      try await saveShifts(
        loadShifts().filter { $0.date != shift.date } + [.june(20, id: 200 + number)])
    }
  }
}

/// Repositories that have only the required functions.
struct SixFunctionsTests {
  @Test func `The other functions are made of the six`() async throws {
    let repository = SixFunctions()
    try await repository.saveShift(.june(1))
    try await repository.saveShift(.june(4))
    try await repository.saveShiftType(.early)
    try await repository.saveLocation(.city)
    try await repository.apply([.shift(before: .june(4), after: .june(4, status: .done))])
    #expect(try await repository.loadShifts(in: (.june + 3)...(.june + 3)).map(\.status) == [.done])
    await #expect(throws: EditRefusal.self) {
      try await repository.apply([
        .location(before: .city, after: nil), .shift(before: .june(4), after: nil),
      ])
    }
    #expect(await repository.loadLocations() == [.city])
    try await repository.deleteLocation(id: Location.city.id)
    try await repository.deleteShiftType(id: ShiftType.early.id)
    try await repository.deleteShift(id: ScheduledShift.june(1).id)
    #expect(await repository.loadLocations() == [])
    #expect(await repository.loadShiftTypes() == [])
    #expect(try await repository.loadChanges() == [])
  }

  @Test func `A client observes the changes that it makes`() async throws {
    let client = PersistenceClient(repository: SixFunctions())
    var shifts = client.observeShifts().makeAsyncIterator()
    #expect(await shifts.next() == [])
    try await client.saveShift(.june(2))
    #expect(await shifts.next() == [.june(2)])
  }
}
