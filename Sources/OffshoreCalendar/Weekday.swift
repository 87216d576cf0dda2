public import Foundation

/// A day of the week. Days are ordered from Monday, as in ISO 8601.
public enum Weekday: String, CaseIterable, Comparable, Sendable, Codable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// Creates the first day of the week of a calendar, such as Sunday in the United States.
  public init(firstOf calendar: Calendar) {
    // Foundation counts from Sunday, starting at 1.
    self = Weekday.sunday.advanced(by: calendar.firstWeekday - 1)
  }

  /// The number by ISO 8601, from 1 for Monday to 7 for Sunday.
  public var number: Int {
    switch self {
    case .monday: 1
    case .tuesday: 2
    case .wednesday: 3
    case .thursday: 4
    case .friday: 5
    case .saturday: 6
    case .sunday: 7
    }
  }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

  /// Returns the weekday a number of days later, or earlier for a negative number.
  public func advanced(by days: Int) -> Weekday {
    Self.allCases[(number - 1 + days % 7).flooredDivision(by: 7).remainder]
  }

  /// Returns the number of days until the next given weekday, 0 to 6.
  func days(to other: Weekday) -> Int {
    (other.number - number).flooredDivision(by: 7).remainder
  }

  /// The seven weekdays starting with this one, for example for the columns of a calendar table.
  public var week: [Weekday] { (0..<7).map(advanced) }
}
