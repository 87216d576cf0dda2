public import Foundation

/// A day of the week. Days are ordered from Monday, as in ISO 8601.
public enum Weekday: String, CaseIterable, Comparable, Sendable, Codable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// Creates the first day of the week of a calendar, such as Sunday in the United States.
  public init(firstOf calendar: Calendar) {
    // Foundation counts from Sunday, starting at 1.
    self = Weekday.sunday.advanced(by: calendar.firstWeekday - 1)
  }

  /// Creates the first day of the week in a region, such as Sunday for `US`, by the data of Unicode
  /// CLDR. It is Monday for a code that is not a region.
  ///
  /// - Parameter region: the ISO 3166 code of a country, such as `US`, or the UN M.49 code of an
  ///   area, such as `419`.
  public init(firstIn region: Locale.Region) {
    guard region.isISORegion else {
      self = .monday
      return
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = Locale(identifier: "und_\(region.identifier)")
    self.init(firstOf: calendar)
  }

  /// Creates the first day of the week in the region of a process's
  /// [environment](https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html), or
  /// `nil` if that states no region.
  ///
  /// - Parameter environment: the variables, of which the first of `LC_ALL`, `LC_TIME` and `LANG`
  ///   that is not empty has the region, as `ru_RU.UTF-8`.
  public init?(firstInRegionOf environment: [String: String]) {
    let values = ["LC_ALL", "LC_TIME", "LANG"].compactMap { environment[$0] }
    guard let name = values.first(where: { !$0.isEmpty }) else { return nil }
    let parts = name.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
    let regions = parts.dropFirst().map { Locale.Region(String($0)) }
    guard let region = regions.first(where: \.isISORegion) else { return nil }
    self.init(firstIn: region)
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
