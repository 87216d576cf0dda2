public import Foundation

/// Where a charter lies in time, by calendar day.
public enum CharterPhase: String, CaseIterable, Sendable {
  /// It starts on a later day.
  case upcoming
  /// Today is one of its days, the last one included.
  case inProgress
  /// Its last day is over.
  case past
}

extension CharterModel {
  /// Where the charter lies at a moment, where a calendar's time zone is.
  public func phase(at now: Date, in calendar: Calendar) -> CharterPhase {
    phase(on: CalendarDay(civilDayOf: now, in: calendar))
  }
}

extension Collection where Element == CharterModel {
  /// The charters of a phase: those to come by their start, past ones by their end, newest first.
  public func charters(
    in phase: CharterPhase, at now: Date, calendar: Calendar
  ) -> [CharterModel] {
    let charters = filter { $0.phase(at: now, in: calendar) == phase }
    return switch phase {
    case .upcoming, .inProgress:
      charters.sorted { ($0.startDate, $0.id.uuidString) < ($1.startDate, $1.id.uuidString) }
    case .past: charters.sorted { ($0.endDate, $0.id.uuidString) > ($1.endDate, $1.id.uuidString) }
    }
  }
}
