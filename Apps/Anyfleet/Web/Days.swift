import Foundation

/// Days as pages show them and as forms send them.
struct Days {
  let calendar: Calendar
  var locale = Locale(identifier: "en_GB")

  /// Two days as a range, such as "12 – 19 Jun 2027".
  func range(_ start: Date, _ end: Date) -> String {
    if calendar.isDate(start, inSameDayAs: end) { return text(start) }
    let first =
      if calendar.isDate(start, equalTo: end, toGranularity: .month) {
        start.formatted(style.day())
      } else if calendar.isDate(start, equalTo: end, toGranularity: .year) {
        start.formatted(style.day().month(.abbreviated))
      } else {
        text(start)
      }
    return "\(first) – \(text(end))"
  }

  /// One day, such as "12 Jun 2027".
  func text(_ day: Date) -> String {
    day.formatted(style.day().month(.abbreviated).year())
  }

  private var style: Date.FormatStyle {
    Date.FormatStyle(locale: locale, calendar: calendar, timeZone: calendar.timeZone)
  }

  /// A day as a form's field has it, `yyyy-MM-dd`.
  func field(_ day: Date?) -> String {
    guard let day else { return "" }
    let parts = calendar.dateComponents([.year, .month, .day], from: day)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }

  /// The beginning of the day that a field names, or `nil` where it names none.
  func day(_ field: String) -> Date? {
    guard let match = field.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/) else { return nil }
    let parts = DateComponents(
      year: Int(match.1), month: Int(match.2), day: Int(match.3))
    guard let day = calendar.date(from: parts),
      calendar.dateComponents([.year, .month, .day], from: day) == parts
    else { return nil }
    return day
  }
}
