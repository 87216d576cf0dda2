public import OffshoreCalendar

/// The place of a charter in time, by calendar day.
public enum CharterPhase: String, CaseIterable, Sendable {
  /// It starts on a later day.
  case upcoming
  /// Today is one of its days, the last one included.
  case inProgress
  /// Its last day is over.
  case past
}

extension CharterModel {
  /// The phase of the charter on a day.
  ///
  /// The days of a charter are those in which its dates lie in UTC: 12 June stays 12 June if the skipper
  /// flies west. The time of the day does not matter.
  public func phase(on today: CalendarDay) -> CharterPhase {
    if startDate >= today.end { return .upcoming }
    return endDate < today.start ? .past : .inProgress
  }
}
