import Foundation
import OffshoreCalendar
import Testing

/// A clock that a test sets.
@MainActor
final class Clock {
  var now: Date

  init(_ now: Date) { self.now = now }

  /// Creates a clock that shows a time of a day in UTC.
  init(_ day: String, minutesAfterNoon minutes: Int = 0) throws {
    now = try #require(CalendarDay(day)).noon.addingTimeInterval(TimeInterval(minutes * 60))
  }
}
