import Foundation
import OffshoreCalendar
import OffshorePresentation
import OffshorePresentationTesting
import TestSupport
import Testing

@testable import ShiftScheduler

/// The calendar of shifts.
@MainActor
struct ScheduleFeatureTests {
  private typealias Feature = ScheduleFeature
  private let days = CalendarDay.june - 2...(.june + 34)

  private func makeStore(
    _ persistence: PersistenceClient, mode: Feature.Mode = .month, shifts: [ScheduledShift] = []
  ) -> TestStore<Feature.State, Feature.Action> {
    var state = Feature.State(
      day: .june, mode: mode, shiftTypes: [.early, .night, .vacation],
      locations: [.harbor, .city])
    state.shifts = shifts
    return TestStore(initialState: state) {
      ScheduleFeature()
    } withDependencies: {
      $0.persistence = persistence
      $0.calendar = .utc
      $0.uuid = UUID.numbered()
    }
  }

  // MARK: - Days

  @Test func `A month is shown in whole weeks, and loaded with its neighbors`() {
    var state = Feature.State(day: .june + 14)
    #expect(state.days == CalendarDay.june - 1...(.june + 33))
    #expect(state.loadedDays == days)
    state.firstWeekday = .sunday
    #expect(state.days == CalendarDay.june - 2...(.june + 32))
    state.mode = .week
    #expect(state.days == CalendarDay.june + 12...(.june + 18))
    state.mode = .day
    #expect(state.days == CalendarDay.june + 14...(.june + 14))
  }

  @Test func `The shifts of the days that are shown are loaded`() async {
    let repository = InMemoryRepository(shifts: [.june(1), .june(30)])
    let store = makeStore(PersistenceClient(repository: repository))
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.shiftsLoaded(days, .success([.june(1), .june(30)]))) {
      $0.isLoading = false
      $0.shifts = [.june(1), .june(30)]
    }
    await store.send(.show(.june + 1, .month)) { $0.day = .june + 1 }
    await store.send(.show(.june + 1, .day)) {
      $0.mode = .day
      $0.isLoading = true
    }
    await store.receive(.shiftsLoaded(.june...(.june + 2), .success([.june(1)]))) {
      $0.isLoading = false
      $0.shifts = [.june(1)]
    }
    await store.finish()
  }

  @Test func `A failure to load is an error`() async {
    let store = makeStore(PersistenceClient(loadShiftsIn: { _ in throw AppError.database(.busy) }))
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.shiftsLoaded(days, .failure(.database(.busy)))) {
      $0.isLoading = false
      $0.error = .database(.busy)
    }
    await store.send(.dismissError) { $0.error = nil }
    await store.finish()
  }

  @Test func `The stored shifts of the days that are shown are followed`() async throws {
    let repository = InMemoryRepository(shifts: [.june(1)])
    let store = makeStore(PersistenceClient(repository: repository), mode: .day)
    let first = CalendarDay.june - 1...(.june + 1)
    await store.send(.startObservingShifts) { $0.isObserving = true }
    await store.receive(.shiftsUpdated(first, [.june(1)])) { $0.shifts = [.june(1)] }
    try await repository.saveShift(.june(2))
    await store.receive(.shiftsUpdated(first, [.june(1), .june(2)])) {
      $0.shifts = [.june(1), .june(2)]
    }
    let second = CalendarDay.june + 8...(.june + 10)
    let effects = await store.send(.show(.june + 9, .day)) {
      $0.day = .june + 9
      $0.isLoading = true
    }
    await store.receive(.shiftsLoaded(second, .success([]))) {
      $0.isLoading = false
      $0.shifts = []
    }
    await store.receive(.shiftsUpdated(second, []))
    await effects.cancel()
    await store.finish()
  }

  @Test func `The first day of the week is changed`() async {
    let store = makeStore(PersistenceClient(repository: InMemoryRepository()))
    await store.send(.setFirstWeekday(.sunday)) {
      $0.firstWeekday = .sunday
      $0.isLoading = true
    }
    let days = CalendarDay.june - 3...(.june + 33)
    await store.receive(.shiftsLoaded(days, .success([]))) { $0.isLoading = false }
    await store.finish()
  }

  // MARK: - Changes

  @Test func `A shift is added at once if it overlaps nothing`() async throws {
    let repository = InMemoryRepository()
    let store = makeStore(PersistenceClient(repository: repository))
    await store.send(.addShift(.june(1)))
    await store.receive(.checked([.shift(before: nil, after: .june(1))], [])) {
      $0.shifts = [.june(1)]
    }
    await store.finish()
    #expect(try await repository.loadShifts() == [.june(1)])
  }

  @Test func `A shift that overlaps another is added if the user keeps the overlap`() async throws {
    let repository = InMemoryRepository(shifts: [.june(1)])
    let store = makeStore(PersistenceClient(repository: repository), shifts: [.june(1)])
    let edits: [ScheduleEdit] = [.shift(before: nil, after: .june(1, .vacation, id: 9))]
    let overlaps = [ShiftOverlap(first: .june(1, .vacation, id: 9), second: .june(1))]
    let proposal = Feature.Proposal(edits: edits, overlaps: overlaps)
    await store.send(.addShift(.june(1, .vacation, id: 9)))
    await store.receive(.checked(edits, overlaps)) { $0.proposal = proposal }
    await store.send(.discardProposal) { $0.proposal = nil }
    await store.send(.addShift(.june(1, .vacation, id: 9)))
    await store.receive(.checked(edits, overlaps)) { $0.proposal = proposal }
    await store.send(.keepOverlaps) {
      $0.proposal = nil
      $0.shifts = [.june(1), .june(1, .vacation, id: 9)]
    }
    await store.finish()
    #expect(try await repository.loadShifts().count == 2)
  }

  @Test func `A shift is moved, copied and deleted`() async throws {
    let repository = InMemoryRepository(shifts: [.june(1)])
    let store = makeStore(PersistenceClient(repository: repository), shifts: [.june(1)])
    var moved = ScheduledShift.june(1)
    moved.date = .june + 4
    await store.send(.moveShift(moved.id, to: moved.date))
    await store.receive(.checked([.shift(before: .june(1), after: moved)], [])) {
      $0.shifts = [moved]
    }
    let copies = [6, 8].enumerated().map { number, day in
      ScheduledShift(
        id: UUID(number: number + 1), shiftTypeID: ShiftType.early.id, date: .june + day)
    }
    await store.send(.copyShift(moved.id, to: [.june + 8, .june + 6, .june + 8]))
    await store.receive(.checked(copies.map { .shift(before: nil, after: $0) }, [])) {
      $0.shifts = [moved] + copies
    }
    await store.send(.deleteShift(moved.id)) { $0.shifts = copies }
    await store.finish()
    #expect(try await repository.loadShifts() == copies)
  }

  @Test func `A pattern is repeated beyond the days that are shown, as one change`() async throws {
    let repository = InMemoryRepository()
    let store = makeStore(PersistenceClient(repository: repository))
    let pattern = ShiftPattern(ShiftType.early.id, on: 4, off: 2)
    let shifts = pattern.shifts(on: .june...(.june + 59), makeID: UUID.numbered())
    await store.send(.repeatPattern(pattern, on: .june...(.june + 59)))
    await store.receive(.checked(shifts.map { .shift(before: nil, after: $0) }, [])) {
      $0.shifts = shifts.filter { $0.date <= .june + 34 }
    }
    await store.finish()
    #expect(try await repository.loadShifts() == shifts)
    #expect(try await repository.loadChanges().count == 1)
  }

  @Test func `A change of a shift that another device has changed is taken back`() async throws {
    let repository = InMemoryRepository(shifts: [.june(1, status: .cancelled)])
    let store = makeStore(PersistenceClient(repository: repository), shifts: [.june(1)])
    let edits: [ScheduleEdit] = [.shift(before: .june(1), after: .june(1, status: .done))]
    await store.send(.updateShift(.june(1, status: .done)))
    await store.receive(.checked(edits, [])) { $0.shifts = [.june(1, status: .done)] }
    await store.receive(.saveFailed(edits, .sync(.conflict))) {
      $0.shifts = [.june(1)]
      $0.error = .sync(.conflict)
    }
    await store.finish()
    #expect(try await repository.loadShifts() == [.june(1, status: .cancelled)])
  }

  @Test func `A change without a difference, or of a missing shift, does nothing`() async {
    let store = makeStore(PersistenceClient(), shifts: [.june(1)])
    await store.send(.updateShift(.june(1)))
    await store.send(.moveShift(.init(), to: .june))
    await store.send(.copyShift(.init(), to: [.june]))
    await store.send(.deleteShift(.init()))
    await store.send(.keepOverlaps)
    await store.finish()
  }

  // MARK: - View

  @Test func `A view has the shifts by day and time, overlaps, and totals`() throws {
    var state = Feature.State(
      day: .june, shiftTypes: [.early, .night, .vacation], locations: [])
    state.shifts = [
      .june(2, .night, id: 40), .june(2), .june(30), .june(2, .vacation, id: 50), .june(32),
    ]
    let view = state.view(in: .utc)
    #expect(
      view.shifts[.june + 1]?.map(\.id)
        == [UUID(number: 150), UUID(number: 102), UUID(number: 140)])
    #expect(view.overlaps.count == 2)
    #expect(view.totals.shifts == 4 && view.totals.hours == 24 && view.totals.wholeDays == 1)
    #expect(view.weeks.map(\.totals.shifts) == [3, 0, 0, 0, 2])
    state.mode = .week
    #expect(state.view(in: .utc).totals.shifts == 3)
  }

  // MARK: - Search

  @Test func `A search finds shifts by text, type, location, status and days`() async {
    var noted = ScheduledShift.june(3, .night)
    noted.note = "Замена для Аллы"
    let all = [noted, .june(1), .june(9, status: .done), .june(5, .vacation)]
    let store = makeStore(PersistenceClient(repository: InMemoryRepository(shifts: all)))
    func expect(
      _ found: [ScheduledShift], _ change: (inout ScheduleSearch) -> Void
    ) async {
      var search = ScheduleSearch()
      change(&search)
      await store.send(.searchChanged(search)) { $0.search = search }
      await store.receive(.found(.success(found))) { $0.found = found }
    }
    await expect([noted]) { $0.text = "алл замена" }
    await expect([.june(1), .june(9, status: .done)]) { $0.text = "HARBOR early" }
    await expect([.june(5, .vacation)]) { $0.shiftTypeID = ShiftType.vacation.id }
    await expect([.june(9, status: .done)]) { $0.status = .done }
    await expect([.june(1), .june(9, status: .done)]) { $0.locationID = Location.harbor.id }
    await expect([noted, .june(5, .vacation)]) { $0.days = .june + 1...(.june + 5) }
    await store.send(.searchChanged(ScheduleSearch())) {
      $0.search = ScheduleSearch()
      $0.found = []
    }
    await store.finish()
  }
}
