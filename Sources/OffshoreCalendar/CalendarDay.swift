public import Foundation

/// A day of the civil calendar, such as 12 June 2027, which is the same day in every time zone.
///
/// ```swift
/// if let day = CalendarDay("2027-06-12") {  // nil for "2027-02-29" and other texts
///   day.weekday                             // .saturday
///   (day + 7).description                   // "2027-06-19"
///   for day in day...(day + 6) { … }
/// }
/// ```
///
/// Days are those of the proleptic Gregorian calendar of ISO 8601, from 0000-01-01 to 9999-12-31,
/// which have a text `yyyy-MM-dd`. Arithmetic and instants beyond that range result in the first or
/// the last day.
public struct CalendarDay: Hashable, Sendable {
  /// The number of days since 1970-01-01, negative before.
  let number: Int

  /// The first day, 0000-01-01.
  public static let first = CalendarDay(number: -719_528)
  /// The last day, 9999-12-31.
  public static let last = CalendarDay(number: 2_932_896)

  private init(number: Int) { self.number = number }

  /// Creates the day with a number, or the first or last day if it is out of range.
  init(clamping number: Int) {
    self.number = min(max(number, Self.first.number), Self.last.number)
  }

  /// Creates a day from its parts, or `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - year: 0 to 9999.
  ///   - month: 1 to 12.
  ///   - day: 1 to the length of the month.
  public init?(year: Int, month: Int, day: Int) {
    guard let month = CalendarMonth(year: year, month: month), (1...month.length).contains(day)
    else { return nil }
    number = GregorianDays.number(month.year, month.month, day)
  }

  /// The year, 0 to 9999.
  public var year: Int { GregorianDays.parts(number).year }
  /// The month, 1 to 12.
  public var month: Int { GregorianDays.parts(number).month }
  /// The day of the month, 1 to 31.
  public var day: Int { GregorianDays.parts(number).day }

  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    Weekday.monday.advanced(by: number + 3)
  }
}

// MARK: - Instants

extension CalendarDay {
  private static let length: TimeInterval = 86_400

  /// Creates the day in which an instant lies in UTC.
  public init(containing instant: Date) {
    let days = (instant.timeIntervalSince1970 / Self.length).rounded(.down)
    // NB: In this order, an instant that is NaN becomes the first day.
    let bounded = min(max(Double(Self.first.number), days), Double(Self.last.number))
    self.init(clamping: Int(exactly: bounded) ?? Self.first.number)
  }

  /// Creates the day of an instant in the time zone of a calendar.
  ///
  /// The kind of the calendar is ignored.
  public init(civilDayOf moment: Date, in calendar: Calendar) {
    let offset = calendar.timeZone.secondsFromGMT(for: moment)
    self.init(containing: moment.addingTimeInterval(TimeInterval(offset)))
  }

  /// Returns the first instant of the day in the time zone of a calendar: midnight, or the time to
  /// which the clocks go forward at midnight.
  ///
  /// The kind of the calendar is ignored.
  public func start(in calendar: Calendar) -> Date {
    TimeOfDay(hour: 0, minute: 0).moment(on: self, in: calendar)
  }

  /// The first instant of the day in UTC.
  public var start: Date { Date(timeIntervalSince1970: TimeInterval(number) * Self.length) }

  /// The first instant of the next day in UTC.
  public var end: Date { start.addingTimeInterval(Self.length) }

  /// The instant that represents the day: noon in UTC.
  ///
  /// It lies on the same day in nearly all time zones, for readers that do not know this
  /// convention.
  public var noon: Date { start.addingTimeInterval(Self.length / 2) }
}

// MARK: - Arithmetic

extension CalendarDay: Strideable {
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

  /// Returns the number of days from this one to another, negative if that is earlier.
  public func distance(to other: Self) -> Int { other.number - number }

  /// Returns the day a number of days later, or earlier for a negative number.
  public func advanced(by days: Int) -> Self {
    let (sum, overflows) = number.addingReportingOverflow(days)
    return overflows ? (days < 0 ? .first : .last) : CalendarDay(clamping: sum)
  }

  /// Returns the day a number of days later.
  public static func + (day: Self, days: Int) -> Self { day.advanced(by: days) }

  /// Returns the first day after this one with a weekday.
  public func next(_ weekday: Weekday) -> Self {
    let tomorrow = self + 1
    return tomorrow + tomorrow.weekday.days(to: weekday)
  }

  /// Returns the day a number of days earlier.
  public static func - (day: Self, days: Int) -> Self {
    day.advanced(by: days == .min ? .max : -days)
  }
}

// MARK: - Text

extension CalendarDay: LosslessStringConvertible, Codable {
  /// The day as `yyyy-MM-dd`.
  public var description: String {
    let parts = GregorianDays.parts(number)
    return [Digits.text(parts.year, 4), Digits.text(parts.month, 2), Digits.text(parts.day, 2)]
      .joined(separator: "-")
  }

  /// Parses `yyyy-MM-dd`. The result is `nil` for any other text, and for a day that does not
  /// exist.
  public init?(_ description: String) {
    guard let parts = Digits.numbers(description, [4, 2, 2], separator: "-") else { return nil }
    self.init(year: parts[0], month: parts[1], day: parts[2])
  }

  /// Decodes the text `yyyy-MM-dd`.
  /// - Throws: `DecodingError` if the text is not a day.
  public init(from decoder: any Decoder) throws {
    self = try CodedText.decode(from: decoder, expected: "a day as yyyy-MM-dd")
  }

  /// Encodes the day as the text `yyyy-MM-dd`.
  public func encode(to encoder: any Encoder) throws { try CodedText.encode(self, to: encoder) }
}
