package import Foundation
import OffshoreCalendar

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

  /// Returns the pairs of shifts that are at the same time, by their starts. Cancelled ones, and those
  /// without a type, have none.
  /// - Parameter shifts: The shifts in any order, with those of the day before the first and the day after
  ///   the last that count.
  package func overlaps(among shifts: some Sequence<ScheduledShift>) -> [ShiftOverlap] {
    let timed = shifts.filter { $0.status != .cancelled }.compactMap { shift in
      interval(of: shift).map { (shift: shift, time: $0) }
    }.sorted {
      ($0.time.lowerBound, $0.shift.id.uuidString) < ($1.time.lowerBound, $1.shift.id.uuidString)
    }
    var overlaps: [ShiftOverlap] = []
    var open: [(shift: ScheduledShift, time: Range<Date>)] = []
    for next in timed {
      open.removeAll { $0.time.upperBound <= next.time.lowerBound }
      overlaps += open.map { ShiftOverlap(first: $0.shift, second: next.shift) }
      open.append(next)
    }
    return overlaps
  }
}

extension ClosedRange<CalendarDay> {
  /// The days with the day before and the day after, whose shifts may reach into them.
  var withNeighbors: Self { (lowerBound - 1)...(upperBound + 1) }
}
