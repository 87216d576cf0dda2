package import Foundation

extension Calendar {
  /// The Gregorian calendar in UTC.
  package static let utc = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// The Gregorian calendar in a time zone, such as `Europe/Zagreb`.
  package static func gregorian(in zone: String) throws -> Calendar {
    guard let zone = TimeZone(identifier: zone) else { throw UnknownTimeZone(name: zone) }
    var calendar = utc
    calendar.timeZone = zone
    return calendar
  }

  private struct UnknownTimeZone: Error { let name: String }
}

extension Date {
  /// Noon in UTC of a day in 2026.
  package static func day(_ month: Int, _ day: Int) -> Date {
    let parts = DateComponents(year: 2026, month: month, day: day, hour: 12)
    return Calendar.utc.date(from: parts) ?? .distantPast
  }
}
