import Foundation
import OffshoreCalendar

@testable import Anyfleet

/// The operations that fail the first time if parts fail.
extension FailingFirst {
  fileprivate func failPartOnce(_ name: String) throws { if failsParts { try failOnce(name) } }

  /// An empty sequence if parts fail, so that nothing is read again without a request.
  func charterChanges() -> RepositoryValues<Int> {
    failsParts ? AsyncThrowingStream { $0.finish() } : FetchedOnce { 0 }
  }

  func fetchCharters(
    _ parts: [CharterListPart], on today: CalendarDay, matching text: String, limit: Int
  ) async throws -> CharterPage {
    for part in parts { try failPartOnce("list \(part)") }
    return try await real.fetchCharters(parts, on: today, matching: text, limit: limit)
  }

  func countCharters(on today: CalendarDay) async throws -> CharterCounts {
    try failPartOnce("counts")
    return try await real.countCharters(on: today)
  }

  func fetchActiveCharter() async throws -> CharterModel? {
    try failPartOnce("active")
    return try await real.fetchActiveCharter()
  }

  func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist] {
    try failPartOnce("charterChecklists")
    return try await real.fetchCharterChecklists(charterID)
  }
}

extension FailingFirst: UnfinishedChecklistRepository {
  func checklistToContinue() -> RepositoryValues<ChecklistToContinue?> {
    FetchedOnce { [self] in
      try failPartOnce("toContinue")
      for try await found in real.checklistToContinue() { return found }
      return nil
    }
  }
}
