public import Foundation
public import OffshoreCalendar

/// The time of a shift in its day.
///
/// As JSON, it is `{"allDay":{}}`, or `{"scheduled":{"from":{…},"to":{…}}}` with times as
/// `{"hour":9,"minute":0}`.
public enum ShiftDuration: Hashable, Sendable, Codable {
  /// The whole day, which counts as a day and has no hours.
  case allDay
  /// From one time to another, which is on the next day if it is not later.
  case scheduled(from: TimeOfDay, to: TimeOfDay)

  /// From 09:00 to 17:00.
  public static let standard = ShiftDuration.scheduled(
    from: TimeOfDay(hour: 9, minute: 0), to: TimeOfDay(hour: 17, minute: 0))

  /// Returns the hours that pass on the clock of a calendar's time zone, such as 7 from 22:00 to 06:00 in a
  /// night in which the clocks go forward; 0 for the whole day.
  ///
  /// A time that the clock skips is the next one that exists, and one that it shows twice is the first.
  public func hours(on day: CalendarDay, in calendar: Calendar) -> Double {
    switch self {
    case .allDay: 0
    case .scheduled(let start, let end): start.hours(to: end, on: day, in: calendar)
    }
  }

  /// Returns the instants of a shift on a day, in the time zone of a calendar.
  package func interval(on day: CalendarDay, in calendar: Calendar) -> Range<Date> {
    switch self {
    case .allDay:
      let start = day.start(in: calendar)
      // The last day that exists has no next one.
      return start..<max(start, (day + 1).start(in: calendar))
    case .scheduled(let start, let end): return start.interval(to: end, on: day, in: calendar)
    }
  }
}
