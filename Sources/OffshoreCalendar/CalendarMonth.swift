/// A month of the civil calendar, such as June 2027, from 0000-01 to 9999-12.
///
/// ```swift
/// let month = CalendarMonth(containing: day)
/// for week in month.weeks(startingOn: .monday) {  // the rows of a calendar table
///   for day in week.days { … }                    // some are in adjacent months
/// }
/// ```
public struct CalendarMonth: Hashable, Sendable {
  /// The number of months since 0000-01.
  private let number: Int

  private static let lastNumber = 119_999

  private init(clamping number: Int) { self.number = min(max(number, 0), Self.lastNumber) }

  /// Creates a month from its parts, or `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - year: 0 to 9999.
  ///   - month: 1 to 12.
  public init?(year: Int, month: Int) {
    guard (0...9999).contains(year), (1...12).contains(month) else { return nil }
    number = year * 12 + month - 1
  }

  /// Creates the month of a day.
  public init(containing day: CalendarDay) { number = day.year * 12 + day.month - 1 }

  /// The year, 0 to 9999.
  public var year: Int { number / 12 }
  /// The month of the year, 1 to 12.
  public var month: Int { number % 12 + 1 }
  /// The number of days, 28 to 31.
  public var length: Int { GregorianDays.length(ofMonth: month, in: year) }

  /// The first day.
  public var firstDay: CalendarDay {
    CalendarDay(clamping: GregorianDays.number(year, month, 1))
  }

  /// The last day.
  public var lastDay: CalendarDay { firstDay + (length - 1) }

  /// The days.
  public var days: ClosedRange<CalendarDay> { firstDay...lastDay }

  /// Returns the weeks that contain days of the month, four to six, for the rows of a calendar
  /// table.
  public func weeks(startingOn firstWeekday: Weekday = .monday) -> [CalendarWeek] {
    CalendarWeek.weeks(of: days, startingOn: firstWeekday)
  }
}

// MARK: - Arithmetic

extension CalendarMonth: Strideable {
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

  /// Returns the number of months from this one to another, negative if that is earlier.
  public func distance(to other: Self) -> Int { other.number - number }

  /// Returns the month a number of months later, or earlier for a negative number.
  public func advanced(by months: Int) -> Self {
    let (sum, overflows) = number.addingReportingOverflow(months)
    return CalendarMonth(clamping: overflows ? (months < 0 ? 0 : Self.lastNumber) : sum)
  }

  /// Returns the month a number of months later.
  public static func + (month: Self, months: Int) -> Self { month.advanced(by: months) }

  /// Returns the month a number of months earlier.
  public static func - (month: Self, months: Int) -> Self {
    month.advanced(by: months == .min ? .max : -months)
  }
}

// MARK: - Text

extension CalendarMonth: LosslessStringConvertible, Codable {
  /// The month as `yyyy-MM`.
  public var description: String { "\(Digits.text(year, 4))-\(Digits.text(month, 2))" }

  /// Parses `yyyy-MM`; `nil` for any other text.
  public init?(_ description: String) {
    guard let parts = Digits.numbers(description, [4, 2], separator: "-") else { return nil }
    self.init(year: parts[0], month: parts[1])
  }

  /// Decodes the text `yyyy-MM`.
  /// - Throws: `DecodingError` if the text is not a month.
  public init(from decoder: any Decoder) throws {
    self = try CodedText.decode(from: decoder, expected: "a month as yyyy-MM")
  }

  /// Encodes the month as the text `yyyy-MM`.
  public func encode(to encoder: any Encoder) throws { try CodedText.encode(self, to: encoder) }
}
