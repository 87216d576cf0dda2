/// The part of a calendar that is shown: a month, a week or a day.
public enum CalendarExtent: String, CaseIterable, Sendable, Codable {
  case month, week, day

  /// Returns the days that are shown with a day. Those of a month are in whole weeks, as the rows of a
  /// calendar table.
  public func days(
    around day: CalendarDay, startingOn firstWeekday: Weekday = .monday
  ) -> ClosedRange<CalendarDay> {
    switch self {
    case .day: return day...day
    case .week: return CalendarWeek(containing: day, startingOn: firstWeekday).days
    case .month:
      let month = CalendarMonth(containing: day)
      let last = CalendarWeek(containing: month.lastDay, startingOn: firstWeekday).lastDay
      return CalendarWeek(containing: month.firstDay, startingOn: firstWeekday).firstDay...last
    }
  }

  /// Returns the current day if it is shown with another one, or else the first that is. The days of
  /// adjacent months do not count.
  public func start(
    around day: CalendarDay, startingOn firstWeekday: Weekday = .monday, today: CalendarDay
  ) -> CalendarDay {
    let shown =
      self == .month
      ? CalendarMonth(containing: day).days : days(around: day, startingOn: firstWeekday)
    return shown.contains(today) ? today : shown.lowerBound
  }
}
