package import OffshoreCalendar

/// The sums of shifts. Cancelled ones do not count.
package struct ShiftTotals: Equatable, Sendable {
  package var shifts = 0
  /// The hours on the clock, without overtime.
  package var hours = 0.0
  /// The number of shifts that last the whole day and have no hours.
  package var wholeDays = 0
  package var overtimeMinutes = 0

  /// The hours with overtime.
  package var hoursWithOvertime: Double { hours + Double(overtimeMinutes) / 60 }

  /// Creates the sums of the shifts that start in a range of days. A shift after midnight counts to the day
  /// on which it starts.
  package init(
    of shifts: some Sequence<ScheduledShift>, in days: ClosedRange<CalendarDay>, _ times: ShiftTimes
  ) {
    for shift in shifts where shift.status != .cancelled && days.contains(shift.date) {
      self.shifts += 1
      hours += times.hours(of: shift)
      overtimeMinutes += shift.overtimeMinutes
      if times.type(of: shift)?.duration == .allDay { wholeDays += 1 }
    }
  }
}
