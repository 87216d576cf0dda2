import Foundation

/// The date formats of a speaker.
struct DateFormats: Sendable {
  let day: Date.FormatStyle
  let longDay: Date.FormatStyle
  let month: Date.FormatStyle
  let time: Date.FormatStyle
  let dayAndTime: Date.FormatStyle
  let dayRange: Date.IntervalFormatStyle
  let civilDayRange: Date.IntervalFormatStyle
  let relative: Date.AnchoredRelativeFormatStyle

  init(locale: Locale, calendar: Calendar) {
    let zone = calendar.timeZone
    let style = Date.FormatStyle(locale: locale, calendar: calendar, timeZone: zone)
    day = style.day().month(.abbreviated).year()
    longDay = style.weekday(.wide).day().month(.wide).year()
    month = style.month(.wide).year()
    time = style.hour().minute()
    dayAndTime = day.hour().minute()
    dayRange = Self.range(locale, calendar)
    civilDayRange = Self.range(locale, calendar.inUTC)
    relative = Date.AnchoredRelativeFormatStyle(
      anchor: .distantPast, presentation: .named, unitsStyle: .wide, locale: locale,
      calendar: calendar)
  }

  private static func range(_ locale: Locale, _ calendar: Calendar) -> Date.IntervalFormatStyle {
    Date.IntervalFormatStyle(locale: locale, calendar: calendar, timeZone: calendar.timeZone)
      .day().month(.abbreviated).year()
  }
}

extension Calendar {
  /// Returns a calendar of the same kind and time zone with a locale.
  func speaking(_ locale: Locale) -> Calendar {
    // NB: A copy of `autoupdatingCurrent` would follow the locale of the machine.
    var calendar = Calendar(identifier: identifier)
    calendar.timeZone = timeZone
    calendar.locale = locale
    return calendar
  }

  /// The calendar of the same kind and locale in UTC.
  fileprivate var inUTC: Calendar {
    var calendar = self
    calendar.timeZone = .gmt
    return calendar
  }
}
