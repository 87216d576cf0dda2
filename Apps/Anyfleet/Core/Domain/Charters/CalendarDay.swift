public import Foundation

/// One day of a calendar: from its first moment to the first of the next day.
public struct CalendarDay: Equatable, Hashable, Sendable {
  /// The first moment.
  public let start: Date
  /// The first moment of the next day.
  public let end: Date

  /// Takes the bounds of a day.
  public init(start: Date, end: Date) {
    self.start = start
    self.end = end
  }

  /// The day in which a moment lies; it has 23 or 25 hours where clocks are changed.
  public init(containing moment: Date, in calendar: Calendar) {
    let start = calendar.startOfDay(for: moment)
    // A calendar that cannot count a day on does not exist; 24 hours are right but where clocks change.
    let next =
      calendar.date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400)
    self.init(start: start, end: calendar.startOfDay(for: next))
  }
}

extension CharterModel {
  /// Where the charter lies as seen from a day.
  public func phase(on today: CalendarDay) -> CharterPhase {
    if startDate >= today.end { return .upcoming }
    return endDate < today.start ? .past : .inProgress
  }
}
