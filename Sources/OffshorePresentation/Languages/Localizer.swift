public import Foundation
public import OffshoreCalendar
import Synchronization

/// A formatter of texts, dates, numbers and lists in a language.
///
/// ```swift
/// let say = Localizer(.russian, calendar: calendar)
/// say(.charters)                  // Чартеры
/// say.dayRange(start, end)        // 12—19 июня 2027 г.
/// say.list(["Анна", "Иван"])      // Анна и Иван
/// ```
///
/// The formats are created once, so store a localizer or use that of ``LanguageSetting``. The
/// locale of the machine has no effect, and no date, number or code traps.
public struct Localizer: Sendable {
  /// The language of the texts.
  public let language: Language
  /// The calendar and time zone of days and times, with the locale of the language.
  public let calendar: Calendar

  private let formats: DateFormats
  /// The formats in UTC, for civil days.
  private let civil: DateFormats
  private let weekdays: WeekdayNames
  private let hours: Duration.UnitsFormatStyle
  private let decimal: Decimal.FormatStyle
  private let fraction: FloatingPointFormatStyle<Double>
  private let share: FloatingPointFormatStyle<Double>.Percent
  private let currencies: CurrencyFormats
  private let conjunction: ListFormatStyle<StringStyle, [String]>

  /// Creates a localizer.
  ///
  /// - Parameters:
  ///   - language: the language.
  ///   - calendar: the kind and time zone of the calendar; its locale is ignored.
  public init(_ language: Language, calendar: Calendar) {
    let locale = language.locale
    self.language = language
    self.calendar = calendar.with(locale)
    formats = DateFormats(locale: locale, calendar: self.calendar)
    civil = DateFormats(locale: locale, calendar: self.calendar.inUTC)
    weekdays = WeekdayNames(self.calendar)
    hours = Duration.UnitsFormatStyle(
      allowedUnits: [.hours], width: .wide, fractionalPart: .init(lengthLimits: 0...2)
    ).locale(locale)
    decimal = Decimal.FormatStyle(locale: locale)
    fraction = FloatingPointFormatStyle(locale: locale)
    share = FloatingPointFormatStyle.Percent(locale: locale).precision(.fractionLength(0))
    currencies = CurrencyFormats { .currency(code: $0).locale(locale) }
    conjunction = .list(type: .and, width: .standard).locale(locale)
  }

  /// Returns a text in the language.
  public func callAsFunction(_ text: LocalizedText) -> String { text.in(language) }

  // MARK: - Dates

  /// Formats a day, such as “12 Jun 2027” and “12 июня 2027 г.”.
  public func day(_ date: Date) -> String { formats.day.format(date) }

  /// Formats a day with its weekday and the full month, such as “Saturday, 12 June 2027”.
  public func longDay(_ date: Date) -> String { formats.longDay.format(date) }

  /// Formats a month, such as “June 2027” and “июнь 2027 г.”.
  public func month(_ date: Date) -> String { formats.month.format(date) }

  /// Formats a time of day, such as “14:05”.
  public func time(_ date: Date) -> String { formats.time.format(date) }

  /// Formats a day and a time, such as “12 Jun 2027 at 14:05” and “12 июня 2027 г., 14:05”.
  public func dayAndTime(_ date: Date) -> String { formats.dayAndTime.format(date) }

  /// Formats a range of days, such as “12 – 19 Jun 2027” and “12—19 июня 2027 г.”.
  ///
  /// Common parts appear once, and a range of one day is formatted as that day. The order of the
  /// two does not matter.
  public func dayRange(_ start: Date, _ end: Date) -> String {
    range(start, end, formats.dayRange)
  }

  /// Formats a range of days like ``dayRange(_:_:)``, but by their dates in UTC.
  ///
  /// It is for civil days, which do not depend on a time zone and are stored as instants in UTC.
  public func civilDayRange(_ start: Date, _ end: Date) -> String {
    range(start, end, civil.dayRange)
  }

  private func range(_ start: Date, _ end: Date, _ format: Date.IntervalFormatStyle) -> String {
    let (first, last) = (min(start, end), max(start, end))
    // NB: Foundation traps if an end of an interval is not finite or is millions of years away.
    guard first.isOfKnownYear, last.isOfKnownYear else {
      return "\(day(first)) – \(day(last))"
    }
    // Some fonts lack the thin spaces that the locale data has around the dash.
    return format.format(first..<last).replacing("\u{2009}", with: " ")
  }

  /// Formats a date relative to now, such as “in 2 days”, “yesterday” and “2 часа назад”.
  public func relative(_ date: Date, to now: Date) -> String {
    var style = formats.relative
    // NB: The anchor is the date to describe; the formatted date is the reference.
    style.anchor = date
    return style.format(now)
  }

  // MARK: - Civil days
  // NB: Texts of days before 15 October 1582 are those of the Julian calendar.

  /// Formats a day, such as “12 Jun 2027”, in every time zone.
  public func day(_ day: CalendarDay) -> String { civil.day.format(day.noon) }

  /// Formats a day with its weekday and the full month, such as “Saturday, 12 June 2027”.
  public func longDay(_ day: CalendarDay) -> String { civil.longDay.format(day.noon) }

  /// Formats a range of days, such as “12 – 19 Jun 2027”; that of one day is formatted as the day.
  public func dayRange(_ days: ClosedRange<CalendarDay>) -> String {
    civilDayRange(days.lowerBound.noon, days.upperBound.noon)
  }

  /// Formats a month with its year, such as “June 2027” and “июнь 2027 г.”.
  public func month(_ month: CalendarMonth) -> String { civil.month.format(month.firstDay.noon) }

  /// Formats a time of day, such as “14:05”.
  public func time(_ time: TimeOfDay) -> String {
    civil.time.format(time.moment(on: .first, in: civil.calendar))
  }

  /// Returns the name of a weekday by itself, such as “Saturday” and “суббота”.
  public func weekday(_ weekday: Weekday, _ width: WeekdayWidth = .full) -> String {
    weekdays.name(of: weekday, width)
  }

  /// The length of a weekday's name.
  public enum WeekdayWidth: Sendable {
    /// The whole name: “Saturday”, “суббота”.
    case full
    /// A few letters: “Sat”, “Сб”.
    case short
    /// A letter, which several weekdays may share: “S”, “С”.
    case narrow
  }

  /// Formats a number of hours with up to two decimals, such as “7.5 hours” and “7,5 часа”.
  public func hours(_ count: Double) -> String {
    guard count.isFinite else { return number(count) }
    // NB: A duration of so many hours traps.
    return hours.format(.seconds(min(max(count, -1e9), 1e9) * 3600))
  }

  // MARK: - Numbers

  /// Formats a whole number, such as “1,234” and “1 234” (with a no-break space).
  public func number(_ value: Int) -> String { language.number(value) }

  /// Formats a number with up to three decimals, such as “1.5” and “1,5”.
  public func number(_ value: Double) -> String { fraction.format(value) }

  /// Formats a number with all its decimals.
  public func number(_ value: Decimal) -> String { decimal.format(value) }

  /// Formats a fraction as a whole percentage, such as “25%” and “25 %” for 0.25.
  public func percent(_ share: Double) -> String { self.share.format(share) }

  /// Formats an amount of money, such as “€1,200.50” and “1 200,50 €”.
  ///
  /// - Parameters:
  ///   - amount: the amount, which is rounded to the decimals of the currency.
  ///   - code: the ISO 4217 code of the currency. A text that is not three ASCII letters is
  ///     appended to the number.
  public func currency(_ amount: Decimal, _ code: String) -> String {
    guard code.utf8.count == 3, code.utf8.allSatisfy(\.isLetter) else {
      // NB: Foundation would omit the code, and with it the currency.
      return "\(number(amount)) \(code)"
    }
    return currencies[code.uppercased()].format(amount)
  }

  // MARK: - Lists

  /// Formats items as a list, such as “a, b and c” and “a, b и c”.
  public func list(_ items: [String]) -> String { conjunction.format(items) }
}

extension Date {
  /// Whether the date is in the years 1 to 9999.
  ///
  /// NB: Seconds are compared, because a range of dates contains dates that are not a number.
  fileprivate var isOfKnownYear: Bool {
    (-62_135_596_800..<253_402_300_800).contains(timeIntervalSince1970)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}

extension Localizer: Equatable {
  /// Returns whether both format everything in the same way.
  public static func == (one: Localizer, other: Localizer) -> Bool {
    one.language == other.language && one.calendar == other.calendar
  }
}

/// The currency formats of a localizer, each created at its first use.
///
/// A code has three letters, so there are at most 17,576.
final class CurrencyFormats: Sendable {
  private let formats = Mutex<[String: Decimal.FormatStyle.Currency]>([:])
  private let make: @Sendable (String) -> Decimal.FormatStyle.Currency

  /// Creates a cache.
  /// - Parameter make: creates the format of a code.
  init(make: @escaping @Sendable (String) -> Decimal.FormatStyle.Currency) { self.make = make }

  /// The format of a code.
  subscript(code: String) -> Decimal.FormatStyle.Currency {
    formats.withLock { formats in
      if let format = formats[code] { return format }
      let format = make(code)
      formats[code] = format
      return format
    }
  }
}
