public import Foundation

/// Says texts, dates and numbers in a language.
///
/// ```swift
/// let say = Speaker(.russian, calendar: calendar)
/// say(.charters)                  // Чартеры
/// say.dayRange(start, end)        // 12—19 июня 2027 г.
/// say.list(["Анна", "Иван"])      // Анна и Иван
/// ```
///
/// Its formats are made once; keep a speaker, or take the one of ``LanguageSetting``. Nothing here
/// depends on the machine's own locale, and no date, number or code traps, however strange it is.
public struct Speaker: Sendable {
  /// The language that is spoken.
  public let language: Language
  /// The calendar and time zone by which days and times are told, in the language's locale.
  public let calendar: Calendar

  private let formats: DateFormats
  private let decimal: Decimal.FormatStyle
  private let fraction: FloatingPointFormatStyle<Double>
  private let share: FloatingPointFormatStyle<Double>.Percent
  private let currencies: CurrencyFormats
  private let conjunction: ListFormatStyle<StringStyle, [String]>

  /// Takes what to speak.
  ///
  /// - Parameters:
  ///   - language: the language.
  ///   - calendar: whose kind and time zone tell the days; its locale does not matter.
  public init(_ language: Language, calendar: Calendar) {
    let locale = language.locale
    self.language = language
    self.calendar = calendar.speaking(locale)
    formats = DateFormats(locale: locale, calendar: self.calendar)
    decimal = Decimal.FormatStyle(locale: locale)
    fraction = FloatingPointFormatStyle(locale: locale)
    share = FloatingPointFormatStyle.Percent(locale: locale).precision(.fractionLength(0))
    currencies = CurrencyFormats { .currency(code: $0).locale(locale) }
    conjunction = .list(type: .and, width: .standard).locale(locale)
  }

  /// A text in the language.
  public func callAsFunction(_ text: LocalizedText) -> String { text.in(language) }

  // MARK: - Dates

  /// A day, such as “12 Jun 2027” and “12 июня 2027 г.”.
  public func day(_ date: Date) -> String { formats.day.format(date) }

  /// A day with its weekday and the month in full, such as “Saturday, 12 June 2027”.
  public func longDay(_ date: Date) -> String { formats.longDay.format(date) }

  /// A month, such as “June 2027” and “июнь 2027 г.”.
  public func month(_ date: Date) -> String { formats.month.format(date) }

  /// A time of the day, such as “14:05”.
  public func time(_ date: Date) -> String { formats.time.format(date) }

  /// A day and a time, such as “12 Jun 2027 at 14:05” and “12 июня 2027 г., 14:05”.
  public func dayAndTime(_ date: Date) -> String { formats.dayAndTime.format(date) }

  /// The days from one to another, such as “12 – 19 Jun 2027” and “12—19 июня 2027 г.”.
  ///
  /// What both have in common is said once, and one day alone is said as such. The order of the two
  /// does not matter.
  public func dayRange(_ start: Date, _ end: Date) -> String {
    range(start, end, formats.dayRange)
  }

  /// The days from one to another as ``dayRange(_:_:)`` says them, but those of UTC.
  ///
  /// This is for days that are the same wherever somebody is, each kept as an instant of it in UTC.
  public func civilDayRange(_ start: Date, _ end: Date) -> String {
    range(start, end, formats.civilDayRange)
  }

  private func range(_ start: Date, _ end: Date, _ format: Date.IntervalFormatStyle) -> String {
    let (first, last) = (min(start, end), max(start, end))
    // NB: Foundation traps on intervals whose ends are not finite or lie millions of years away.
    guard first.isOfKnownYear, last.isOfKnownYear else {
      return "\(day(first)) – \(day(last))"
    }
    // Thin spaces, which the locale data has around the dash, are missing from some fonts.
    return format.format(first..<last).replacing("\u{2009}", with: " ")
  }

  /// When something is, seen from now, such as “in 2 days”, “yesterday” and “2 часа назад”.
  public func relative(_ date: Date, to now: Date) -> String {
    var style = formats.relative
    // NB: The anchor is what is spoken of, and the date to format is where one stands.
    style.anchor = date
    return style.format(now)
  }

  // MARK: - Numbers

  /// A whole number, such as “1,234” and “1 234” (with a space that does not break).
  public func number(_ value: Int) -> String { language.number(value) }

  /// A number with up to three decimals, such as “1.5” and “1,5”.
  public func number(_ value: Double) -> String { fraction.format(value) }

  /// A number with all its decimals.
  public func number(_ value: Decimal) -> String { decimal.format(value) }

  /// A share as a whole percentage, such as “25%” and “25 %” for 0.25.
  public func percent(_ share: Double) -> String { self.share.format(share) }

  /// An amount of money, such as “€1,200.50” and “1 200,50 €”.
  ///
  /// - Parameters:
  ///   - amount: the amount, which is rounded to what the currency has.
  ///   - code: the currency's code by ISO 4217. What cannot be one is written as it is.
  public func currency(_ amount: Decimal, _ code: String) -> String {
    guard code.utf8.count == 3, code.utf8.allSatisfy(\.isLetter) else {
      // NB: Foundation would leave the code out, and with it what the amount is of.
      return "\(number(amount)) \(code)"
    }
    return currencies[code.uppercased()].format(amount)
  }

  // MARK: - Lists

  /// Items in a row, such as “a, b and c” and “a, b и c”.
  public func list(_ items: [String]) -> String { conjunction.format(items) }
}

extension Date {
  /// Whether it lies in the years 1 to 9999.
  ///
  /// NB: Seconds are compared, since a range of dates contains those that are not a number.
  fileprivate var isOfKnownYear: Bool {
    (-62_135_596_800..<253_402_300_800).contains(timeIntervalSince1970)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}

extension Speaker: Equatable {
  /// Whether two say the same in the same way.
  public static func == (one: Speaker, other: Speaker) -> Bool {
    one.language == other.language && one.calendar == other.calendar
  }
}
