public import Foundation
public import Offshore
public import OffshoreCalendar

/// Sequences of one value, the current one, for repositories that cannot be observed.
extension CharterRepository {
  public func charters() -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchAllCharters()) }
  }

  public func charter(id: UUID) -> any AsyncSequence<CharterModel?, any Error> & Sendable {
    FetchedOnce { try await fetchCharter(id: id) }
  }

  public func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable {
    FetchedOnce {
      let page = try await fetchCharters(
        filter, on: today, matching: text, after: nil, limit: limit ?? .max)
      return ReadableRows(
        rows: page.charters, unreadable: page.unreadable.compactMap { $0.cause as? DatabaseError })
    }
  }

  public func charterCounts(
    on today: CalendarDay
  ) -> any AsyncSequence<CharterCounts, any Error> & Sendable {
    FetchedOnce { try await countCharters(on: today) }
  }

  public func activeCharter() -> any AsyncSequence<CharterModel?, any Error> & Sendable {
    FetchedOnce { try await fetchActiveCharter() }
  }

  public func charterChanges() -> any AsyncSequence<Int, any Error> & Sendable {
    FetchedOnce { 0 }
  }
}
