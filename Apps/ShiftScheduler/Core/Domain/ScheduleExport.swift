package import Foundation
package import OffshoreCalendar

/// Shifts as an iCalendar file.
package struct ScheduleExport {
  private let times: ShiftTimes
  private let locations: [Location]

  /// - Parameter calendar: The calendar with the time zone of the clock.
  package init(_ shiftTypes: [ShiftType], _ locations: [Location], in calendar: Calendar) {
    times = ShiftTimes(shiftTypes, in: calendar)
    self.locations = locations
  }

  /// Returns the file of the shifts that start in a range of days. Cancelled shifts, and those whose type
  /// does not exist any more, are left out.
  /// - Parameters:
  ///   - name: The name of the calendar, in the language of the user.
  ///   - stamp: The current date.
  package func file(
    of shifts: [ScheduledShift], in days: ClosedRange<CalendarDay>, named name: String, stamp: Date
  ) -> CalendarFile {
    let events = shifts.filter { days.contains($0.date) && $0.status != .cancelled }
      .sorted { ($0.date, $0.id.uuidString) < ($1.date, $1.id.uuidString) }
      .compactMap { event(of: $0, stamp) }
    return CalendarFile(name, product: "ShiftScheduler", events: events)
  }

  private func event(of shift: ScheduledShift, _ stamp: Date) -> CalendarFile.Event? {
    guard let type = times.type(of: shift), let instants = times.interval(of: shift) else {
      return nil
    }
    return CalendarFile.Event(
      id: shift.id.uuidString, stamp: stamp,
      time: type.duration == .allDay ? .days(shift.date...shift.date) : .instants(instants),
      title: "\(type.symbol) \(type.title)", location: type.location(from: locations)?.line ?? "",
      notes: [type.description, shift.note].filter { !$0.isEmpty }.joined(separator: "\n"))
  }
}
