import Foundation
import OffshoreCalendar

/// The date formats of a localizer, in the time zone of a calendar.
struct DateFormats: Sendable {
  let day: Date.FormatStyle
  let longDay: Date.FormatStyle
  let month: Date.FormatStyle
  let time: Date.FormatStyle
  let dayAndTime: Date.FormatStyle
  let dayRange: Date.IntervalFormatStyle
  let relative: Date.AnchoredRelativeFormatStyle
  let calendar: Calendar

  init(locale: Locale, calendar: Calendar) {
    self.calendar = calendar
    let zone = calendar.timeZone
    let style = Date.FormatStyle(locale: locale, calendar: calendar, timeZone: zone)
    day = style.day().month(.abbreviated).year()
    longDay = style.weekday(.wide).day().month(.wide).year()
    month = style.month(.wide).year()
    time = style.hour().minute()
    dayAndTime = day.hour().minute()
    dayRange = Date.IntervalFormatStyle(locale: locale, calendar: calendar, timeZone: zone)
      .day().month(.abbreviated).year()
    relative = Date.AnchoredRelativeFormatStyle(
      anchor: .distantPast, presentation: .named, unitsStyle: .wide, locale: locale,
      calendar: calendar)
  }
}

extension Calendar {
  /// Returns a calendar of the same kind and time zone with a locale.
  func with(_ locale: Locale) -> Calendar {
    // NB: A copy of `autoupdatingCurrent` would follow the locale of the machine.
    var calendar = Calendar(identifier: identifier)
    calendar.timeZone = timeZone
    calendar.locale = locale
    return calendar
  }

  /// The calendar of the same kind and locale in UTC.
  var inUTC: Calendar {
    var calendar = self
    calendar.timeZone = .gmt
    return calendar
  }
}

/// The names of the weekdays by themselves, as in the headings of a table.
struct WeekdayNames: Sendable {
  private let full: [String]
  private let short: [String]
  private let narrow: [String]

  init(_ calendar: Calendar) {
    full = calendar.standaloneWeekdaySymbols
    short = calendar.shortStandaloneWeekdaySymbols
    narrow = calendar.veryShortStandaloneWeekdaySymbols
  }

  /// Returns the name of a weekday.
  func name(of weekday: Weekday, _ width: Localizer.WeekdayWidth) -> String {
    let names =
      switch width {
      case .full: full
      case .short: short
      case .narrow: narrow
      }
    // Foundation counts from Sunday.
    let index = weekday.number % 7
    return names.indices.contains(index) ? names[index] : weekday.rawValue
  }
}
