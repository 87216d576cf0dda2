public import Foundation

/// A day of the civil calendar, such as 12 June 2027, which is the same one in every time zone.
///
/// A charter's days are such days: 12 June stays 12 June when the skipper flies west. Each is kept as
/// an instant and is the day in which that lies in UTC; the time of the day does not matter.
public struct CalendarDay: Equatable, Hashable, Sendable {
  /// The day's first moment in UTC.
  public let start: Date

  private static let length: TimeInterval = 86_400

  /// The day for which an instant stands.
  public init(containing instant: Date) {
    let seconds = instant.timeIntervalSince1970
    start = Date(timeIntervalSince1970: (seconds / Self.length).rounded(.down) * Self.length)
  }

  /// The day that a calendar on the wall shows at a moment, where a calendar's time zone is.
  public init(civilDayOf moment: Date, in calendar: Calendar) {
    let offset = calendar.timeZone.secondsFromGMT(for: moment)
    self.init(containing: moment.addingTimeInterval(TimeInterval(offset)))
  }

  /// The first moment of the next day in UTC.
  public var end: Date { start.addingTimeInterval(Self.length) }

  /// The instant that stands for the day: noon in UTC.
  ///
  /// It is the same day in nearly all time zones, for whoever reads it without knowing of this.
  public var noon: Date { start.addingTimeInterval(Self.length / 2) }
}

extension CharterModel {
  /// Where the charter lies as seen from a day.
  public func phase(on today: CalendarDay) -> CharterPhase {
    if startDate >= today.end { return .upcoming }
    return endDate < today.start ? .past : .inProgress
  }
}
