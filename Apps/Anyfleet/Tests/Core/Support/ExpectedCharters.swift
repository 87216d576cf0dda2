import Foundation
import OffshoreCalendar

@testable import Anyfleet

extension [CharterModel] {
  /// The expected contents of a list, computed from all charters.
  func expected(_ filter: CharterFilter, on today: CalendarDay) -> [CharterModel] {
    switch filter {
    case .phase(.past): inactive(.past, on: today).newestEndFirst
    case .phase(let phase): inactive(phase, on: today).soonestStartFirst
    case .wholePhase(.past): charters(in: .past, on: today).newestEndFirst
    case .wholePhase(let phase): charters(in: phase, on: today).soonestStartFirst
    case .notArchived: self.filter { !$0.isArchived }.soonestStartFirst
    case .archived: self.filter(\.isArchived).newestEndFirst
    }
  }

  private func inactive(_ phase: CharterPhase, on today: CalendarDay) -> Self {
    charters(in: phase, on: today).filter { !$0.isActive }
  }

  private func charters(in phase: CharterPhase, on today: CalendarDay) -> Self {
    filter { !$0.isArchived && $0.phase(on: today) == phase }
  }

  private var soonestStartFirst: Self {
    sorted { ($0.startDate, $0.id.uuidString) < ($1.startDate, $1.id.uuidString) }
  }

  private var newestEndFirst: Self {
    sorted { ($0.endDate, $0.id.uuidString) > ($1.endDate, $1.id.uuidString) }
  }
}
