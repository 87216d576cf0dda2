package import Foundation
import OffshoreCalendar
import OffshoreFiles
import OffshoreSync

/// The times and the size of an engine with a number of shifts.
package struct EngineMeasurement: Equatable, Sendable {
  package let engine: StorageEngine
  /// The number of shifts.
  package let count: Int
  /// The time to load all shifts from the disk.
  package let load: Duration
  /// The time to save one of the shifts.
  package let saveOne: Duration
  /// The time to load the shifts of a month.
  package let month: Duration
  /// The size of all files.
  package let bytes: Int
}

/// The comparison of the engines on this device.
package struct EngineComparison: Sendable {
  package static let counts = [10, 100, 1_000, 10_000]

  /// The number of measurements of which the median counts.
  private static let rounds = 5
  /// A day of 2026.
  private static let firstDay = CalendarDay.first + 740_000

  private let directory: URL
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - directory: A folder that does not exist. It is removed after each measurement.
  ///   - clock: The clock that measures.
  package init(in directory: URL, clock: any Clock<Duration> = ContinuousClock()) {
    (self.directory, self.clock) = (directory, clock)
  }

  /// Measures an engine with a number of shifts, of which there is one a day.
  /// - Throws: `FileError`, `DatabaseError`.
  package func measure(_ engine: StorageEngine, count: Int) async throws -> EngineMeasurement {
    defer { try? FileManager.default.removeItem(at: directory) }
    let first = Self.firstDay
    let shifts = (0..<count).map { ScheduledShift(shiftTypeID: UUID(), date: first + $0) }
    try await fill(shifts, engine)
    let load = try await median {
      _ = try await ScheduleStorage(directory: directory).repository(of: engine).loadShifts()
    }
    let repository = try ScheduleStorage(directory: directory).repository(of: engine)
    _ = try await repository.loadShifts()
    var shift = shifts[count / 2]
    let saveOne = try await median {
      shift.overtimeMinutes += 1
      try await repository.saveShift(shift)
    }
    let days = CalendarMonth(containing: shift.date).days
    let month = try await median { _ = try await repository.loadShifts(in: days) }
    return EngineMeasurement(
      engine: engine, count: count, load: load, saveOne: saveOne, month: month, bytes: try size())
  }

  /// Stores shifts without a log of their insertion.
  private func fill(_ shifts: [ScheduledShift], _ engine: StorageEngine) async throws {
    let storage = ScheduleStorage(directory: directory)
    let target = try storage.repository(of: engine).group
    try await InMemoryRepository(shifts: shifts).group.copy(to: target)
    if engine == .database { await (try storage.database()).store.close() }
  }

  private func median(_ body: () async throws -> Void) async throws -> Duration {
    var times: [Duration] = []
    for _ in 0..<Self.rounds { times.append(try await clock.measure { try await body() }) }
    return times.sorted()[Self.rounds / 2]
  }

  private func size() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).reduce(0) { sum, name in
      let path = directory.appending(path: name).path
      return sum + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
    }
  }
}
