package import Foundation
import OffshoreCalendar
package import OffshoreFiles
import OffshoreSync

extension EngineComparison {
  /// Creates the comparison with shifts, of which there is one a day.
  /// - Parameter directory: A folder that does not exist. It is removed after each measurement.
  package init(ofShiftsIn directory: URL) {
    self.init(in: directory) { engine, directory, count in
      let storage = ScheduleStorage(directory: directory)
      // A day of 2026.
      let first = CalendarDay.first + 740_000
      let shifts = (0..<count).map { ScheduledShift(shiftTypeID: UUID(), date: first + $0) }
      // A copy has no log of the insertion.
      let target = try storage.repository(of: engine).group
      try await InMemoryRepository(shifts: shifts).group.copy(to: target)
      if engine == .database { await (try storage.database()).store.close() }
    } load: { engine, directory in
      let repository = try ScheduleStorage(directory: directory).repository(of: engine)
      let shifts = try await repository.loadShifts()
      let shift = shifts[shifts.count / 2]
      let days = CalendarMonth(containing: shift.date).days
      return Steps { round in
        var changed = shift
        changed.overtimeMinutes = round
        try await repository.saveShift(changed)
      } month: {
        _ = try await repository.loadShifts(in: days)
      }
    }
  }
}
