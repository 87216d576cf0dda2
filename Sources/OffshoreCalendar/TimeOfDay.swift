public import Foundation

/// A wall clock time from 00:00 to 23:59, without a day or a time zone.
///
/// ```swift
/// let start = TimeOfDay(hour: 22, minute: 0), end = TimeOfDay(hour: 6, minute: 0)
/// start.moment(on: day, in: calendar)          // the instant in the time zone of the calendar
/// start.hours(to: end, on: day, in: calendar)  // 8, or 7 or 9 if the clocks change in that night
/// ```
public struct TimeOfDay: Hashable, Sendable {
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int

  /// Creates a time from its parts, each clamped to its range.
  public init(hour: Int, minute: Int) {
    self.hour = min(max(hour, 0), 23)
    self.minute = min(max(minute, 0), 59)
  }

  /// Creates the time a number of minutes after midnight, modulo the 1,440 minutes of a day.
  public init(minutesSinceMidnight minutes: Int) {
    let minutes = minutes.flooredDivision(by: 1440).remainder
    (hour, minute) = (minutes / 60, minutes % 60)
  }

  /// The minutes since midnight, 0 to 1439.
  public var minutesSinceMidnight: Int { hour * 60 + minute }
}

extension TimeOfDay: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.minutesSinceMidnight < rhs.minutesSinceMidnight
  }
}

// MARK: - Instants

extension TimeOfDay {
  /// Returns the instant at which the clocks show the time on a day, in the time zone of a calendar.
  ///
  /// When the clocks change, a time that they skip is the next one that exists, and of a time that
  /// they show twice it is the first. The kind of the calendar is ignored.
  public func moment(on day: CalendarDay, in calendar: Calendar) -> Date {
    WallClock(in: calendar.timeZone).firstInstant(
      showing: day.number * 86_400 + minutesSinceMidnight * 60)
  }

  /// Returns the instants from this time on a day to another time, on the next day if that is not
  /// later.
  public func interval(
    to end: TimeOfDay, on day: CalendarDay, in calendar: Calendar
  ) -> Range<Date> {
    let start = moment(on: day, in: calendar)
    let moment = end.moment(on: end > self ? day : day + 1, in: calendar)
    // The last day that exists has no next one.
    return start..<max(start, moment)
  }

  /// Returns the hours that pass from this time on a day to another time, on the next day if that is
  /// not later, such as 7 from 22:00 to 06:00 in a night in which the clocks go forward.
  public func hours(
    to end: TimeOfDay, on day: CalendarDay, in calendar: Calendar
  ) -> Double {
    let interval = interval(to: end, on: day, in: calendar)
    return interval.upperBound.timeIntervalSince(interval.lowerBound) / 3600
  }
}

// MARK: - Text

extension TimeOfDay: LosslessStringConvertible {
  /// The time as `HH:mm`.
  public var description: String { "\(Digits.text(hour, 2)):\(Digits.text(minute, 2))" }

  /// Parses `HH:mm`. The result is `nil` for any other text, and for a time that does not exist.
  public init?(_ description: String) {
    guard let parts = Digits.numbers(description, [2, 2], separator: ":"), parts[0] < 24,
      parts[1] < 60
    else { return nil }
    self.init(hour: parts[0], minute: parts[1])
  }
}

// NB: Times are coded by their parts, as `{"hour":9,"minute":0}`, but days as texts.
extension TimeOfDay: Codable {
  private enum CodingKeys: CodingKey {
    case hour, minute
  }

  /// Decodes an hour and a minute.
  /// - Throws: `DecodingError` if one is missing or out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    hour = try Self.decode(.hour, 0...23, from: container)
    minute = try Self.decode(.minute, 0...59, from: container)
  }

  private static func decode(
    _ key: CodingKeys, _ range: ClosedRange<Int>,
    from container: KeyedDecodingContainer<CodingKeys>
  ) throws -> Int {
    let number = try container.decode(Int.self, forKey: key)
    guard range.contains(number) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "Expected \(range), found \(number).")
    }
    return number
  }
}
