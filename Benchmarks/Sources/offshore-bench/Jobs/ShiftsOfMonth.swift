import Foundation
import OffshoreCalendar
import OffshorePresentation
import ShiftScheduler

/// Loads a month of 10,000 shifts from the database until its view is built, against the same from
/// files, which are loaded already.
struct ShiftsOfMonth: Job {
  let name = "shifts-month"
  let goal = Goal.timeRatio(must: 0.1, aim: 0.05)

  private let limit = 5.0

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await StoredShifts(count: 10_000, in: folder)
    let files = stored.openFiles()
    _ = try await files.loadShifts()
    var measurement = try await Measurement.interleaved {
      try await StoredShifts.showMonth(stored.database)
    } baseline: {
      try await StoredShifts.showMonth(files)
    }
    measurement.counts["median over \(Int(limit)) ms"] = .init(
      found: measurement.ours.median < limit ? 0 : 1, expected: 0)
    return measurement
  }
}

/// Saves one of 10,000 shifts in the database, against the same in files. Both wait for the disk.
struct ShiftsChange: Job {
  let name = "shifts-change"
  let goal = Goal.timeRatio(must: 0.05, aim: 0.02)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await StoredShifts(count: 10_000, in: folder)
    let files = stored.openFiles()
    _ = try await files.loadShifts()
    var shift = stored.shifts[5_000]
    return try await Measurement.interleaved {
      shift.overtimeMinutes = (shift.overtimeMinutes + 1) % 1_000
    } ours: {
      try await stored.database.saveShift(shift)
    } baseline: {
      try await files.saveShift(shift)
    }
  }
}

/// Deletes a shift from a month of 10,000 on the screen, with the comparison of the observed state.
struct ShiftsAction: Job {
  let name = "shifts-action"
  let goal = Goal.milliseconds(must: 2)

  @MainActor
  func measure(in folder: BenchFolder) async throws -> Measurement {
    let shifts = (0..<10_000).map { number in
      ScheduledShift(
        shiftTypeID: StoredShifts.types[number % 5].id, date: StoredShifts.day + number % 30)
    }
    let store = StoredShifts.makeStore(
      PersistenceClient(loadShiftsIn: { _ in shifts }, apply: { _ in }))
    await store.send(.onAppear).finish()
    var measurement = Measurement()
    for round in 0..<Measurement.rounds {
      _ = store.state
      let shift = shifts[shifts.count - 1 - round * 300]
      let start = ContinuousClock.now
      let effects = store.send(.deleteShift(shift.id))
      measurement.ours.append((ContinuousClock.now - start).milliseconds)
      await effects.finish()
    }
    let view = store.state.view(in: Calendar(identifier: .gregorian))
    let count = view.shifts.values.reduce(0) { $0 + $1.count }
    try expect(count == shifts.count - Measurement.rounds, "the other shifts")
    return measurement
  }
}
