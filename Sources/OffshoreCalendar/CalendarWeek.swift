/// Seven days that start on a given weekday, Monday by default as in ISO 8601.
///
/// ```swift
/// let week = CalendarWeek(containing: day)  // 2027-06-07/2027-06-13
/// week.number                               // 23, of the year 2027
/// for day in week.days { … }
/// ```
///
/// The first and the last week are shorter if their other days do not exist; see ``CalendarDay``.
public struct CalendarWeek: Hashable, Sendable {
  /// The first day.
  public let firstDay: CalendarDay
  /// The weekday on which the week starts.
  public let firstWeekday: Weekday

  /// Creates the week of a day.
  public init(containing day: CalendarDay, startingOn firstWeekday: Weekday = .monday) {
    firstDay = day - firstWeekday.days(to: day.weekday)
    self.firstWeekday = firstWeekday
  }

  /// Returns the weeks that contain days of a range, in their order, such as the rows of a table.
  public static func weeks(
    of days: ClosedRange<CalendarDay>, startingOn firstWeekday: Weekday = .monday
  ) -> [CalendarWeek] {
    let first = CalendarWeek(containing: days.lowerBound, startingOn: firstWeekday)
    return (0...(days.upperBound.number - first.start) / 7).map { first + $0 }
  }

  /// The last day.
  public var lastDay: CalendarDay { CalendarDay(clamping: start + 6) }

  /// The days: seven, or fewer in the first and the last week that exist.
  public var days: ClosedRange<CalendarDay> { firstDay...lastDay }

  /// The number of the week in ``year``, from 1 to 53.
  ///
  /// Week 1 is the first with at least four days in its year, as in ISO 8601.
  public var number: Int {
    let newYear = GregorianDays.number(year, 1, 1)
    return (fourthDay.number - newYear) / 7 + 1
  }

  /// The year that contains most of the days, to which ``number`` refers.
  public var year: Int { fourthDay.year }

  private var fourthDay: CalendarDay { CalendarDay(clamping: start + 3) }

  /// The number of the first day, even if that day does not exist.
  private var start: Int { firstDay.number - firstWeekday.days(to: firstDay.weekday) }
}

// MARK: - Arithmetic

extension CalendarWeek: Comparable {
  /// Compares first days, then first weekdays.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.firstDay, lhs.firstWeekday) < (rhs.firstDay, rhs.firstWeekday)
  }

  /// Returns the week a number of weeks later, or earlier for a negative number.
  public func advanced(by weeks: Int) -> Self {
    // A million weeks exceed the range of days.
    let number = start + 7 * min(max(weeks, -1_000_000), 1_000_000)
    let day = number < CalendarDay.first.number ? number + 6 : number
    return CalendarWeek(containing: CalendarDay(clamping: day), startingOn: firstWeekday)
  }

  /// Returns the week a number of weeks later.
  public static func + (week: Self, weeks: Int) -> Self { week.advanced(by: weeks) }

  /// Returns the week a number of weeks earlier.
  public static func - (week: Self, weeks: Int) -> Self {
    week.advanced(by: weeks == .min ? .max : -weeks)
  }
}

// MARK: - Text

extension CalendarWeek: LosslessStringConvertible, Codable {
  /// The first and the last day as an ISO 8601 interval, such as `2027-06-07/2027-06-13`.
  public var description: String { "\(firstDay)/\(lastDay)" }

  /// Parses the first and the last day of a week. The result is `nil` for any other text.
  public init?(_ description: String) {
    let days = description.split(separator: "/", omittingEmptySubsequences: false)
    guard days.count == 2, let first = CalendarDay(String(days[0])),
      let last = CalendarDay(String(days[1]))
    else { return nil }
    // The first week may lack its first days, and the last one its last days.
    let firstWeekday = last == .last ? first.weekday : last.weekday.advanced(by: 1)
    self.init(containing: first, startingOn: firstWeekday)
    guard firstDay == first, lastDay == last else { return nil }
  }

  /// Decodes the text of ``description``.
  /// - Throws: `DecodingError` if the text is not a week.
  public init(from decoder: any Decoder) throws {
    self = try CodedText.decode(from: decoder, expected: "a week as yyyy-MM-dd/yyyy-MM-dd")
  }

  /// Encodes the week as its text.
  public func encode(to encoder: any Encoder) throws { try CodedText.encode(self, to: encoder) }
}
