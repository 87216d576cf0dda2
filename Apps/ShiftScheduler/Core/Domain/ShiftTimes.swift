package import Foundation
package import OffshoreCalendar

/// Two shifts at the same time.
public struct ShiftOverlap: Hashable, Sendable {
  /// The shift that begins first.
  public let first: ScheduledShift
  public let second: ScheduledShift
}

/// The times of shifts, and which of them are at the same time.
package struct ShiftTimes {
  private let types: [ShiftType.ID: ShiftType]
  private let calendar: Calendar

  /// - Parameter calendar: The calendar with the time zone of the clock.
  package init(_ types: [ShiftType], in calendar: Calendar) {
    self.types = Dictionary(types.map { ($0.id, $0) }) { first, _ in first }
    self.calendar = calendar
  }

  /// Returns the type of a shift, or `nil` if it does not exist any more.
  package func type(of shift: ScheduledShift) -> ShiftType? { types[shift.shiftTypeID] }

  /// Returns the instants of a shift; `nil` if its type does not exist any more.
  package func interval(of shift: ScheduledShift) -> Range<Date>? {
    type(of: shift)?.duration.interval(on: shift.date, in: calendar)
  }

  /// Returns the hours of a shift, without overtime; 0 if its type does not exist any more.
  package func hours(of shift: ScheduledShift) -> Double {
    type(of: shift)?.duration.hours(on: shift.date, in: calendar) ?? 0
  }

  /// Returns shifts by their times. Those without a type are last.
  package func sorted(_ shifts: some Sequence<ScheduledShift>) -> [ScheduledShift] {
    shifts.map { (shift: $0, start: interval(of: $0)?.lowerBound ?? .distantFuture) }
      .sorted { ($0.start, $0.shift.id.uuidString) < ($1.start, $1.shift.id.uuidString) }
      .map { $0.shift }
  }

  /// Returns the pairs of shifts that are at the same time, by their starts. Cancelled ones, and those
  /// without a type, have none.
  /// - Parameter shifts: The shifts in any order, with those of the day before the first and the day after
  ///   the last that count.
  package func overlaps(among shifts: some Sequence<ScheduledShift>) -> [ShiftOverlap] {
    var overlaps: [ShiftOverlap] = []
    var open: [(shift: ScheduledShift, time: Range<Date>)] = []
    for next in sorted(shifts) where next.status != .cancelled {
      guard let time = interval(of: next) else { continue }
      open.removeAll { $0.time.upperBound <= time.lowerBound }
      overlaps += open.map { ShiftOverlap(first: $0.shift, second: next) }
      open.append((next, time))
    }
    return overlaps
  }
}

/// The sums of shifts. Cancelled ones do not count.
package struct ShiftTotals: Equatable, Sendable {
  package var shifts = 0
  /// The hours on the clock, without overtime.
  package var hours = 0.0
  /// The number of shifts that last the whole day and have no hours.
  package var wholeDays = 0
  package var overtimeMinutes = 0

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

extension ClosedRange<CalendarDay> {
  /// The days with the day before and the day after, whose shifts may reach into them.
  var withNeighbors: Self { (lowerBound - 1)...(upperBound + 1) }
}
