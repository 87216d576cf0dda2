import Anyfleet
import Foundation

/// Days as forms send them: those of the civil calendar, whatever calendar and time zone a device has.
enum Days {
  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// A day as a form's field has it, `yyyy-MM-dd`.
  static func field(_ day: Date?) -> String {
    guard let day else { return "" }
    let parts = calendar.dateComponents([.year, .month, .day], from: day)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }

  /// The instant that stands for the day that a field names, or `nil` where it names none.
  static func day(_ field: String) -> Date? {
    guard let match = field.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/) else { return nil }
    let parts = DateComponents(
      year: Int(match.1), month: Int(match.2), day: Int(match.3))
    guard let day = calendar.date(from: parts),
      calendar.dateComponents([.year, .month, .day], from: day) == parts
    else { return nil }
    return CalendarDay(containing: day).noon
  }
}
