import Foundation
import OffshoreCalendar

@testable import Anyfleet

extension [CharterModel] {
  /// The expected contents of a list, computed from all charters.
  func expected(_ filter: CharterFilter, on today: CalendarDay) -> [CharterModel] {
    switch filter {
    case .phase(.past): self.in(.past, on: today).newestEndFirst
    case .phase(let phase): self.in(phase, on: today).soonestStartFirst
    case .dated(.past): dated(.past, on: today).newestEndFirst
    case .dated(let phase): dated(phase, on: today).soonestStartFirst
    case .notArchived: self.filter { !$0.isArchived }.soonestStartFirst
    case .archived: self.filter(\.isArchived).newestEndFirst
    }
  }

  private func `in`(_ phase: CharterPhase, on today: CalendarDay) -> Self {
    dated(phase, on: today).filter { !$0.isActive }
  }

  private func dated(_ phase: CharterPhase, on today: CalendarDay) -> Self {
    filter { !$0.isArchived && $0.phase(on: today) == phase }
  }

  private var soonestStartFirst: Self {
    sorted { ($0.startDate, $0.id.uuidString) < ($1.startDate, $1.id.uuidString) }
  }

  private var newestEndFirst: Self {
    sorted { ($0.endDate, $0.id.uuidString) > ($1.endDate, $1.id.uuidString) }
  }
}
